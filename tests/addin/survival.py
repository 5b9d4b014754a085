"""Readings in which one member fails for good, or two, and what becomes of the robot.

python -m tests.addin.survival      tries every member in every way on all samples, on a sample that is opened as a
                                    file, and on a part document, and writes the table of the page
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from swgrm.capture import Capture, encode
from swgrm.errors import SwgrmError
from swgrm.findings import Finding
from swgrm.kinematics.forward import poses
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Inertial, Robot
from swgrm.solidworks.api_slice import Member, interfaces
from swgrm_addin.pipeline import Understanding, understand
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.sources import Source
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks
from swgrm_mocks.solidworks.dispatch import UNKNOWN_NAME, is_concerned

PAGE = Path(__file__).parents[2] / "docs" / "reader.md"
FOREVER = 10**9
WAYS = {
    "fails": Fault(1, times=FOREVER),
    "missing": Fault(1, hresult=UNKNOWN_NAME, times=FOREVER),
    "nothing": Fault(1, "null", times=FOREVER),
    "wrong type": Fault(1, "type", times=FOREVER),
    "wrong length": Fault(1, "length", times=FOREVER),
    "NaN": Fault(1, "nan", times=FOREVER),
}
COMPLETE, GAPS, SENTENCE = "complete", "named gaps", "one sentence"
OUTCOMES = (COMPLETE, GAPS, SENTENCE)
JOINTS = "all joints kept"
TOLERANCE = 1e-9  # of the numbers of a joint, in metres and radians
JointLine = tuple[object, ...]


Reader = Callable[[Capture, Iterable[Fault]], tuple[Port, Source]]


class Case(NamedTuple):
    """A member and the way in which all of its calls go wrong."""

    member: str
    way: str


class Scene(NamedTuple):
    """What is read: the document that is active, or a file that is opened while another document is active."""

    captures: tuple[Capture, ...]
    request: Request = Request()


class Undisturbed(NamedTuple):
    """The reading of a scene without faults: its robot, its findings, and the members that it calls."""

    scene: Scene
    capture: Capture
    robot: Robot
    findings: frozenset[Finding]
    members: tuple[str, ...]
    understood: dict[bytes, Understanding]  # by the capture, without its failures


class Result(NamedTuple):
    """What became of a reading, and what is wrong with it: untouched joints that differ, or differences unnamed."""

    outcome: str
    wrong: str = ""
    has_all_joints: bool = False  # the joints, their types, limits, couplings and axes are those without the fault


def scene(name: str) -> Scene:
    """A sample that is the active document; "file NAME": one that is opened; "part NAME": one of its parts."""
    kind, _, of = name.rpartition(" ")
    capture = sample(of)
    if not kind:
        return Scene((capture,))
    opened = part_of(capture) if kind == "part" else capture
    return Scene((sample("lead_screw"), opened), Request(opened.source.path, out_of_process=True))


def part_of(capture: Capture) -> Capture:
    """The capture of the first part of an assembly, as a document of its own, also read by the older interface."""
    shape = next(shape for shape in capture.shapes if shape.mass and shape.triangles)
    document = next(d for d in capture.documents if (d.path, d.configuration) == (shape.path, shape.configuration))
    title = shape.path.rpartition("\\")[2]
    source = replace(capture.source, path=shape.path, title=title, configuration=document.configuration, type=1)
    own = replace(shape, through="", variant="", legacy_mass=shape.mass)
    return Capture(capture.version, source, (), (replace(document, read_in=document.configuration),), (own,))


def undisturbed(name: str) -> Undisturbed:
    """The reading of a scene without faults."""
    shown = scene(name)
    port, source = _read(shown, ())
    assert source.capture is not None
    result = understand(source)
    members = tuple(sorted(port.calls))
    return Undisturbed(shown, source.capture, result.robot, frozenset(result.findings), members, {})


def cases(base: Undisturbed) -> Iterator[Case]:
    """Every member that the reading calls, in every way that can concern its results."""
    for name in base.members:
        for way, fault in WAYS.items():
            types = [kind for member in members(name) for kind in member.result_types]
            if any(is_concerned(kind, fault.kind) for kind in types):
                yield Case(name, way)


def members(name: str) -> list[Member]:
    """The members of the slice with a full name: one, or the get and put of a property."""
    interface, _, member = name.partition(".")
    return interfaces()[interface].find(member)


def tried(base: Undisturbed, *spoiled: Case, reader: Reader | None = None) -> Result:
    """Read the sample with these members going wrong, in memory or by another reader."""
    faults = tuple(
        Fault(1, fault.kind, fault.hresult, FOREVER, member=member) for member, way in spoiled for fault in (WAYS[way],)
    )
    try:
        _, source = reader(base.capture, faults) if reader else _read(base.scene, faults)
        robot, findings = _understood(base, source)
    except SwgrmError as error:
        return Result(SENTENCE, "" if str(error).endswith(".") else f"not a sentence: {error}")
    assert source.capture is not None
    news = findings - base.findings
    differs = signature(robot, source.capture) != signature(base.robot, base.capture)
    if differs and not news:
        return Result(GAPS, "the robot differs without a finding")
    # Nothing may be a proper answer, whose consequences the inference names; other faults are named by the reading.
    is_nothing = any(way == "nothing" for _, way in spoiled)
    wrong = changed_joints(base, robot, news if is_nothing else source.findings)
    if not (wrong or is_nothing):
        wrong = changed_shapes(base.capture, source.capture, source.findings)
    return Result(GAPS if news else COMPLETE, wrong, has_all_joints(base.robot, robot))


def _understood(base: Undisturbed, source: Source) -> tuple[Robot, frozenset[Finding]]:
    """The robot and all findings; many faults give the same capture, which is understood once."""
    assert source.capture is not None
    plain = replace(source.capture, failures=())
    key = hashlib.sha256(encode(plain)).digest()
    if key not in base.understood:
        base.understood[key] = understand(Source("sample", plain))
    found = base.understood[key]
    return found.robot, frozenset((*source.findings, *found.findings))


def _read(shown: Scene, faults: Iterable[Fault]) -> tuple[Port, Source]:
    world = MockSolidWorks(*shown.captures)
    world.connection.faults = list(faults)
    before = world.state()
    port = Port(MemoryTransport())
    reported: list[str] = []
    try:
        reading = read(port.wrap(world.application, "ISldWorks"), shown.request)
        reported = [finding.code for finding in reading.findings if finding.code in NOT_RESTORED]
    except SwgrmError as error:
        reported = getattr(error, "__notes__", [])
        raise
    finally:
        is_undone = world.state() == before
        assert is_undone or any(fault.member in UNDO for fault in world.connection.faults)
        assert is_undone or reported, "SolidWorks is not as it was, which nothing reports"
    return port, Source("sample", reading.value, findings=reading.findings)


NOT_RESTORED = ("default-used", "document-changed", "document-left-open")
UNDO = (
    "IModelDoc2.GetPathName",
    "IModelDoc2.GetTitle",
    "ISldWorks.ActivateDoc3",
    "ISldWorks.ActiveDoc",
    "ISldWorks.CloseDoc",
    "ISldWorks.CommandInProgress",
    "ISldWorks.GetCurrentWorkingDirectory",
    "ISldWorks.GetOpenDocumentByName",
    "ISldWorks.OpenDoc6",
    "ISldWorks.SetCurrentWorkingDirectory",
    "IComponent2.SetSuppression2",
    "IComponent2.GetSuppression2",
    "IMassProperty2.IncludeHiddenBodiesOrComponents",
    "ISelectionMgr.ResumeSelectionList2",
    "IUserProgressBar.End",
)
"""Members without which the state cannot be restored; a finding, or a note of the error, reports it."""


def signature(robot: Robot, capture: Capture) -> object:
    """What must not change without a finding: frames, joints, inertias, meshes, and which components are there."""
    world = poses(robot)
    frames = {frame.id: _rounded((world[frame.id],)) for frame in robot.frames}
    joints = {name: _rounded(line) for name, line in lines(robot).items()}
    inertias = {link.name: link.inertial and _rounded(_inertia(link.inertial)) for _, link in robot.links()}
    meshes = {(shape.path, shape.configuration, shape.variant): mesh(shape.triangles) for shape in capture.shapes}
    return frames, joints, inertias, meshes, {component.name for component in capture.components}


def _inertia(inertial: Inertial) -> JointLine:
    tensor = None if inertial.tensor is None else tensor_matrix(inertial)
    return round(inertial.mass, 9), np.array(inertial.origin), tensor


@cache
def mesh(triangles: bytes) -> bytes:
    """Triangles, each from its lowest corner on; their sense of rotation is kept."""
    corners = np.frombuffer(triangles, "<f4").reshape(-1, 3)
    _, numbers = np.unique(corners, axis=0, return_inverse=True)
    first = numbers.reshape(-1, 3).argmin(axis=1)
    order = (first[:, None] + np.arange(3)) % 3
    return np.take_along_axis(corners.reshape(-1, 3, 3), order[:, :, None], axis=1).tobytes()


def _rounded(line: JointLine) -> JointLine:
    rounded: list[object] = []
    for part in line:
        if isinstance(part, np.ndarray):
            rounded.append(tuple(np.round(part, 6).ravel() + 0.0))
        elif isinstance(part, Struct):
            fields = to_builtins(part)
            rounded.append(tuple((k, round(v, 6) + 0.0 if isinstance(v, float) else v) for k, v in fields.items()))
        else:
            rounded.append(part)
    return tuple(rounded)


def lines(robot: Robot) -> dict[str, JointLine]:
    """The moving joints by name: type, limits, coupling and pitch, and their axes in the world."""
    world = poses(robot)
    found: dict[str, JointLine] = {}
    for name, frame in robot.joints.items():
        if frame.joint is not None and not frame.is_rigid:
            T = world[frame.id]
            axis = T[:3, :3] @ np.array(frame.joint.axis)
            joint = frame.joint
            found[name] = joint.type, joint.limits, joint.coupling, joint.pitch, axis, np.cross(T[:3, 3], axis)
    return found


def changed_joints(base: Undisturbed, robot: Robot, findings: Iterable[Finding]) -> str:
    """The joints that differ although the findings of the reading name neither their mates nor their components."""
    touched = _touched(base.capture, findings)
    if touched is None:
        return ""
    now = lines(robot)
    wrong = []
    for name, line in lines(base.robot).items():
        joint = base.robot.joints[name].joint
        own = _components(base.capture, joint.why.mates if joint and joint.why else ())
        if not own & touched and not _equal(line, now.get(name)):
            wrong.append(name)
    return f"untouched joints differ: {', '.join(wrong)}" if wrong else ""


def has_all_joints(robot: Robot, disturbed: Robot) -> bool:
    """Whether two robots have the same moving joints: types, limits, couplings, pitches and axes."""
    joints, joints_now = lines(robot), lines(disturbed)
    return joints.keys() == joints_now.keys() and all(_equal(joints[name], joints_now[name]) for name in joints)


def changed_shapes(base: Capture, capture: Capture, findings: Iterable[Finding]) -> str:
    """The files whose mass or triangles differ although no finding of the reading names them or their components."""
    named = [finding.where for finding in findings]
    now = {
        (shape.path, shape.configuration, shape.variant): (shape.mass, mesh(shape.triangles))
        for shape in capture.shapes
    }
    wrong = []
    for shape in base.shapes:
        names = {component.name for component in base.components if component.path == shape.path}
        words = {f"{what} {name}" for name in names for what in ("component", "the shape of", "the mass of")}
        words |= {f"document {shape.path}", "the part's shape", "the document", "a component"}
        key = shape.path, shape.configuration, shape.variant
        if not words & set(named) and now.get(key) != (shape.mass, mesh(shape.triangles)):
            wrong.append(shape.path)
    return f"untouched shapes differ: {', '.join(wrong)}" if wrong else ""


def _equal(line: JointLine, other: JointLine | None) -> bool:
    if other is None or line[0] != other[0] or list(_settings(line)) != list(_settings(other)):
        return False
    values, values_now = ([*_settings(one).values(), *one[4:]] for one in (line, other))
    return all(np.abs(np.subtract(a, b)).max() < TOLERANCE for a, b in zip(values, values_now, strict=True))  # type: ignore[call-overload]


def _settings(line: JointLine) -> dict[str, object]:
    """The numbers of a joint's limits, coupling and pitch, by their names; a text is in the name."""
    numbers: dict[str, object] = {}
    for name, part in zip(("limits", "coupling", "pitch"), line[1:4], strict=True):
        fields = part if isinstance(part, float) else to_builtins(part)
        for field, value in (fields if isinstance(fields, dict) else {"": fields}).items():
            is_number = isinstance(value, float)
            numbers[f"{name} {field}" if is_number else f"{name} {field} {value}"] = value if is_number else 0.0
    return numbers


