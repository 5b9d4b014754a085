"""Shorthands for tests of inference: parts of its result, and small assemblies."""

from typing import NamedTuple

import numpy as np

from swgrm.capture import Capture
from swgrm.inference import Inference, infer
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.model import JointType
from swgrm.settings import Settings
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import plane, shaft

X, Y, Z, O = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)  # noqa: E741 - the origin


class Seen(NamedTuple):
    """A joint: its parent and child components, its name, and the types of the joints in its chain."""

    parent: str
    child: str
    name: str
    types: tuple[JointType, ...]


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """A pose that is only shifted."""
    T = np.eye(4)
    T[:3, 3] = (x, y, z)
    return T


def joints(source: Inference | Assembly | Capture, settings: Settings | None = None) -> list[Seen]:
    """The joints of the tree, by child."""
    seen = understood(source, settings)

    def called(label: int) -> str:
        return seen.body_name(label) or "ground"

    return sorted(
        Seen(called(j.parent), called(j.child), name_of(j.chain), tuple(simple.type for simple in j.chain))
        for j in seen.tree.joints
    )


def understood(source: Inference | Assembly | Capture, settings: Settings | None = None) -> Inference:
    """The inference of an assembly."""
    if isinstance(source, Inference):
        return source
    return infer(source.capture() if isinstance(source, Assembly) else source, settings or Settings())


def names(source: Inference | Assembly) -> dict[str, str]:
    """What each moving component's joint is called, by the component."""
    return {joint.child: joint.name for joint in joints(source)}


def together(source: Inference | Assembly, *components: str) -> bool:
    """Whether the components are one body; "" is the assembly itself."""
    seen = understood(source)
    return len({seen.body_of(name) for name in components}) == 1


def codes(source: Inference | Assembly) -> dict[str, list[str]]:
    """The names of the mates, components or joints that each code of finding was found at."""
    found: dict[str, list[str]] = {}
    for finding in understood(source).findings:
        found.setdefault(finding.code, []).append(finding.where.partition(" ")[2])
    return found


def bearing(
    assembly: Assembly, a: AssemblyComponent, b: AssemblyComponent, point: Array, axis: tuple[float, ...] = Z
) -> None:
    """A hinge between two parts, given in the assembly's space: concentric, and faces in contact."""
    ends = [i.T_assembly_self for i in (a, b)]
    own = [np.linalg.inv(T) @ [*point, 1.0] for T in ends]
    turned = [T[:3, :3].T @ axis for T in ends]
    assembly.concentric(*(i.at(shaft(p[:3], d, 0.005)) for i, p, d in zip((a, b), own, turned, strict=True)))
    assembly.coincident(*(i.at(plane(p[:3], d)) for i, p, d in zip((a, b), own, turned, strict=True)))


def serial_arm(count: int, fixed: int) -> Assembly:
    """Links hinged one to the next, one of them fixed."""
    assembly = Assembly("arm")
    links = [assembly.part(f"link{k}", at(0.1 * k)) for k in range(count)]
    links[fixed].fixed()
    for k in range(count - 1):
        bearing(assembly, links[k], links[k + 1], np.array([0.1 * k + 0.1, 0, 0]))
    return assembly
