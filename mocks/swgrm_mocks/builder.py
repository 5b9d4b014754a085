"""A builder of assemblies for the mock. It solves no mates: each component is given its pose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.capture import (
    VERSION,
    AnyFeatureData,
    Capture,
    CaptureSource,
    Component,
    ComponentPattern,
    CustomProperty,
    Document,
    MassProperties,
    Mate,
    MateEntity,
    MirrorFeature,
    PartShape,
    Placement,
    ReferenceGeometry,
    SavedConfiguration,
    document_groups,
    name_order,
    shape_groups,
)
from swgrm.capture.index import SUPPRESSED
from swgrm.transforms import axis_angle_matrix
from swgrm_mocks.mates import LocalEntity, MateBuilder
from swgrm_mocks.solids import Solid

if TYPE_CHECKING:
    from swgrm.transforms import Array

PART, ASSEMBLY = 1, 2
FOLDER = "C:\\Robots\\"
STEEL, ALUMINIUM = ("Plain Carbon Steel", 7800.0), ("6061 Alloy", 2700.0)
UNSET = ("", 1000.0)  # SolidWorks' default density [kg/m³]
IDENTITY = np.eye(4)
WITHOUT_TRANSFORMS = frozenset({"LocalChainPattern"})  # patterns of which SolidWorks reports no transforms


def transform_array(T: Array) -> tuple[float, ...]:
    """A transform as IMathTransform.ArrayData, for row vectors: images of the axes, then the translation."""
    rotation, translation = T[:3, :3].T.ravel(), T[:3, 3]
    return (*(float(x) + 0.0 for x in (*rotation, *translation)), 1.0, 0.0, 0.0, 0.0)  # + 0.0 avoids -0.0


def pose(
    x: float = 0.0, y: float = 0.0, z: float = 0.0, roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0
) -> Array:
    """A transform from a position in metres and fixed-axis angles in degrees, Rz(yaw) Ry(pitch) Rx(roll)."""
    T = np.eye(4)
    for axis, angle in zip(np.eye(3), (roll, pitch, yaw), strict=True):
        T[:3, :3] = axis_angle_matrix(axis, np.radians(angle)) @ T[:3, :3]
    T[:3, 3] = x, y, z
    return T


def colour(red: float, green: float, blue: float, transparency: float = 0.0) -> tuple[float, ...]:
    """An appearance with a colour."""
    return (red, green, blue, 1.0, 1.0, 0.5, 0.3, transparency, 0.0)


def without_overrides(mass: MassProperties) -> MassProperties:
    """Mass properties in a configuration that is not active, of which SolidWorks reports no overrides."""
    return msgspec.structs.replace(mass, mass_overridden=None, center_of_mass_overridden=None, moments_overridden=None)


def _plane(first: tuple[float, ...], second: tuple[float, ...], normal: tuple[float, ...]) -> Array:
    """The frame of a plane with these axes."""
    T = np.eye(4)
    T[:3, :3] = np.transpose([first, second, normal])
    return T


_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TEMPLATES = {  # the default planes of SolidWorks' two templates, as live SolidWorks 2026 returned their axes
    "y up": {
        "Front Plane": _plane(_X, _Y, _Z),
        "Top Plane": _plane(_X, (0.0, 0.0, -1.0), _Y),
        "Right Plane": _plane((0.0, 0.0, -1.0), _Y, _X),
    },
    "z up": {
        "Front Plane": _plane(_Y, _Z, _X),
        "Top Plane": _plane(_X, _Y, _Z),
        "Right Plane": _plane(_X, _Z, (0.0, -1.0, 0.0)),
    },
}


class File:
    """The base class of parts and assemblies: reference geometry, beginning with the default planes, and properties."""

    extension = ""

    def __init__(self, name: str, template: str = "y up") -> None:
        self.name = name
        self.path = f"{FOLDER}{name}.{self.extension}"
        self.geometry: list[ReferenceGeometry] = []
        self.properties: list[CustomProperty] = []
        self.appearance: tuple[float, ...] | None = None
        self._features = 0
        for plane, T in TEMPLATES[template].items():
            self._add("plane", plane, transform_array(T), default=True)
        self._add("origin", "Origin", (), default=True)

    def coordinate_system(self, name: str, T: Array) -> None:
        """Adds a coordinate system."""
        self._add("coordinateSystem", name, transform_array(T))

    def plane(self, name: str, T: Array) -> None:
        """Adds a reference plane; z of the transform is its normal."""
        self._add("plane", name, transform_array(T))

    def axis(self, name: str, start: Any, end: Any) -> None:
        """Adds a reference axis."""
        self._add("axis", name, _floats((*start, *end)))

    def point(self, name: str, at: Any) -> None:
        """Adds a reference point."""
        self._add("point", name, _floats(at))

    def custom_property(self, name: str, value: str, *, resolved: str = "", of_configuration: bool = False) -> None:
        """Adds a custom property with a text value."""
        self.properties.append(CustomProperty(name, value, resolved or value, 30, of_configuration))

    def painted(self, appearance: tuple[float, ...]) -> Any:
        """Sets the appearance of the file."""
        self.appearance = appearance
        return self

    def next_id(self) -> int:
        """The identifier of the next feature in the tree."""
        self._features += 1
        return self._features

    def _add(self, kind: Any, name: str, numbers: tuple[float, ...], *, default: bool = False) -> None:
        number = self.next_id()
        self.geometry.append(ReferenceGeometry(kind, name, number, make_persistent_id(number, name), numbers, default))


class Part(File):
    """A part file: a solid for each configuration, a material, and optionally an overridden mass."""

    extension = "SLDPRT"

    def __init__(self, name: str, solid: Solid | None = None, material: tuple[str, float] = UNSET) -> None:
        super().__init__(name)
        self.solids: dict[str, Solid | None] = {"Default": solid}
        self.material, self.density = material
        self.toolbox = 0
        self.overrides: dict[str, Any] = {}
        self.mirror_of = ""

    def configuration(self, name: str, solid: Solid | None) -> Part:
        """Adds a configuration."""
        self.solids[name] = solid
        return self

    def from_toolbox(self) -> Part:
        """Marks it as a standard part of SolidWorks Toolbox."""
        self.toolbox = 1
        return self

    def override_mass(self, mass: float) -> Part:
        """Overrides its mass, in kg."""
        self.overrides = {"mass": mass, "mass_overridden": True}
        return self

    def mirror_image(self, name: str, reflection: Array) -> Part:
        """The part of the opposite hand, as SolidWorks makes it: without material and overrides."""
        solid = self.solids["Default"]
        image = Part(name, solid.reflected(reflection) if solid else None)
        image.mirror_of = self.path
        return image

    def document(self, configuration: str) -> Document:
        """Its record in a configuration."""
        return Document(
            self.path, configuration, PART, next(iter(self.solids)), self.toolbox, self.material,
            "solidworks materials" if self.material else "", self.appearance, tuple(self.properties),
            tuple(self.geometry), mirror_of=self.mirror_of,
        )  # fmt: skip

    def mass(self, configuration: str, T_root_part: Array) -> MassProperties | None:
        """Its mass properties at the pose of a component, in root coordinates."""
        solid = self.solids[configuration]
        mass = solid.mass_properties(self.density, T_root_part) if solid else None
        mass = msgspec.structs.replace(mass, **self.overrides) if mass else None
        is_active = configuration == next(iter(self.solids))
        return mass if is_active or mass is None else without_overrides(mass)

    def shape(self, configuration: str, variant: str, through: str, T_root_part: Array) -> PartShape:
        """Its mass and bodies as read through a component."""
        solid, mass = self.solids[configuration], self.mass(configuration, T_root_part)
        bodies = (solid.body("Boss-Extrude1"),) if solid else ()
        return PartShape(
            self.path, configuration, variant, through, mass, bodies, solid.tessellation() if solid else b""
        )


class AssemblyComponent:
    """A component of an assembly, created by Assembly.part or Assembly.sub."""

    def __init__(self, name: str, file: Part | Assembly, T: Array, number: int, configuration: str) -> None:
        self.name, self.file, self.T_assembly_self, self.number = name, file, T, number
        self.configuration = configuration
        self.is_fixed = False
        self.poses: dict[str, Array] = {}  # of the parts of a flexible sub-assembly, in its coordinates
        self.states: dict[str, Any] = {}
        self.cut: Part | None = None  # its part as a feature of the assembly left it

    def fixed(self) -> AssemblyComponent:
        """Fixes the component at its pose."""
        self.is_fixed = True
        return self

    def state(self, **states: Any) -> AssemblyComponent:
        """Sets any fields of its record, such as suppression=1, visible=0 or envelope=True."""
        self.states |= states
        return self

    def flexible(self, **poses: Array) -> AssemblyComponent:
        """Makes the sub-assembly flexible, with poses of its parts that differ from those in its file."""
        self.states["solving"] = 1
        self.poses = {name.replace("_1", "-1"): T for name, T in poses.items()}
        return self

    def placement(self) -> Placement:
        """Its placement in the assembly; without a transform while it is suppressed."""
        has_pose = self.states.get("suppression") != SUPPRESSED
        return Placement(self.name, transform_array(self.T_assembly_self) if has_pose else None, self.is_fixed)

    def at(self, entity: LocalEntity) -> MateEntity:
        """An entity of this component in the coordinates of the assembly, as mates need it."""
        return entity.of(self.name, self.T_assembly_self)

    def __truediv__(self, name: str) -> AssemblyComponent:
        """A component of this sub-assembly in the outer assembly: sub / "part-1"."""
        assert isinstance(self.file, Assembly)  # noqa: S101 - a part has no components
        inner = next(child for child in self.file.children if child.name == name)
        T_sub_inner = self.poses.get(name, inner.T_assembly_self)
        T = self.T_assembly_self @ T_sub_inner
        deep = AssemblyComponent(f"{self.name}/{name}", inner.file, T, inner.number, inner.configuration)
        deep.poses, deep.states = inner.poses, inner.states
        return deep


class PlacedComponent(NamedTuple):
    """A component in the tree of the root assembly."""

    record: Component
    component: AssemblyComponent
    T_root_self: Array


class Assembly(File, MateBuilder):
    """An assembly file: components, mates and reference geometry."""

    extension = "SLDASM"

    def __init__(
        self, name: str, configuration: str = "Default", revision: str = "34.1.0", template: str = "y up"
    ) -> None:
        super().__init__(name, template)
        self.configuration, self.revision = configuration, revision
        self.children: list[AssemblyComponent] = []
        self.mates: list[Mate] = []
        self.mirrors: list[MirrorFeature] = []
        self.patterns: list[ComponentPattern] = []
        self.mass_override: float | None = None
        self.linear_unit = 0  # swLengthUnit_e: millimetres
        self.saved_configurations: list[SavedConfiguration] = []
        self._counts: Counter[str] = Counter()
        self._mates_by_component: dict[str, set[str]] = {}

    def part(
        self, part: Part | str, T: Array = IDENTITY, configuration: str = "Default", name: str = ""
    ) -> AssemblyComponent:
        """Inserts a part; a name creates an empty part."""
        return self._insert(Part(part) if isinstance(part, str) else part, T, configuration, name)

    def sub(self, assembly: Assembly, T: Array = IDENTITY) -> AssemblyComponent:
        """Inserts a rigid sub-assembly."""
        return self._insert(assembly, T, assembly.configuration, "").state(solving=0)

    def _insert(self, file: Part | Assembly, T: Array, configuration: str, name: str) -> AssemblyComponent:
        name = name or file.name
        self._counts[name] += 1
        component = AssemblyComponent(f"{name}-{self._counts[name]}", file, T, len(self.children) + 1, configuration)
        self.children.append(component)
        return component

    def mate(
        self, kind: int | None, feature_type: str, *entities: MateEntity, data: AnyFeatureData | None = None,
        name: str = "", **fields: Any,
    ) -> Mate:  # fmt: skip
        """Adds a mate of any type."""
        number = self.next_id()
        name = name or f"{feature_type.removeprefix('Mate')}{number}"
        mate = Mate(
            name,
            feature_type,
            number,
            make_persistent_id(number, name),
            None if kind is None else int(kind),
            entities=entities,
            data=data,
            **fields,
        )
        self.mates.append(mate)
        for entity in entities:
            self._mates_by_component.setdefault(entity.component or "", set()).add(name)
        return mate

    def folder(self, name: str, *mates: Mate) -> None:
        """Puts mates into a mate folder, which comes after the other mates; "a/b" is a folder in a folder."""
        names = {mate.name for mate in mates}
        others = [mate for mate in self.mates if mate.name not in names]
        self.mates = others + [replace(mate, folder=name) for mate in self.mates if mate.name in names]

    def mirror(
        self, T_plane: Array, *copied: AssemblyComponent, opposite_hand: tuple[AssemblyComponent, ...] = (),
        name: str = "", **fields: Any,
    ) -> MirrorFeature:  # fmt: skip
        """Adds a mirror component feature about a plane, whose normal is the z of its pose; it places no images."""
        number = self.next_id()
        name = name or f"MirrorComponent{number}"
        numbers = transform_array(T_plane)
        sources = (tuple(sorted(c.name for c in found)) for found in (copied, opposite_hand))
        feature = MirrorFeature(name, number, make_persistent_id(number, name), False, numbers, *sources)
        self.mirrors.append(msgspec.structs.replace(feature, **fields))
        return self.mirrors[-1]

    def pattern(
        self, seeds: Sequence[AssemblyComponent], shifts: Sequence[Array], feature_type: str = "LocalLPattern",
        name: str = "", **fields: Any,
    ) -> list[AssemblyComponent]:  # fmt: skip
        """Adds a component pattern: for each shift M of the assembly's space, an instance of every seed at M T_seed."""
        instances = []
        for M in shifts:
            for seed in seeds:
                instance = self._insert(seed.file, M @ seed.T_assembly_self, seed.configuration, "")
                instance.state(pattern_instance=True, solving=seed.states.get("solving", -1))
                instances.append(instance)
        self.pattern_of(seeds, instances, shifts, feature_type, name, **fields)
        return instances

    def pattern_of(
        self, seeds: Sequence[AssemblyComponent], instances: Sequence[AssemblyComponent], shifts: Sequence[Array] = (),
        feature_type: str = "LocalLPattern", name: str = "", **fields: Any,
    ) -> ComponentPattern:  # fmt: skip
        """Adds the feature of a component pattern whose instances are there already."""
        number = self.next_id()
        name = name or f"{feature_type}{number}"
        has_transforms = len(seeds) > 1 and feature_type not in WITHOUT_TRANSFORMS
        feature = ComponentPattern(
            name,
            feature_type,
            number,
            make_persistent_id(number, name),
            seeds=tuple(seed.name for seed in seeds),
            instances=tuple(instance.name for instance in instances),
            transforms=tuple(transform_array(M) for M in shifts) if has_transforms else (),
        )
        self.patterns.append(msgspec.structs.replace(feature, **fields))
        return self.patterns[-1]

    def saved_configuration(
        self, data: str, version: float = 1.4, name: str = "URDF Export Configuration (v1.4)"
    ) -> None:
        """Adds the attribute in which the classic URDF exporter saves its configuration."""
        self.saved_configurations.append(SavedConfiguration(name, data, version))

    def mates_of(self, component: str) -> set[str]:
        """The names of the mates of a component."""
        return self._mates_by_component.get(component, set())

    def override_mass(self, mass: float) -> Assembly:
        """Overrides the mass of the assembly, in kg."""
        self.mass_override = mass
        return self

    def document(self, configuration: str) -> Document:
        """Its record."""
        typed_mates = [mate for mate in self.mates if mate.type is not None]  # in-place mates have no placements
        named = {entity.component for mate in typed_mates for entity in mate.entities if entity.component}
        placements = {child.name: child.placement() for child in self.children}
        for name in sorted(named - set(placements)):
            sub, _, inner = name.partition("/")
            placements[name] = self._deep(sub, inner).placement()
        return Document(
            self.path, configuration, ASSEMBLY, self.configuration, 0, "", "", self.appearance,
            tuple(self.properties), tuple(self.geometry),
            tuple(placements[name] for name in sorted(placements, key=name_order)), tuple(self.mates), self.linear_unit,
            tuple(self.mirrors), tuple(self.saved_configurations), patterns=tuple(self.patterns),
        )  # fmt: skip

    def _deep(self, sub: str, inner: str) -> AssemblyComponent:
        component = next(child for child in self.children if child.name == sub)
        for name in inner.split("/"):
            component = component / name
        return component

    def placed(self) -> list[PlacedComponent]:
        """The components at every depth, sorted."""
        return sorted(self._placed("", IDENTITY, {}, []), key=lambda placed: name_order(placed.record.name))

    def _placed(
        self, above: str, T_root_self: Array, poses: dict[str, Array], outer: list[tuple[str, Assembly]]
    ) -> Iterator[PlacedComponent]:
        levels = [*outer, (above, self)]
        for child in self.children:
            name = f"{above}/{child.name}" if above else child.name
            T_root_child = T_root_self @ poses.get(child.name, child.T_assembly_self)
            record = _component(name, child, T_root_child, levels)
            yield PlacedComponent(record, child, T_root_child)
            if isinstance(child.file, Assembly) and record.suppression:
                yield from child.file._placed(name, T_root_child, child.poses, levels)  # noqa: SLF001 - same class

    def capture(self) -> Capture:
        """The capture that reading the assembly from SolidWorks would give."""
        placed = self.placed()
        by_name = {item.record.name: item for item in placed}
        records = [item.record for item in placed]
        documents = [self.document(self.configuration)]
        for (_, configuration), record in document_groups(records).items():
            documents.append(by_name[record.name].component.file.document(configuration))
        source = CaptureSource(self.path, f"{self.name}.SLDASM", self.configuration, ASSEMBLY, self.revision, 5, False)
        return Capture(
            VERSION,
            source,
            tuple(records),
            tuple(sorted(documents, key=lambda d: (d.path, d.configuration))),
            tuple(sorted(_shapes(placed), key=lambda s: (s.path, s.configuration, name_order(s.variant)))),
        )


