"""Gives the links of a robot the mass properties of SolidWorks, compared with the mesh of each part."""

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
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Finding, Findings
from swgrm.mass.inertia import matrix_tensor, tensor_matrix
from swgrm.mass.inertia_choice import chosen_tensor, part_inertial
from swgrm.mass.sources import WATER, is_without_material, mirror_inertial, settle_overrides
from swgrm.meshes.agreement import QUANTITIES, report_box, report_disagreements
from swgrm.meshes.cache import Cache
from swgrm.meshes.solids import WeldedSolid, solid
from swgrm.meshes.surface import Integrals, Surface
from swgrm.model import EntityKind, Frame, Inertial, Link, Robot, Tensor
from swgrm.model.references import rigid_below
from swgrm.settings.units import Density, Mass
from swgrm.transforms import column_matrix

if TYPE_CHECKING:
    from swgrm.transforms import Array

SURFACES = 128 << 20  # [bytes] of welded surfaces that are kept for the meshes


class MassOverride(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The mass or the density of a part, instead of that from SolidWorks."""

    mass: Mass | None = None  # [kg]
    density: Density | None = None  # [kg/m³]


class LinkInertia(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The mass properties of a whole link, in its frame, instead of those of its parts."""

    mass: Mass  # [kg]
    center_of_mass: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m]
    inertia: tuple[float, float, float, float, float, float] | None = None  # ixx, ixy, ixz, iyy, iyz, izz [kg m²]


class MassOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a user may decide about mass."""

    parts: Mapping[str, MassOverride] = {}  # by component (`arm-1`, `sub-1/*`) or file name (`arm`, `arm.sldprt`)
    links: Mapping[str, LinkInertia] = {}  # by link


class WeighedPart(NamedTuple):
    """The inertial of a part in its own space, and what was found about it; no setting changes either."""

    inertial: Inertial | None
    findings: tuple[Finding, ...]
    surface: Surface | None = None  # the welded triangles, for the meshes; None if not kept, or if nothing was welded


WeighedParts = dict[tuple[str, str, str], WeighedPart]  # by path, configuration and variant


def weigh(
    robot: Robot,
    capture: Capture,
    options: MassOptions | None,
    findings: Findings,
    weighed: WeighedParts | None = None,
    cache: Cache | None = None,
) -> Robot:
    """The robot with the mass of each component's part on its link; hidden parts have mass, envelopes do not.

    `weighed` has the parts of the same capture that were weighed before; the others are added to it.
    """
    known = {} if weighed is None else weighed
    scale = _Scale(Index(capture), options or MassOptions(), findings, known, cache or Cache(None))
    frames = tuple(scale.frame(frame) for frame in robot.frames)
    scale.must_have_used_all()
    return with_link_inertias(replace(robot, frames=frames), (options or MassOptions()).links)


def with_link_inertias(robot: Robot, links: Mapping[str, LinkInertia]) -> Robot:
    """The robot with other mass properties of whole links: those of all rigid frames below a link's frame are gone."""
    for name, given in links.items():
        at = ("mass", "links", name)
        if name not in robot.by_id:
            raise SettingsError(f"There is no link `{name}`.{nearest(name, [*robot.by_id])}", at)
        own = Inertial(given.mass, given.center_of_mass, given.inertia and Tensor(*given.inertia))
        changed = {frame.id: _reweighed(frame, name) for frame in rigid_below(robot, name)}
        changed[name] = _reweighed(robot.frame(name), name, own)
        robot = replace(robot, frames=tuple(changed.get(frame.id, frame) for frame in robot.frames))
    return robot


def _reweighed(frame: Frame, body: str, own: Inertial | None = None) -> Frame:
    """The frame with links without mass; with `own` on the first link, or on one that is added and called as the body.

    A part's link that has the name of the body gives it up.
    """
    links = tuple(
        replace(link, inertial=None, name=frame.id if link.name == body else link.name) for link in frame.links
    )
    if own is None:
        return replace(frame, links=links)
    first, *others = links or (Link(name=frame.id),)
    return replace(frame, links=(replace(first, inertial=own), *others))


