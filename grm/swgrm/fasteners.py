"""What names suggest about fasteners and other turned parts: one criterion of several, never sufficient alone."""

from __future__ import annotations

import re
from enum import StrEnum

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

# Turned parts that are held in place, such as pins. Alone, these words mean nothing: arms and fingers have them, too.
FIXING_NAMES = re.compile(
    r"""(?<![A-Za-z])(dowel|pin|rollpin|stud|spacer|stand-?off|bush|bushing|sleeve|ring|o-?ring|shim|collar
            |plug|cap|seal|gasket|grommet|spring|insert|helicoil|retainer|snap-?ring|magnet|bearing)(s|es)?(?![A-Za-z])
      | (stift|bolzen|h(ü|ue)lse|buchse|scheibe|mutter|schraube|stopfen|feder|dichtung|einsatz|abstandshalter|lager
            |(dicht|spann|stell|stütz|seeger|spreng|nut|deck|schutz|abstands|distanz|sicherungs)ring)(n|en|e)?(?![A-Za-zäöüß])
      | (?<![A-Za-z])(distanz|abstand|seeger)
      | (?<![A-Za-z])(goupille|entretoise|bague|douille|joint[ _-]torique|bouchon|ressort|circlips?|pasador|separador
            |casquillo|anillo|tap[óo]n|muelle|resorte|spina|distanziale|boccola|anello|tappo|molla|roulement|rodamiento|cuscinetto)(?![A-Za-z])
      | штифт|втулк|подшипник|кольц|заглушк|пружин|стойк|шайб|гайк|винт|болт
      | ピン|スペーサ|ブッシュ|リング|カラー|プラグ|スプリング|[销銷]|[垫墊]|[衬襯]套|弹簧|彈簧|密封|卡簧|挡圈
      | ベアリング|軸受|轴承
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Turned parts whose rotation matters, however small they are.
MOVING_NAMES = re.compile(
    r"""(?<![A-Za-z])(wheel|roller|pulley|idler|sheave|knob|dial|gear|pinion|sprocket|caster|castor|propeller|prop|rotor
            |impeller|fan|flange|tool|encoder|dis[ck]|crank|handle|drum|spool|reel|turret|turntable|cam|spindle|shaft|axle
            |motor|joint|link|axis|follower|chuck|eccentric)s?(?![A-Za-z])
      | (r(a|ä|ae)d(er)?|rolle|walze|riemenscheibe|ritzel|knopf|griff|flansch|kurbel|trommel|spule|spindel|welle|achse
            |propeller|rotor|kupplung|exzenter|nocken|revolver|teller)n?(?![A-Za-zäöüß])
      | (?<![A-Za-z])(roue|galet|rouleau|poulie|engrenage|pignon|bouton|bride|h[ée]lice|moyeu|rueda|rodillo|polea
            |engranaje|pi[ñn][óo]n|perilla|brida|ruota|rullo|puleggia|ingranaggio|manopola|flangia|elica)s?(?![A-Za-z])
      | колес|ролик|шкив|шестер|фланец|ручк|вал(?![а-я])|ротор|винт[ _]воздуш
      | ローラ|プーリ|ホイール|車輪|歯車|ギア|フランジ|ノブ|シャフト|[轮輪]|[滚滾]|法[兰蘭]|旋[钮鈕]|[轴軸](?![承受])
    """,
    re.IGNORECASE | re.VERBOSE,
)


class NameHint(StrEnum):
    """What the name of a turned part suggests."""

    NONE = ""
    FIXING = "fixing"
    MOVING = "moving"


def find_name_hint(name: str) -> NameHint:
    """What a component's name suggests about it as a turned part; nothing if it suggests both, as `wheel spacer`."""
    leaf = bare_name(name)
    is_fixing = bool(FIXING_NAMES.search(leaf)) or is_named_like_fastener(name)
    is_moving = bool(MOVING_NAMES.search(leaf)) or bool(DRIVE_NAMES.search(leaf))
    if is_fixing == is_moving:
        return NameHint.NONE
    return NameHint.FIXING if is_fixing else NameHint.MOVING


def bare_name(name: str) -> str:
    """The name of a component in its assembly, without the number of the instance."""
    return re.sub(r"-\d+$", "", name.rpartition("/")[2])


def is_named_like_fastener(name: str) -> bool:
    """Whether a component's name matches a fastener pattern; its number at the end is ignored."""
    leaf = bare_name(name)
    is_standard = any(found.groups() in NUMBERS for found in STANDARD_NAMES.finditer(leaf.upper()))
    return (is_standard or bool(FASTENER_NAMES.search(leaf))) and not DRIVE_NAMES.search(leaf)
