"""Judging by its name whether a part is a fastener: one sign among others, and never the only one."""

from __future__ import annotations

import re

_WORDS = (
    "screw bolt nut washer rivet circlip capscrew setscrew locknut lockwasher "
    "schraube mutter scheibe unterlegscheibe vis boulon ecrou écrou rondelle tornillo tuerca arandela "
    "ボルト ナット ワッシャ ワッシャー ねじ ネジ 螺丝 螺栓 螺母 垫圈"
)
WORDS = frozenset(_WORDS.split())
STANDARD = re.compile(r"\b(ISO|DIN|EN|ANSI|ASME|JIS|GB|GBT|BS)[\s_/.-]*[A-Z]?\s*[\d.]+", re.IGNORECASE)
SIZE = re.compile(r"(?<![A-Za-z0-9])M\d+(\.\d+)?\s*[xX×*]\s*\d+")
THREAD = re.compile(r"(?<![A-Za-z0-9])M\d+(\.\d+)?(?![A-Za-z0-9])")
CATALOGUE = re.compile(r"[A-Z]{2,}[A-Z0-9]*(-[A-Z]*\d+)*-M\d+(-[A-Z]*\d+)*")
WORD = re.compile(r"[A-ZÉ]?[a-zà-ÿ]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-zÀ-ÿ]+")


def named_like_fastener(name: str) -> bool:
    """Whether a component's name (with its instance number or without) is that of a screw, nut or washer.

    A standard or a size (`ISO 4762 M4x10`, `M3x6`), a catalogue number with a thread (`SSFJW8-31-M4-N4`), or a
    name whose noun is a fastener (`hex bolt`): not `ScrewRing`, `bolt_plate`, `king_pin` or a bare `M1`.
    """
    base = re.sub(r"-\d+$", "", name)
    words = [word.lower() for word in WORD.findall(base)]
    is_noun = bool(words) and words[-1] in WORDS
    has_word = not WORDS.isdisjoint(words)
    return bool(
        STANDARD.search(base)
        or SIZE.search(base)
        or CATALOGUE.fullmatch(base)
        or is_noun
        or (has_word and THREAD.search(base.replace("_", " ")))
    )
