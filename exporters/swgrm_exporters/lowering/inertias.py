"""Inertia tensors as a format needs them: where a link has a mass alone, along the frame's axes, physical."""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import astuple, replace

from swgrm.findings import Findings
from swgrm.mass.inertia import combine, matrix_tensor, moved, tensor_matrix
from swgrm.model import Box, Capsule, Cylinder, Geometry, Inertial, Link, Mesh, Sphere, Tensor
from swgrm.transforms import rotated_tensor
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered, with_links


def assume_tensors(state: Lowered, capabilities: Capabilities, choices: Choices, findings: Findings) -> Lowered:
    """A link with a mass and no tensor gets that of its shapes, else that of links without mass."""
    robot = state.robot
    lacking = [
        link for _, link in robot.links() if link.inertial and link.inertial.tensor is None and link.inertial.mass > 0
    ]
    if capabilities.tensors_optional or not lacking:
        return state
    found: dict[str, Tensor] = {}
    for link in lacking:
        tensor = shape_tensor(link)
        if tensor is not None:
            findings.add("tensor-of-shape", f"link {link.name}")
        else:
            tensor = choices.virtual_inertia.tensor if choices.virtual_inertia else None
            findings.add("tensor-assumed", f"link {link.name}", moment=tensor.ixx if tensor else 0.0)
        found[link.name] = tensor or Tensor()

    def completed(link: Link) -> Link:
        if link.inertial is None or link.name not in found or link.inertial.tensor is not None:
            return link
        x, y, z, w = link.inertial.axes
        along_axes = Tensor(*rotated_tensor(astuple(found[link.name]), (-x, -y, -z, w)))
        return replace(link, inertial=replace(link.inertial, tensor=along_axes))

    frames = tuple(replace(f, links=tuple(map(completed, f.links))) for f in robot.frames)
    return state._replace(robot=replace(robot, frames=frames), implied_tensors=frozenset(found))


def align_tensors(
    state: Lowered,
    capabilities: Capabilities,
    _: Choices,
    findings: Findings,  # noqa: ARG001 - a step's signature
) -> Lowered:
    """Tensors are given along the axes of the frame: I = R(axes) · I · R(axes)ᵀ."""
    if capabilities.tensor_axes:
        return state

    def aligned(link: Link) -> Link:
        old = link.inertial
        if old is None or old.axes == (0.0, 0.0, 0.0, 1.0):
            return link
        tensor = None if old.tensor is None else Tensor(*rotated_tensor(astuple(old.tensor), old.axes))
        return replace(link, inertial=Inertial(old.mass, old.origin, tensor))

    return state._replace(robot=with_links(state.robot, aligned))


NUDGE = 1e-6  # relative to the largest moment: what may be missing of A + B ≥ C, by rounding in CAD
MARGIN = 1e-9  # the same: what is left of A + B − C, more than rounding the entries of the tensor takes


def nudge_tensors(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Principal moments that miss A + B ≥ C by rounding are made to fulfil it, where the format is strict.

    Tensors that miss it by more stay as they are: the model's checks report them, and programs refuse them.
    """
    if not capabilities.strict_tensors:
        return state

    def nudged(link: Link) -> Link:
        if link.inertial is None or link.inertial.tensor is None or not link.inertial.mass > 0:
            return link
        I = tensor_matrix(replace(link.inertial, axes=(0.0, 0.0, 0.0, 1.0)))  # noqa: E741 - its usual symbol
        if not np.isfinite(I).all():
            return link
        moments, axes = np.linalg.eigh(I)
        missing = float(moments[2] - moments[0] - moments[1])
        if not -MARGIN * moments[2] < missing <= NUDGE * moments[2]:
            return link
        moments[:2] += (missing + MARGIN * moments[2]) / 2
        if missing > MARGIN * moments[2]:
            findings.add("tensor-nudged", f"link {link.name}", share=missing / float(moments[2]))
        tensor = matrix_tensor(axes @ np.diag(moments) @ axes.T)
        return replace(link, inertial=replace(link.inertial, tensor=tensor))

    return state._replace(robot=with_links(state.robot, nudged))


def shape_tensor(link: Link) -> Tensor | None:
    """The tensor of a link's mass spread evenly over its collision shapes, else its visual ones [kg m²].

    None if it has no shapes with a volume, or one of them is a mesh. The tensor is about the shapes' own centre of
    mass, in the link's axes: the given centre stays where it is.
    """
    shapes = link.collisions or link.visuals
    solids = [solid_inertial(shape) for shape in shapes]
    volume = sum(solid.mass for solid in solids if solid is not None)
    if link.inertial is None or None in solids or not volume > 0:
        return None
    density = link.inertial.mass / volume
    parts = [_weighed(solid, density, shape) for solid, shape in zip(solids, shapes, strict=True) if solid is not None]
    whole = combine(
        [*parts, Inertial(0.0, parts[0].origin, Tensor())]
    )  # two bodies or more are put into one set of axes
    return whole.tensor


def _weighed(solid: Inertial, density: float, shape: Geometry) -> Inertial:
    tensor = solid.tensor or Tensor()
    heavy = Tensor(ixx=tensor.ixx * density, iyy=tensor.iyy * density, izz=tensor.izz * density)
    return moved(Inertial(solid.mass * density, tensor=heavy), shape.origin.matrix)


def solid_inertial(shape: Geometry) -> Inertial | None:
    """A shape at density 1 about its own centre: its volume and principal moments; None for a mesh.

    Box: m (b² + c²)/12. Cylinder: m r²/2 along, m (3 r² + l²)/12 across. Sphere: 2 m r²/5. Capsule: the cylinder, and
    two half spheres, each m/2, 3 r/8 beyond its face.
    """
    if isinstance(shape, Mesh):
        return None
    if isinstance(shape, Box):
        volume = math.prod(shape.size)
        a, b, c = np.square(shape.size).tolist()
        return Inertial(
            volume, tensor=Tensor(ixx=volume * (b + c) / 12, iyy=volume * (a + c) / 12, izz=volume * (a + b) / 12)
        )
    r = shape.radius
    if isinstance(shape, Sphere):
        volume = 4 / 3 * math.pi * r**3
        return Inertial(
            volume, tensor=Tensor(ixx=0.4 * volume * r * r, iyy=0.4 * volume * r * r, izz=0.4 * volume * r * r)
        )
    assert isinstance(shape, Cylinder | Capsule)  # noqa: S101 - the last of them
    length = shape.length
    volume = math.pi * r * r * length
    along, across = volume * r * r / 2, volume * (3 * r * r + length * length) / 12
    if isinstance(shape, Capsule):
        ends = 4 / 3 * math.pi * r**3
        along += 0.4 * ends * r * r
        across += ends * (0.4 * r * r + length * length / 4 + 3 / 8 * length * r)
        volume += ends
    return Inertial(volume, tensor=Tensor(ixx=across, iyy=across, izz=along))