class _Scale:
    """Weighs components; each shape is compared with its mesh once, however many instances it has."""

    def __init__(
        self, index: Index, options: MassOptions, findings: Findings, weighed: WeighedParts, cache: Cache
    ) -> None:
        self.index, self.options, self.findings, self.cache = index, options, findings, cache
        self._weighed = weighed
        self._room = SURFACES
        self._reported: set[tuple[str, str, str]] = set()
        self._used: set[str] = set()
        self._entered: dict[str, Component] = {}  # sub-assembly instances whose mass was entered by hand
        for component in index.capture.components:
            shape = index.shape(component) if component.is_assembly else None
            if shape is not None and shape.mass is not None and shape.mass.mass_overridden:
                self._entered[component.name] = component

    def frame(self, frame: Frame) -> Frame:
        entity = frame.entity
        if entity is None or entity.kind is not EntityKind.COMPONENT or entity.path not in self.index.components:
            return frame
        component = self.index.components[entity.path]
        if component.name in self._entered:
            return self.sub_assembly(frame, component)
        if not frame.links or self.entered_above(component):
            return frame
        inertial = self.component(component)
        first, *others = frame.links
        return frame if inertial is None else replace(frame, links=(replace(first, inertial=inertial), *others))

    def entered_above(self, component: Component) -> bool:
        levels = component.name.split("/")
        return any("/".join(levels[:depth]) in self._entered for depth in range(1, len(levels)))

    def sub_assembly(self, frame: Frame, component: Component) -> Frame:
        """The frame of a sub-assembly whose mass was entered by hand, with a link of that mass."""
        shape = self.index.shape(component)
        inertial = shape and shape.mass and self.inertial(shape, shape.mass)
        self.findings.add("mass-of-assembly", f"component {component.name}")
        link = Link(name=component.name, inertial=inertial or None, entity=frame.entity)
        return replace(frame, links=(*frame.links, link))

    def component(self, component: Component) -> Inertial | None:
        if component.envelope:
            return None
        shape = self.index.shape(component)
        mass = (shape.mass or shape.legacy_mass) if shape is not None else None
        if shape is None or mass is None:
            self.findings.add("mass-unknown", f"component {component.name}")
            return None
        key = (shape.path, shape.configuration, shape.variant)
        if key not in self._weighed:
            found = self.findings.fresh()
            body = solid(shape, self.cache) if shape.triangles else None
            inertial = self.part(shape, mass, self.index.document(component), body, found)
            self._weighed[key] = WeighedPart(inertial, tuple(found), self.kept(body))
        if key not in self._reported:
            self._reported.add(key)
            self.findings.extend(self._weighed[key].findings)
        return self.overridden(component, shape, self._weighed[key].inertial)

    def kept(self, body: WeldedSolid | None) -> Surface | None:
        """The surface of a solid, as long as there is room for it."""
        surface = body.surface if body is not None else None
        size = surface.vertices.nbytes + surface.faces.nbytes if surface is not None else 0
        if size > self._room:
            return None
        self._room -= size
        return surface

    def part(
        self,
        shape: PartShape,
        mass: MassProperties,
        document: Document | None,
        body: WeldedSolid | None,
        findings: Findings,
    ) -> Inertial | None:
        """The inertial of a part in its own space."""
        where = f"part {_file(shape)}" + (f" ({shape.configuration})" if shape.configuration else "")
        integrals = body.integrals if body is not None else None
        mass = settle_overrides(shape, mass, self.placement(shape), body, where, findings)
        shape = replace(shape, mass=mass) if shape.mass is not None else shape
        has_no_material = is_without_material(shape, mass, document)
        source = self.source_of_mirror(document) if has_no_material else None
        if has_no_material and source is None:
            self.report_water(document, where, findings)
        entered = [
            name
            for name, is_so in (
                ("mass", mass.mass_overridden),
                ("centre of mass", mass.center_of_mass_overridden),
                ("moments", mass.moments_overridden),
            )
            if is_so
        ]
        if entered:
            findings.add("mass-overridden", where, quantities=", ".join(entered))
        if body is not None:
            report_box(shape, where, findings)
        inertial = chosen_tensor(shape, self.placement(shape), integrals, where, findings)
        if inertial is not None and source is not None:
            return self.mirrored(inertial, integrals, source, where, findings)
        if body is None or inertial is None:
            return inertial
        return self.checked(inertial, body, mass, where, findings)

    def report_water(self, document: Document | None, where: str, findings: Findings) -> None:
        """Report a part that has the density of water because it has no material, or because it was mirrored."""
        if document is not None and document.mirror_of:
            source = PureWindowsPath(document.mirror_of).name
            findings.add("mirror-without-material", where, source=source, density=WATER)
        else:
            findings.add("density-default", where, density=WATER)

    def source_of_mirror(self, document: Document | None) -> PartShape | None:
        """The part whose mirror image a document is, if it is in the assembly and does not weigh as water itself."""
        if document is None or not document.mirror_of:
            return None
        for component in self.index.capture.components:
            if PureWindowsPath(component.path) == PureWindowsPath(document.mirror_of):
                shape = self.index.shape(component)
                if shape is None or shape.mass is None:
                    continue
                if not is_without_material(shape, shape.mass, self.index.document(component)):
                    return shape
        return None

    def mirrored(
        self, own: Inertial, own_mesh: Integrals | None, source: PartShape, where: str, findings: Findings
    ) -> Inertial:
        """The inertial of the part whose mirror image a part is, as seen in the mirror."""
        body = solid(source, self.cache) if source.triangles else None
        mesh = body.integrals if body is not None else None
        original = chosen_tensor(source, self.placement(source), mesh, where, findings.fresh())
        if original is None:
            return own
        findings.add("mirror-mass", where, source=_file(source), own=own.mass, mass=original.mass)
        return mirror_inertial(original, own, own_mesh, mesh)

    def placement(self, shape: PartShape) -> Array:
        through = self.index.components.get(shape.through)
        transform = through.transform if through else None
        return np.eye(4) if transform is None else column_matrix(transform)

    def inertial(self, shape: PartShape, mass: MassProperties) -> Inertial:
        return part_inertial(mass, self.placement(shape))

    def checked(
        self,
        inertial: Inertial,
        body: WeldedSolid,
        mass: MassProperties,
        where: str,
        findings: Findings,
    ) -> Inertial:
        """The inertial, after comparing with the mesh what was not entered by hand."""
        integrals = body.integrals
        if integrals is None:
            findings.add("mass-unchecked", where)
            return inertial
        if mass.mass_overridden and not mass.moments_overridden:
            inertial = _fitted_to_mass(inertial, mass, integrals.tensor)
        overridden = {
            "mass": mass.mass_overridden,
            "centre": mass.center_of_mass_overridden,
            "tensor": mass.moments_overridden,
        }
        quantities = {name for name in QUANTITIES if not overridden[name]}
        report_disagreements(
            inertial, integrals, body.size, where, findings, density=mass.density, quantities=quantities
        )
        return inertial

    # ---- the user's values

    def overridden(self, component: Component, shape: PartShape, inertial: Inertial | None) -> Inertial | None:
        """The inertial scaled to the mass or density that the settings give."""
        for pattern, override in self.options.parts.items():
            if any(fnmatchcase(name, pattern) for name in (component.name, _file(shape), _file(shape, stem=True))):
                self._used.add(pattern)
                if (override.mass is None) == (override.density is None):
                    at = ("mass", "parts", pattern)
                    raise SettingsError(f"{', '.join(at)}: give either a mass or a density.", at)
                return inertial and _scaled(inertial, shape, override)
        return inertial

    def must_have_used_all(self) -> None:
        for pattern in self.options.parts:
            if pattern not in self._used:
                raise SettingsError(f"There is no component or part `{pattern}`.", ("mass", "parts", pattern))


