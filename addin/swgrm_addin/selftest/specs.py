"""What an assembly of the self-test consists of: components, mates, motions, and the truth that its builder knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_addin.selftest.entities import Entity

ALIGNED, ANTI_ALIGNED, CLOSEST = range(3)  # swMateAlign_e; CLOSEST: what the present poses are nearest to
INCH, MILLIMETRE = 3, 0  # swLengthUnit_e
SECOND = "B"  # the name of a second configuration


class MateKind(NamedTuple):
    """A mate type: its number, the interface of its data, and whether its data has an alignment."""

    number: int
    interface: str
    is_aligned: bool = False


KINDS: Mapping[str, MateKind] = {
    "coincident": MateKind(Sw.swMateCOINCIDENT, "ICoincidentMateFeatureData", True),
    "concentric": MateKind(Sw.swMateCONCENTRIC, "IConcentricMateFeatureData", True),
    "perpendicular": MateKind(Sw.swMatePERPENDICULAR, "IPerpendicularMateFeatureData"),
    "parallel": MateKind(Sw.swMatePARALLEL, "IParallelMateFeatureData", True),
    "tangent": MateKind(Sw.swMateTANGENT, "ITangentMateFeatureData", True),
    "distance": MateKind(Sw.swMateDISTANCE, "IDistanceMateFeatureData", True),
    "angle": MateKind(Sw.swMateANGLE, "IAngleMateFeatureData", True),
    "symmetric": MateKind(Sw.swMateSYMMETRIC, "ISymmetricMateFeatureData", True),
    "cam": MateKind(Sw.swMateCAMFOLLOWER, "ICamFollowerMateFeatureData", True),
    "gear": MateKind(Sw.swMateGEAR, "IGearMateFeatureData"),
    "width": MateKind(Sw.swMateWIDTH, "IWidthMateFeatureData"),
    "rack": MateKind(Sw.swMateRACKPINION, "IRackPinionMateFeatureData"),
    "lock": MateKind(Sw.swMateLOCK, "ILockMateFeatureData"),
    "screw": MateKind(Sw.swMateSCREW, "IScrewMateFeatureData", True),
    "coupler": MateKind(Sw.swMateLINEARCOUPLER, "ILinearCouplerMateFeatureData"),
    "universal": MateKind(Sw.swMateUNIVERSALJOINT, "IUniversalJointMateFeatureData"),
    "coordinate": MateKind(Sw.swMateCOORDINATE, "ICoincidentMateFeatureData"),
    "slot": MateKind(Sw.swMateSLOT, "ISlotMateFeatureData", True),
    "hinge": MateKind(Sw.swMateHINGE, "IHingeMateFeatureData", True),
    "profile": MateKind(Sw.swMatePROFILECENTER, "IProfileCenterMateFeatureData", True),
}


class Picked(NamedTuple):
    """Entities for a property of a mate's data; `number` for a property with an index."""

    name: str
    entities: tuple[Entity, ...]
    number: int | None = None
    is_single: bool = False  # the property takes an object, not an array


class MateRecipe(NamedTuple):
    """A mate to create: its kind, what it selects, and the values of its data, in the order in which they are set."""

    kind: str
    picked: tuple[Picked, ...]
    values: tuple[tuple[str, float | bool], ...] = ()


class At(NamedTuple):
    """A pose: position [m], and rotations about the fixed axes x, y, z in this order [deg]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    turn_x: float = 0.0
    turn_y: float = 0.0
    turn_z: float = 0.0


class ComponentSpec(NamedTuple):
    """A component: a part, or an assembly of the self-test, and its state."""

    name: str  # Name2, such as "lever-1"
    pose: At = At()
    fixed: bool = False
    flexible: bool = False
    state: str = ""  # "suppressed", "lightweight", "hidden" or "envelope"
    configuration: str = ""  # of its file; "": the active one

    @property
    def file(self) -> str:
        """The part or assembly that it is an occurrence of."""
        return self.name.rpartition("-")[0]


class Drive(NamedTuple):
    """Values that a distance or angle mate is set to, one after the other [m or rad].

    `mate` is added after the assembly was captured; None: the last mate of the assembly itself is driven.
    """

    mate: MateRecipe | None
    property: str  # "Distance" or "Angle"
    values: tuple[float, ...]


class MotionTrial(NamedTuple):
    """A component that its mates may hold, driven beside a control, which is mated and known to be free.

    Both mates are added after the assembly was captured, with the values that they have then.
    """

    mate: MateRecipe
    control: MateRecipe
    property: str  # "Distance" or "Angle"
    change: float  # of both [m or rad]
    pose: At  # where the component goes if it is free, relative to where it is, in the assembly's axes


class Freedom(NamedTuple):
    """The degrees of freedom of a component against the base: of rotation, and in total."""

    rotations: int
    total: int


class Position(NamedTuple):
    """Where a component is once the mates hold: by what their numbers may mean, its origin [m]; None is not judged."""

    component: str
    places: Mapping[str, tuple[float | None, float | None, float | None]]


class Pattern(NamedTuple):
    """A linear pattern of a component along an edge."""

    component: str
    edge: Entity
    spacing: float  # [m]
    total: int  # with the component itself


class MirrorImage(NamedTuple):
    """The copy of a component on the other side of a plane."""

    component: str
    plane: Entity


class AssemblyCut(NamedTuple):
    """A hole through one component only, drawn on the plane of the assembly's x and y."""

    component: str
    x: float
    y: float
    radius: float


AssemblyFeature = Pattern | MirrorImage | AssemblyCut


class AssemblySpec(NamedTuple):
    """An assembly of the self-test."""

    id: str  # such as "A6.radii"
    title: str
    settles: str  # the questions of the field check that it answers
    components: tuple[ComponentSpec, ...]
    mates: tuple[MateRecipe, ...] = ()
    drives: tuple[Drive, ...] = ()
    trials: tuple[MotionTrial, ...] = ()
    truth: Mapping[str, Freedom] = {}
    limits: Mapping[str, tuple[float, float]] = {}  # of a component's one joint: how far it may move [m or rad]
    positions: tuple[Position, ...] = ()
    conventions: tuple[str, ...] = ()  # whose choices its motions distinguish
    features: tuple[AssemblyFeature, ...] = ()
    instances: tuple[str, ...] = ()  # the components that its features make
    probes: tuple[str, ...] = ()  # questions about it, by their names in `probing.PROBES`
    unit: int = MILLIMETRE
    is_kept: bool = False  # open until the end, because other assemblies contain it
    has_folder: bool = False  # around its mates
    virtual_on: Entity | None = None  # the face that a new virtual part is created on
    loosened: int | None = None  # the number of the mate that its second configuration suppresses
    selected: str = ""  # the component that the user has selected while it is captured
    mass: float | None = None  # [kg] set by the user

    @property
    def file(self) -> str:
        """The name of its document, without ending."""
        return self.id.replace(".", "_")


class Unsettled(NamedTuple):
    """What the self-test leaves open, and why."""

    id: str
    title: str
    settles: str
    reason: str