def _shapes(placed: list[PlacedComponent]) -> Iterator[PartShape]:
    by_name = {item.record.name: item for item in placed}
    records = [item.record for item in placed]
    heavy = [r for r in records if r.is_assembly and by_name[r.name].component.file.mass_override is not None]  # type: ignore[union-attr] # an assembly
    for (path, configuration), record in document_groups(heavy).items():
        mass = _total_mass(by_name[record.name])
        yield PartShape(path, configuration, through=record.name, mass=mass)
    for (_, configuration, variant), record in shape_groups(records, {r.name for r in heavy}).items():
        item = by_name[record.name]
        part = item.component.cut or item.component.file
        assert isinstance(part, Part)  # noqa: S101 - shape_groups returns parts only
        yield part.shape(configuration, variant, record.name, item.T_root_self)


def _total_mass(item: PlacedComponent) -> MassProperties:
    """The mass properties of an assembly with an overridden mass, at uniform density."""
    assembly = item.component.file
    assert isinstance(assembly, Assembly)  # noqa: S101 - called for assemblies only
    solids = [
        inner.component.file.solids[inner.component.configuration].moved(inner.T_root_self)  # type: ignore[union-attr]
        for inner in assembly.placed()
        if isinstance(inner.component.file, Part) and inner.component.file.solids[inner.component.configuration]
    ]
    whole = Solid(tuple(surface for solid in solids for surface in solid.surfaces))
    mass = whole.mass_properties(1.0, item.T_root_self)
    factor = (assembly.mass_override or 0.0) / mass.mass
    heavy = whole.mass_properties(factor, item.T_root_self)
    return msgspec.structs.replace(heavy, mass=assembly.mass_override, mass_overridden=True)


