"""Mass from SolidWorks: per part and configuration, checked against the mesh, given to the links of a robot."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.capture.index import Index
from swgrm.capture.records import Capture, Component, Document, MassProperties, PartShape
from swgrm.errors import SettingsError
from swgrm.findings import Finding, Severity
from swgrm.inertia import matrix_tensor, tensor_matrix
from swgrm.inference.problem import column_matrix
from swgrm.meshes.agreement import disagreements
from swgrm.meshes.surface import volume_integrals
from swgrm.meshes.tessellation import solid
from swgrm.model import EntityKind, Frame, Inertial, Link, Robot
from swgrm.transforms import inverse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

WATER = 1000.0  # [kg/m³] what SolidWorks assumes for a part without a material


class MassOverride(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a part weighs, whatever SolidWorks says: a mass, or a density."""

    mass: float | None = None  # [kg]
    density: float | None = None  # [kg/m³]


class MassOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a user may decide about mass."""

    parts: Mapping[str, MassOverride] = {}  # by component (`arm-1`, `sub-1/*`) or file name (`arm`, `arm.sldprt`)


class Weighed(NamedTuple):
    """A robot whose links have their masses, and what there is to say."""

    robot: Robot
    findings: tuple[Finding, ...]


def weigh(robot: Robot, capture: Capture, options: MassOptions | None = None) -> Weighed:
    """Give the link of every component the mass of its part; hidden parts weigh, envelopes do not."""
    scale = _Scale(Index(capture), options or MassOptions())
    frames = tuple(scale.frame(frame) for frame in robot.frames)
    scale.must_have_used_all()
    return Weighed(replace(robot, frames=frames), tuple(scale.findings))


class _Scale:
    """Weighs components; each shape is judged once, however many instances it has."""

    def __init__(self, index: Index, options: MassOptions) -> None:
        self.index, self.options = index, options
        self.findings: list[Finding] = []
        self._weighed: dict[tuple[str, str, str], Inertial | None] = {}
        self._used: set[str] = set()
        self._typed_in: dict[str, Component] = {}  # sub-assembly instances whose mass somebody typed in
        for component in index.capture.components:
            shape = index.shape(component) if component.is_assembly else None
            if shape is not None and shape.mass is not None and shape.mass.mass_overridden:
                self._typed_in[component.name] = component

    def say(self, code: str, where: str, message: str, severity: Severity = Severity.WARNING) -> None:
        self.findings.append(Finding(severity, code, where, message))

    def frame(self, frame: Frame) -> Frame:
        entity = frame.entity
        if entity is None or entity.kind is not EntityKind.COMPONENT or entity.path not in self.index.components:
            return frame
        component = self.index.components[entity.path]
        if component.name in self._typed_in:
            return self.sub_assembly(frame, component)
        if not frame.links or self.typed_in_above(component):
            return frame
        inertial = self.component(component)
        first, *others = frame.links
        return frame if inertial is None else replace(frame, links=(replace(first, inertial=inertial), *others))

    def typed_in_above(self, component: Component) -> bool:
        levels = component.name.split("/")
        return any("/".join(levels[:depth]) in self._typed_in for depth in range(1, len(levels)))

    def sub_assembly(self, frame: Frame, component: Component) -> Frame:
        """A sub-assembly whose mass was typed in weighs that as a whole, on its own frame."""
        shape = self.index.shape(component)
        inertial = shape and shape.mass and self.inertial(shape, shape.mass)
        message = "Its mass was typed in for the whole sub-assembly: its parts weigh nothing for themselves."
        self.say("mass-overridden", f"component {component.name}", message, Severity.NOTE)
        link = Link(name=component.name, inertial=inertial or None, entity=frame.entity)
        return replace(frame, links=(*frame.links, link))

    def component(self, component: Component) -> Inertial | None:
        if component.envelope:
            return None
        shape = self.index.shape(component)
        if shape is None or shape.mass is None:
            self.say("mass-unknown", f"component {component.name}", "SolidWorks gave no mass for it; it has none here.")
            return None
        key = (shape.path, shape.configuration, shape.variant)
        if key not in self._weighed:
            self._weighed[key] = self.part(shape, shape.mass, self.index.document(component))
        return self.overridden(component, shape, self._weighed[key])

    def part(self, shape: PartShape, mass: MassProperties, document: Document | None) -> Inertial | None:
        """The inertial of a part in its own space, with what there is to say about it."""
        where = f"part {_file(shape)}" + (f" ({shape.configuration})" if shape.configuration else "")
        material = document.material if document else ""
        bodies = any(body.material for body in shape.bodies)
        if not (material or bodies or mass.mass_overridden) and abs(mass.density - WATER) < 1e-6:
            message = f"It has no material: SolidWorks weighs it as water ({WATER:g} kg/m³). Give it one."
            self.say("density-default", where, message)
        typed_in = [
            name
            for name, is_so in (
                ("mass", mass.mass_overridden),
                ("centre of mass", mass.center_of_mass_overridden),
                ("moments", mass.moments_overridden),
            )
            if is_so
        ]
        if typed_in:
            self.say("mass-overridden", where, f"Typed in by hand: {', '.join(typed_in)}.", Severity.NOTE)
        inertial = self.inertial(shape, mass)
        return self.checked(inertial, shape, mass, where) if shape.triangles else inertial

    def inertial(self, shape: PartShape, mass: MassProperties) -> Inertial:
        through = self.index.components.get(shape.through)
        transform = through.transform if through else None
        return part_inertial(mass, np.eye(4) if transform is None else column_matrix(transform))

    def checked(self, inertial: Inertial, shape: PartShape, mass: MassProperties, where: str) -> Inertial:
        """The inertial, compared with the mesh where nobody typed in the figure."""
        body = solid(shape)
        if not body.is_closed:
            self.say("mesh-open", where, "Its mesh is not closed: mass cannot be checked with it.", Severity.NOTE)
            return inertial
        integrals = volume_integrals(body)
        if mass.mass_overridden and not mass.moments_overridden:
            inertial = _fitted_to_mass(inertial, mass, integrals.tensor)
        skipped = {"mesh-mass"} if mass.mass_overridden else set()
        skipped |= {"mesh-centre"} if mass.center_of_mass_overridden else set()
        skipped |= {"mesh-tensor", "mesh-tensor-sign"} if mass.moments_overridden else set()
        for code, message in disagreements(inertial, integrals, body.size, mass.density):
            if code not in skipped:
                self.say(code, where, message)
        return inertial

    # ---- the user's figures

    def overridden(self, component: Component, shape: PartShape, inertial: Inertial | None) -> Inertial | None:
        """The inertial scaled to the mass or density that the settings give."""
        for pattern, override in self.options.parts.items():
            if any(fnmatchcase(name, pattern) for name in (component.name, _file(shape), _file(shape, stem=True))):
                self._used.add(pattern)
                return inertial and _scaled(inertial, shape, override)
        return inertial

    def must_have_used_all(self) -> None:
        for pattern in self.options.parts:
            if pattern not in self._used:
                raise SettingsError(f"mass.parts: no component or part is called `{pattern}`.")


def part_inertial(mass: MassProperties, T_root_part: Array) -> Inertial:
    """Mass properties, given in root space, in the part's own: I = Aᵀ diag(P) A, axes as rows of A, seen through Rᵀ.

    The principal moments and axes are used because the sign of SolidWorks' products is disputed; I is quadratic in the
    axes, so that a left-handed triple does no harm.
    """
    T_part_root = inverse(T_root_part)
    R = T_part_root[:3, :3]
    A = np.asarray(mass.principal_axes).reshape(3, 3)
    A = A / np.linalg.norm(A, axis=1, keepdims=True)
    tensor = R @ A.T @ np.diag(mass.principal_moments) @ A @ R.T
    x, y, z = (R @ mass.center_of_mass + T_part_root[:3, 3]).tolist()
    return Inertial(mass.mass, (x, y, z), matrix_tensor((tensor + tensor.T) / 2))


def _fitted_to_mass(inertial: Inertial, mass: MassProperties, unit_tensor: Array) -> Inertial:
    """Moments that still are those of the density, although the mass was typed in, scaled to that mass."""
    if inertial.tensor is None or not mass.volume > 0:
        return inertial
    density = float(np.trace(tensor_matrix(inertial)) / np.trace(unit_tensor))
    if abs(density - mass.density) < 0.05 * mass.density:
        return _times(inertial, 1.0, mass.mass / (mass.density * mass.volume))
    return inertial


def _scaled(inertial: Inertial, shape: PartShape, override: MassOverride) -> Inertial:
    if (override.mass is None) == (override.density is None):
        raise SettingsError(f"mass.parts: give {_file(shape)} either a mass or a density.")
    volume = shape.mass.volume if shape.mass else 0.0
    mass = override.mass if override.mass is not None else (override.density or 0.0) * volume
    factor = mass / inertial.mass if inertial.mass else 0.0
    return _times(inertial, factor, factor)


def _times(inertial: Inertial, mass: float, tensor: float) -> Inertial:
    moments = inertial.tensor and matrix_tensor(tensor_matrix(replace(inertial, axes=(0.0, 0.0, 0.0, 1.0))) * tensor)
    return replace(inertial, mass=inertial.mass * mass, tensor=moments)


def _file(shape: PartShape, *, stem: bool = False) -> str:
    path = PureWindowsPath(shape.path)
    return path.stem if stem else path.name
