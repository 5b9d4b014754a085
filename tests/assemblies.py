"""Random assemblies for laws: any depth, state, mate and name that the builder can make."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from swgrm_mocks.builder import STEEL, Assembly, AssemblyComponent, Part, colour, pose
from swgrm_mocks.mates import circle, cone, ground, line, plane, point, shaft, sphere
from swgrm_mocks.solids import box, cylinder

SOLIDS = [None, box(0.1, 0.2, 0.3), box(0.1, 0.1, 0.1, 0.02).painted(colour(1, 0, 0)), cylinder(0.05, 0.1)]
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters='/\\@"', exclude_categories=["C"]), min_size=1, max_size=6
)
METRES = st.floats(-2, 2, allow_subnormal=False)
DEGREES = st.floats(-180, 180, allow_subnormal=False)
POSES = st.builds(pose, METRES, METRES, METRES, DEGREES, DEGREES, DEGREES)
UNIT = st.sampled_from([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.8, 0.0)])
POINTS = st.tuples(METRES, METRES, METRES)
RADII = st.floats(0.001, 0.1)
ENTITIES = st.one_of(
    st.builds(point, POINTS), st.builds(line, POINTS, UNIT), st.builds(plane, POINTS, UNIT),
    st.builds(shaft, POINTS, UNIT, RADII), st.builds(circle, POINTS, UNIT, RADII), st.builds(sphere, POINTS, RADII),
    st.builds(cone, POINTS, UNIT, st.floats(0.1, 1.2)),
)  # fmt: skip
STATES = st.fixed_dictionaries(
    {},
    optional={
        "suppression": st.sampled_from([0, 1, 2, 3, 4]), "visible": st.sampled_from([0, 1]), "envelope": st.booleans(),
        "virtual": st.booleans(), "pattern_instance": st.booleans(), "mirrored": st.booleans(),
        "assembly_features": st.booleans(), "appearance": st.just(colour(0.1, 0.2, 0.3, 0.4)),
    },
)  # fmt: skip
LIMITS = st.one_of(st.none(), st.tuples(METRES, METRES))
RATIO = st.tuples(RADII, RADII)
MATES: dict[str, Any] = {
    "coincident": {}, "parallel": {}, "perpendicular": {}, "tangent": {}, "lock": {}, "universal": {}, "symmetric": {},
    "along_path": {}, "cam": {}, "coordinate": {}, "slider": {}, "magnetic": {}, "in_place": {}, "width": {},
    "concentric": {"lock_rotation": st.booleans()}, "distance": {"value": METRES, "limits": LIMITS},
    "angle": {"value": METRES, "limits": LIMITS}, "hinge": {"limits": LIMITS},
    "gear": {"ratio": RATIO, "reverse": st.booleans()}, "rack_pinion": {"diameter": RADII, "reverse": st.booleans()},
    "screw": {"lead": RADII, "reverse": st.booleans()}, "linear_coupler": {"ratio": RATIO},
    "slot": {"constraint": st.integers(0, 3), "distance": RADII}, "profile_center": {"offset": RADII},
}  # fmt: skip


@st.composite
def parts(draw: st.DrawFn, name: str) -> Part:
    part = Part(name, draw(st.sampled_from(SOLIDS)), draw(st.sampled_from([STEEL, ("", 1000.0)])))
    if draw(st.booleans()):
        part.configuration("Other", draw(st.sampled_from(SOLIDS)))
    if draw(st.booleans()):
        part.coordinate_system("tool0", draw(POSES))
        part.axis("axis", draw(POINTS), draw(POINTS))
        part.point("点", draw(POINTS))
        part.custom_property(draw(NAMES), draw(st.text(max_size=5)), of_configuration=draw(st.booleans()))
    if draw(st.booleans()):
        part.override_mass(draw(RADII)).from_toolbox()
    return part


MIRRORS: list[dict[str, Any]] = [{}, {"plane": ()}, {"suppressed": True, "plane": ()}]


@st.composite
def assemblies(draw: st.DrawFn, depth: int = 2) -> Assembly:
    names = iter(draw(st.lists(NAMES, min_size=12, max_size=12, unique_by=str.casefold)))
    return draw(_assemblies(names, depth))


@st.composite
def _assemblies(draw: st.DrawFn, names: Any, depth: int) -> Assembly:
    assembly = Assembly(next(names))
    pool = [draw(parts(next(names))) for _ in range(draw(st.integers(1, 2)))]
    for _ in range(draw(st.integers(1, 4))):
        part = draw(st.sampled_from(pool))
        instance = assembly.part(part, draw(POSES), draw(st.sampled_from(sorted(part.solids))))
        instance.state(**draw(STATES)).is_fixed = draw(st.booleans())
    if depth and draw(st.booleans()):
        inner = draw(_assemblies(names, depth - 1))
        if draw(st.integers(0, 3)) == 0 and any(
            p.component.file.solids[p.component.configuration] for p in _parts(inner)
        ):
            inner.override_mass(draw(RADII))
        for _ in range(draw(st.integers(1, 2))):
            sub = assembly.sub(inner, draw(POSES)).state(**draw(STATES))
            if draw(st.booleans()):
                sub.states["solving"] = 1
                sub.poses = {child.name: draw(POSES) for child in inner.children if draw(st.booleans())}
    for _ in range(draw(st.integers(0, 4))):
        _mate(draw, assembly)
    for folder in ("joints", "joints/left", "dof"):
        assembly.folder(folder, *(mate for mate in assembly.mates if draw(st.integers(0, 5)) == 0))
    for _ in range(draw(st.integers(0, 1))):
        _mirror(draw, assembly)
    return assembly


def _parts(assembly: Assembly) -> list[Any]:
    return [placed for placed in assembly.placed() if isinstance(placed.component.file, Part)]


def _mate(draw: st.DrawFn, assembly: Assembly) -> None:
    kind = draw(st.sampled_from(sorted(MATES)))
    fields = {name: draw(strategy) for name, strategy in MATES[kind].items()}
    entities = [_entity(draw, assembly) for _ in range(draw(st.integers(1, 3)))]
    state = {
        "suppressed": draw(st.booleans()),
        "error": draw(st.sampled_from([0, 0, 46])),
        "warning": draw(st.booleans()),
    }
    getattr(assembly, kind)(*entities, **fields, **state)


def _mirror(draw: st.DrawFn, assembly: Assembly) -> None:
    """A mirror component feature; a suppressed one is not opened, and the plane may be a face, which is not read."""
    sources = st.lists(st.sampled_from(assembly.children), unique=True, max_size=2)
    fields = draw(st.sampled_from(MIRRORS))
    copied, opposite = ([], []) if "suppressed" in fields else (draw(sources), draw(sources))
    assembly.mirror(draw(POSES), *copied, opposite_hand=tuple(opposite), **fields)


def _entity(draw: st.DrawFn, assembly: Assembly) -> Any:
    entity = draw(ENTITIES)
    where = draw(st.sampled_from(["component", "deep", "assembly", "nobody"]))
    if where == "assembly":
        return ground(entity)
    if where == "nobody":
        return entity.of(None, np.eye(4))
    instance: AssemblyComponent = draw(st.sampled_from(assembly.children))
    while where == "deep" and isinstance(instance.file, Assembly):
        instance = instance / draw(st.sampled_from(instance.file.children)).name
    return instance.at(entity)