def _fitted_to_mass(inertial: Inertial, mass: MassProperties, unit_tensor: Array) -> Inertial:
    """Moments that still are those of the density, although the mass was entered by hand, scaled to that mass."""
    if inertial.tensor is None or not mass.volume or not mass.density:
        return inertial
    density = float(np.trace(tensor_matrix(inertial)) / np.trace(unit_tensor))
    if abs(density - mass.density) < 0.05 * mass.density:
        return _times(inertial, 1.0, mass.mass / (mass.density * mass.volume))
    return inertial


def _scaled(inertial: Inertial, shape: PartShape, override: MassOverride) -> Inertial:
    properties = shape.mass or shape.legacy_mass
    volume = properties.volume if properties else None
    if override.mass is None and volume is None:
        at = ("mass", "parts")
        raise SettingsError(f"The volume of {_file(shape)} is not known: give its mass instead of its density.", at)
    mass = override.mass if override.mass is not None else (override.density or 0.0) * (volume or 0.0)
    factor = mass / inertial.mass if inertial.mass else 0.0
    return _times(inertial, factor, factor)


def _times(inertial: Inertial, mass: float, tensor: float) -> Inertial:
    moments = inertial.tensor and matrix_tensor(tensor_matrix(replace(inertial, axes=(0.0, 0.0, 0.0, 1.0))) * tensor)
    return replace(inertial, mass=inertial.mass * mass, tensor=moments)


def _file(shape: PartShape, *, stem: bool = False) -> str:
    path = PureWindowsPath(shape.path)
    return path.stem if stem else path.name
