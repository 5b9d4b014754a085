"""Detection of fasteners by name: one criterion of several, never sufficient alone."""

from __future__ import annotations

import re

FASTENER_NAMES = re.compile(
    r"""(?<![A-Za-z0-9])M\d+(\.\d+)?\s*[x×]\s*\d     # M3x6, M4 x 10
      | (?<![A-Za-z])(ISO|DIN|ANSI|ASME|JIS|GB|EN|BS|UNI)[ _-]*[A-Z]?[ _-]*\d{2,}   # ISO 4762
      | -M\d+(\.\d+)?-N\d+                           # catalogue codes that end in two threads
      | (?<![A-Za-z])(bolt|screw|nut|washer|rivet|setscrew|capscrew|grub[ _-]?screw|circlip|e-?clip)s?(?![A-Za-z])
      | (?<![A-Za-z])(schraube|mutter|unterlegscheibe|vis|écrou|rondelle|tornillo|tuerca|arandela)(?![A-Za-z])
      | ボルト|ナット|ワッシャ|ねじ|ネジ|螺[丝絲栓母]|垫圈
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_named_like_fastener(name: str) -> bool:
    """Returns whether a component's name matches a fastener pattern; its number at the end is ignored."""
    leaf = name.rpartition("/")[2]
    return bool(FASTENER_NAMES.search(re.sub(r"-\d+$", "", leaf)))
