"""Detection of fasteners by name: one criterion of several, never sufficient alone."""

from __future__ import annotations

import re

# The standards of bolts, screws, nuts, washers, pins and rings; others (ISO 15552: cylinders) mean nothing here.
STANDARDS = {
    "ISO": """1207 1580 2009 2010 2338 2339 4014 4016 4017 4018 4026 4027 4028 4029 4032 4033 4034 4035 4161 4762 7040
        7042 7045 7046 7047 7048 7049 7050 7089 7090 7091 7092 7093 7379 7380 8673 8674 8675 8676 8734 8738 8752 8765
        10511 10512 10513 10642 13337 14579 14580 14583""",
    "DIN": """7 84 85 94 125 126 127 128 137 315 316 433 434 436 439 464 465 471 472 551 553 557 580 582 601 603 653 660
        705 787 906 908 912 913 914 915 916 921 923 928 929 931 933 934 935 936 938 939 960 961 963 964 965 966 971
        975 976 980 981 982 985 986 988 1440 1444 1481 1587 1624 2093 6325 6330 6331 6334 6340 6796 6797 6798 6799
        6885 6912 6921 6923 6926 6927 7337 7343 7346 7349 7500 7504 7603 7971 7972 7973 7979 7980 7981 7982 7983 7984
        7985 7991 7993 9021""",
    "GB": """5 6 12 41 52 56 65 67 68 70 71 73 77 78 79 80 91 93 95 96 97 117 119 818 819 848 859 879 889 893 894 896
        5780 5781 5782 5783 5786 6170 6171 6172 6173 6175 6177 6182 6184 9074 12615 12618 16674""",
}
NUMBERS = {(name, number) for name, numbers in STANDARDS.items() for number in numbers.split()}
STANDARD_NAMES = re.compile(r"(?<![A-Z])(?:EN[ _-]*)?(ISO|DIN|GB)[ _/-]*T?[ _-]*(\d+)")  # in capitals: ISO 4762
FASTENER_NAMES = re.compile(
    r"""(?<![A-Za-z0-9])M\d+(\.\d+)?\s*[x×]\s*\d     # M3x6, M4 x 10
      | (?<![A-Za-z])((ANSI|ASME)[ _-]*B[ _-]*(18|27)|JIS[ _-]*B[ _-]*1[0-3]\d\d|BS[ _-]*4168)(?!\d)
      | -M\d+(\.\d+)?-N\d+                           # catalogue codes that end in two threads
      | (?<![A-Za-z])(bolt|screw|nut|washer|rivet|setscrew|capscrew|grub[ _-]?screw|circlip|e-?clip)s?(?![A-Za-z])
      | (?<![A-Za-z])(schraube|mutter|unterlegscheibe|vis|écrou|rondelle|tornillo|tuerca|arandela)(?![A-Za-z])
      | ボルト|ナット|ワッシャ|ねじ|ネジ|螺[丝絲栓母]|垫圈
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Screws and nuts that transmit motion.
DRIVE_NAMES = re.compile(
    r"""(?<![A-Za-z])(ball|roller|lead|feed|power|jack|worm|acme|trapezoidal|trapez|kugelgewinde|travel+ing)
        [ _-]*(screw|nut|mutter)s?(?![A-Za-z])
      | (screw|nut)[ _-]*(shaft|spindle|drive|jack|actuator)(?![A-Za-z])
      | (?<![A-Za-z])vis[ _-]+(à[ _-]+billes|mère)|ボールねじ|ボールネジ|送りねじ|滚珠丝杠""",
    re.IGNORECASE | re.VERBOSE,
)


def is_named_like_fastener(name: str) -> bool:
    """Whether a component's name matches a fastener pattern; its number at the end is ignored."""
    leaf = re.sub(r"-\d+$", "", name.rpartition("/")[2])
    is_standard = any(found.groups() in NUMBERS for found in STANDARD_NAMES.finditer(leaf.upper()))
    return (is_standard or bool(FASTENER_NAMES.search(leaf))) and not DRIVE_NAMES.search(leaf)