def _component(name: str, child: AssemblyComponent, T: Array, levels: list[tuple[str, Assembly]]) -> Component:
    fields: dict[str, Any] = {
        "name": name,
        "path": child.file.path,
        "configuration": child.configuration,
        "id": child.number,
        "persistent_id": make_persistent_id(child.number, name),
        "suppression": 3,
        "visible": 1,
        "solving": -1,
        "transform": transform_array(T),
        "mates": _mate_names(name, levels),
    }
    record = Component(**(fields | child.states))
    if record.assembly_features and not _has_bodies(child, record):
        record = msgspec.structs.replace(record, assembly_features=False)  # nothing can be cut
    return msgspec.structs.replace(record, transform=None) if record.suppression == SUPPRESSED else record


def _has_bodies(child: AssemblyComponent, record: Component) -> bool:
    is_loaded = isinstance(child.file, Part) and record.suppression != SUPPRESSED
    return is_loaded and child.file.solids[child.configuration] is not None  # type: ignore[union-attr] # a part


def _mate_names(name: str, levels: list[tuple[str, Assembly]]) -> tuple[str, ...]:
    """The names of the component's mates in its parent assembly and all assemblies above."""
    found = set()
    for above, assembly in levels:
        local = name.removeprefix(above).lstrip("/") if above else name
        found |= assembly.mates_of(local)
    return tuple(sorted(found))


def make_persistent_id(number: int, name: str) -> bytes:
    """A persistent id as SolidWorks makes them: opaque bytes that contain the name in UTF-16."""
    return number.to_bytes(4, "little") + name.encode("utf-16-le")


def _floats(numbers: Any) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)
