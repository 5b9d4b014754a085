"""What names suggest about fasteners and other turned parts: one criterion of several, never sufficient alone."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

# The standards of bolts, screws, nuts, washers, pins and rings; others (ISO 15552: cylinders) mean nothing here.
STANDARDS = {
    "ISO": """1207 1580 2009 2010 2338 2339 4014 4016 4017 4018 4026 4027 4028 4029 4032 4033 4034 4035 4161 4762 7040
        7042 7045 7046 7047 7048 7049 7050 7089 7090 7091 7092 7093 7379 7380 8673 8674 8675 8676 8734 8738 8752 8765
        10511 10512 10513 10642 13337 14579 14580 14583""",
    "DIN": """7 84 85 94 125 126 127 128 137 315 316 433 434 436 439 464 465 471 472 551 553 557 580 582 601 603 653 660
        705 787 906 908 912 913 914 915 916 921 923 928 929 931 933 934 935 936 938 939 960 961 963 964 965 966 971
        975 976 980 981 982 985 986 988 1440 1444 1481 1587 1624 2093 6325 6330 6331 6334 6340 6796 6797 6798 6799
        6912 6921 6923 6926 6927 7337 7343 7346 7349 7500 7504 7603 7971 7972 7973 7979 7980 7981 7982 7983 7984
        7985 7991 7993 9021""",
    "GB": """5 6 12 41 52 56 65 67 68 70 71 73 77 78 79 80 91 93 95 96 97 117 119 818 819 848 859 879 889 893 894 896
        5780 5781 5782 5783 5786 6170 6171 6172 6173 6175 6177 6182 6184 9074 12615 12618 16674""",
}
NUMBERS = {(name, number) for name, numbers in STANDARDS.items() for number in numbers.split()}
# Standards of pins and shoulder screws, which also carry pivots.
PIVOT_STANDARDS = {
    "ISO": "2338 2339 2340 2341 7379 8733 8734 8735 8736 8737 8739 8740 8741 8742 8743 8744 8745 8748 8750 8752 13337",
    "DIN": """1 7 923 1433 1434 1435 1436 1443 1444 1445 1469 1470 1471 1472 1473 1474 1475 1481 6325 7343 7346 7977
        7978 7979""",
    "GB": "117 118 119 120 879 880 882",
}
PIVOT_NUMBERS = {(name, number) for name, numbers in PIVOT_STANDARDS.items() for number in numbers.split()}
ALL_NUMBERS = NUMBERS | PIVOT_NUMBERS
CACHED = 10_000  # names, each of which is asked for several times
STANDARD_NAMES = re.compile(r"(?<![A-Z])(?:EN[ _-]*)?(ISO|DIN|GB)[ _/-]*T?[ _-]*(\d+)")  # in capitals: ISO 4762
FASTENER_NAMES = re.compile(
    r"""(?<![A-Za-z0-9])M\d+(\.\d+)?\s*[x×]\s*\d     # M3x6, M4 x 10
      | (?<![A-Za-z0-9])(\#\d{1,2}-\d\d|(4-40|6-32|8-32|10-24|10-32|(1-4|0\.25)-2[08])(?=\s*[x×])  # #8-32, 10-32 x 0.5
            |(?<=\d)[ _-]*UN[CF](?![A-Za-z]))
      | (?<![A-Za-z])((ANSI|ASME)[ _-]*B[ _-]*(18|27)|JIS[ _-]*B[ _-]*1[0-3]\d\d|BS[ _-]*4168)(?!\d)
      | (?<![А-Яа-яA-Za-z])(ГОСТ|GOST)[ _-]*(Р[ _-]*|R[ _-]*)?
            (1491|5915|5916|5927|6402|7798|7805|7808|10299|11371|11738|17473|17475)(?!\d)
      | -M\d+(\.\d+)?-N\d+                           # catalogue codes that end in two threads
      | (?<![A-Za-z0-9])9\d{4}A\d{3}(?!\d)             # McMaster-Carr: screws, nuts, washers and pins
      | (?<![A-Za-z0-9])BN[ _-]?\d{1,5}(?![A-Za-z0-9])  # Bossard
      | (?<![A-Za-z])(SHCS|BHCS|FHCS|HHCS|HHMS|SSCP)(?![A-Za-z])
      | (?<![A-Za-z])(bolt|screw|nut|washer|rivet|setscrew|capscrew|grub[ _-]?screw|circlip|e-?clip)s?(?![A-Za-z])
      | (schraube|(?<![A-Za-z])mutter|kantmutter|stoppmutter|hutmutter|rändelmutter|unterlegscheibe|federring
            |fächerscheibe|gewindestift|blindniet)n?(?![A-Za-zäöüß])
      | (?<![A-Za-z])(vis|écrou|rondelle|boulon|tornillo|tuerca|arandela|perno|remache|vite|dado|rondella|bullone
            |rosetta|parafuso|porca|arruela|schroef|moer|skruv|bricka|skrue|møtrik|ruuvi|mutteri|aluslevy|śruba
            |wkręt|nakrętka|podkładka|šroub|matice|podložka|csavar|csavaranya|alátét|cıvata|somun
            |șurub|piuliță|șaibă)(?![A-Za-z])
      | (?<![А-Яа-я])(винт|болт|гайка|шайба|шуруп|саморез|заклепка|заклёпка|шпилька)(?![А-Яа-я])
      | ボルト|ナット|ワッシャ|ねじ|ネジ|座金|リベット|螺[丝絲栓母钉釘帽柱]|[垫墊]圈|[铆鉚][钉釘]|볼트|너트|와셔|나사
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Screws and nuts that transmit motion.
DRIVE_NAMES = re.compile(
    r"""(?<![A-Za-z])(ball|roller|lead|feed|power|jack|worm|acme|trapezoidal|trapez(gewinde)?|kugel(gewinde|umlauf)?|spindel|travel+ing)
        [ _-]*(screw|nut|mutter|schraube)s?(?![A-Za-z])
      | (screw|nut)[ _-]*(shaft|spindle|drive|jack|actuator)(?![A-Za-z])
      | (?<![A-Za-z])(vis[ _-]+(à[ _-]+billes|mère)|vite[ _-]+a[ _-]+ricircolo|dado[ _-]+a[ _-]+sfere)
      | ходовой[ _-]+винт|винт[ _-]+(ходовой|воздушн)|ボールねじ|ボールネジ|送りねじ|滚珠丝杠|볼나사""",
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
# Parts that hold others in place and let them turn: pins and shoulder screws.
PIVOT_NAMES = re.compile(
    r"""(?<![A-Za-z])(dowel|pin|rollpin|clevis|(shoulder|stripper)[ _-]*(screw|bolt))s?(?![A-Za-z])
      | (zylinder|kegel|pass|spann|kerb|knebel|feder|steck|gelenk)stift|passschraube
      | (?<![A-Za-zäöüß])(stift|bolzen)(?![A-Za-zäöüß])
      | (?<![A-Za-z])(goupille|pasador|spina|vis[ _-]+(à[ _-]+)?épaul)|штифт
      | ピン|[销銷]|塞打螺|ショルダーボルト|ストリッパーボルト
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Elements of machines that sit in a hole or a groove as fasteners do, and let parts turn, or drive them.
ELEMENT_NAMES = re.compile(
    r"""(?<![A-Za-z])(bearing|bushing|bush|key)s?(?![A-Za-z])|lager(?![A-Za-zäöüß])|passfeder|gleitbuchse
      | (?<![A-Za-z])(roulement|palier|clavette|rodamiento|chaveta|cuscinetto|linguetta|rolamento|łożysko
            |ložisko)(?![A-Za-z])
      | подшипник|шпонк|ベアリング|軸受|轴承|軸承|(?<!六角)キー|平键|베어링
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What a robot stands on. Only asked where nothing is fixed.
BASE_NAMES = re.compile(
    r"""(?<![A-Za-z])(base|baselink|baseplate|frame|mainframe|chassis|pedestal|plinth|ground)(?![A-Za-z])
      | (?<![A-Za-zäöüß])(basis|sockel|gestell|grundgestell|grundplatte|grundrahmen|fahrgestell|maschinenbett)
            (?![A-Za-zäöüß])
      | (?<![A-Za-z])(châssis|bâti|socle|bastidor|chasis|bancada|telaio|basamento)(?![A-Za-z])
      | основание|станина|шасси|ベース|架台|底座|机架|機架|베이스
    """,
    re.IGNORECASE | re.VERBOSE,
)
BASE_LINK = re.compile(r"base[ _-]?link", re.IGNORECASE)
# Turned parts whose rotation matters, however small they are.
MOVING_NAMES = re.compile(
    r"""(?<![A-Za-z])(wheel|roller|pulley|idler|sheave|knob|dial|gear|pinion|sprocket|caster|castor|propeller|prop|rotor
            |impeller|fan|flange|tool|encoder|dis[ck]|crank|handle|drum|spool|reel|turret|turntable|cam|spindle|shaft|axle
            |motor|joint|link|axis|follower|chuck|eccentric|chain|belt|beam|worm)s?(?![A-Za-z])
      | (r(a|ä|ae)d(er)?|rolle|walze|riemenscheibe|ritzel|knopf|griff|flansch|kurbel|trommel|spule|spindel|welle|achse
            |propeller|rotor|kupplung|exzenter|nocken|revolver|teller|kette|riemen|träger|schnecke)n?(?![A-Za-zäöüß])
      | (?<![A-Za-z])(roue|galet|rouleau|poulie|engrenage|pignon|bouton|bride|h[ée]lice|moyeu|rueda|rodillo|polea
            |engranaje|pi[ñn][óo]n|perilla|brida|ruota|rullo|puleggia|ingranaggio|manopola|flangia|elica)s?(?![A-Za-z])
      | колес|ролик|шкив|шестер|фланец|ручк|вал(?![а-я])|ротор|винт[ _]воздуш
      | ローラ|プーリ|ホイール|車輪|歯車|ギア|フランジ|ノブ|シャフト|[轮輪]|[滚滾]|法[兰蘭]|旋[钮鈕]|[轴軸](?![承受])
    """,
    re.IGNORECASE | re.VERBOSE,
)


class NameHint(StrEnum):
    """What the name of a part suggests."""

    NONE = ""
    FIXING = "fixing"  # it only holds: a spacer, a screw
    PIVOT = "pivot"  # it holds, and parts may turn on it: a pin, a shoulder screw
    ELEMENT = "element"  # it is held like a fastener, and is none: a bearing, a key
    MOVING = "moving"  # its rotation matters: a wheel, a gear
    BASE = "base"  # it may be the base of a robot in which nothing is fixed

    @property
    def is_held(self) -> bool:
        """Whether such a part is held in its place, so that its own spin means nothing."""
        return self in (NameHint.FIXING, NameHint.PIVOT, NameHint.ELEMENT)


def find_name_hint(name: str) -> NameHint:
    """What a component's name suggests about it; nothing if it suggests both, as `wheel spacer`."""
    return _find_hint(bare_name(name))


@lru_cache(maxsize=CACHED)
def _find_hint(leaf: str) -> NameHint:
    is_fastener = _is_fastener(leaf)
    is_pivot = bool(PIVOT_NAMES.search(leaf)) or not PIVOT_NUMBERS.isdisjoint(_standards(leaf))
    is_element = bool(ELEMENT_NAMES.search(leaf)) and not is_fastener
    is_held = is_pivot or is_element or is_fastener or bool(FIXING_NAMES.search(leaf))
    without_base = BASE_LINK.sub("base", leaf)  # the link of a robot that does not move
    is_moving = bool(MOVING_NAMES.search(without_base)) or bool(DRIVE_NAMES.search(leaf))
    if is_held == is_moving:
        return NameHint.BASE if not is_held and BASE_NAMES.search(leaf) else NameHint.NONE
    if is_moving:
        return NameHint.MOVING
    if is_pivot:
        return NameHint.PIVOT
    return NameHint.ELEMENT if is_element else NameHint.FIXING


def bare_name(name: str) -> str:
    """The name of a component in its assembly, without the number of the instance."""
    return re.sub(r"-\d+$", "", name.rpartition("/")[2])


def is_named_like_fastener(name: str) -> bool:
    """Whether a component's name matches a fastener pattern; its number at the end is ignored."""
    return _is_fastener(bare_name(name))


@lru_cache(maxsize=CACHED)
def _is_fastener(leaf: str) -> bool:
    is_standard = not ALL_NUMBERS.isdisjoint(_standards(leaf))
    return (is_standard or bool(FASTENER_NAMES.search(leaf))) and not DRIVE_NAMES.search(leaf)


def _standards(leaf: str) -> set[tuple[str, str]]:
    """The standards that a name contains, such as ("ISO", "4762")."""
    return {(name, number) for name, number in STANDARD_NAMES.findall(leaf.upper())}