def _touched(capture: Capture, findings: Iterable[Finding]) -> set[str] | None:
    """The leaf names of the components that findings name, directly or by their mates; None: a whole document."""
    touched: set[str] = set()
    for finding in findings:
        kind, _, name = finding.where.partition(" ")
        if finding.code == "mates-missing" or (finding.code == "not-read" and kind in ("document", "the", "a")):
            if not finding.where.startswith(("the shape", "the mass", "the part's shape")):
                return None
        elif kind == "mate":
            touched |= _components(capture, (name,))
        elif kind == "component":
            touched.add(name.rpartition("/")[2])
    return touched


def _components(capture: Capture, mates: Iterable[str]) -> set[str]:
    names = {mate.rpartition("/")[2] for mate in mates}
    return {
        (entity.component or "").rpartition("/")[2]
        for document in capture.documents
        for mate in document.mates
        if mate.name.rpartition("/")[2] in names
        for entity in mate.entities
    }


SCENES = (*SAMPLES, "file arm", "part arm")


def table(names: Iterable[str] = SCENES) -> str:
    """The survival table: for each scene, how many cases end how; and the members without which nothing is read."""
    rows, essential = [], set()
    total: Counter[str] = Counter()
    for name in names:
        base = undisturbed(name)
        outcomes: Counter[str] = Counter()
        for case in cases(base):
            result = tried(base, case)
            assert not result.wrong, (name, case, result)
            outcomes[result.outcome] += 1
            outcomes[JOINTS] += result.has_all_joints
            if result.outcome == SENTENCE:
                essential.add(case.member)
        rows.append(_row(f"`{name}`", len(base.members), outcomes))
        print(rows[-1], flush=True)  # noqa: T201 - a whole run takes many minutes
        total += outcomes
    rows.append(_row("all", 0, total))
    head = (
        "| document | members | cases | robot complete | robot with named gaps | one sentence | robots "
        "| all joints kept |"
    )
    listed = ", ".join(f"`{member}`" for member in sorted(essential))
    return "\n".join(
        [head, "|---|---|---|---|---|---|---|---|", *rows, "", f"Essential members ({len(essential)}): {listed}."]
    )


def _row(name: str, count: int, outcomes: Counter[str]) -> str:
    total = sum(outcomes[kind] for kind in OUTCOMES)
    survived, kept = 1 - outcomes[SENTENCE] / total, outcomes[JOINTS] / total
    numbers = [total, *(outcomes[kind] for kind in OUTCOMES)]
    columns = [name, count or "", *numbers, f"{100 * survived:.1f} %", f"{100 * kept:.1f} %"]
    return f"| {' | '.join(map(str, columns))} |"


if __name__ == "__main__":
    from tests.docs.test_tables import with_table

    PAGE.write_text(with_table(PAGE.read_text("utf-8"), "survival", table(sys.argv[1:] or SCENES)), "utf-8")
