"""The settings that give an assembly the names, joints, limits, frames and masses of another exporter's robot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np

from swgrm.findings import Findings
from swgrm.mass.inertia import matrix_tensor, moved, tensor_matrix
from swgrm.model import Inertial, JointType, Limits
from swgrm.transforms import inverse
from swgrm_addin.migration.assembly_view import AssemblyView, JointOfPair, Matches
from swgrm_addin.migration.matching import is_frame
from swgrm_addin.migration.old_robot import TYPES, OldJoint, OldLink, OldRobot
from swgrm_addin.migration.placing import OldFrames
from swgrm_addin.migration.structure import Sections, inferred_type

SAME_LIMIT = 1e-6  # [rad or m]
SAME_MASS, SAME_CENTRE, SAME_TENSOR = 1e-3, 1e-4, 1e-2  # relative, [m], relative


class Draft(NamedTuple):
    """The sections of the settings, and the links of the old robot that the new one will have."""

    sections: Sections
    links: frozenset[str]


def draft_settings(
    old: OldRobot,
    matches: Matches,
    view: AssemblyView,
    placement: OldFrames,
    structure: Sections,
    findings: Findings,
) -> Draft:
    """The settings; `view` is the assembly with the settings of the structure."""
    drafter = _Drafter(old, matches, view, placement, structure, findings)
    return Draft(drafter.sections(), frozenset(drafter.frames))


class _Drafter:
    """Makes the settings for one robot."""

    def __init__(
        self,
        old: OldRobot,
        matches: Matches,
        view: AssemblyView,
        placement: OldFrames,
        structure: Sections,
        findings: Findings,
    ) -> None:
        self.old, self.matches, self.view, self.placement = old, matches, view, placement
        self.structure, self.findings = structure, findings
        self.keys: dict[str, str] = {}  # by the old name of a joint: what the settings call it
        self.pairs: dict[str, JointOfPair] = {}
        self.frames: dict[str, str] = {}  # by link

    def sections(self) -> Sections:
        base = {**self.structure["base"], **(self.placement.base.settings if self.placement.base else {})}
        links = dict(self.structure["links"])
        moving = [link for link in self.old.links if link.joint and self._find(link, link.joint)]
        joints = {self.keys[link.joint.name]: self._joint(link, link.joint) for link in moving if link.joint}
        if names := dict(self._link_names()):
            links["rename"] = names
        return {
            "robot": {"name": self.old.name},
            "base": base,
            "joints": {key: entry for key, entry in joints.items() if entry},
            "links": links,
            "frames": {"leaveOut": drawn} if (drawn := self._replaced_frames()) else {},
        }

    def _replaced_frames(self) -> list[str]:
        """The coordinate systems that are the frames of links: as frames of their own they would be there twice."""
        base = self.placement.base.settings.get("frame") if self.placement.base else None
        used = [base, *(placed.frame for placed in self.placement.joints.values())]
        named = {each for link in self.old.links if (each := link.coordinate_system)}
        exact = (found[0] for name in named if (found := self.view.geometry(name, "coordinateSystem")))
        kept = {frame for link in self.old.links if is_frame(link) and (frame := self._drawn(link))}
        return sorted({*(each for each in used if isinstance(each, str)), *exact} - kept)

    # ---- joints

    def _find(self, link: OldLink, joint: OldJoint) -> bool:
        """Find the joint of the assembly that a joint of the old robot is; otherwise a finding."""
        if link.name not in self.matches or link.parent not in self.matches:
            return False
        if joint.name in self.structure["joints"]:
            self.keys[joint.name] = joint.name
            if TYPES.get(joint.type) is JointType.FIXED:
                return True
        parents, children = (self.view.bodies_of(self.matches[end]) for end in (link.parent, link.name))
        if parents == children:
            return False  # was reported with the structure
        pair = self.view.joint_between(parents[0], children[0])
        where = f"joint {joint.name}"
        if pair is None or not pair.is_forward:
            found = inferred_type(self.view, parents[0], children[0]) if pair is None else "the opposite direction"
            self.findings.add("old-tree", where, parent=link.parent, child=link.name, new=found)
            return False
        self.pairs[joint.name] = pair
        self.keys[joint.name] = self.view.joint_name(pair.joint)
        return True

    def _joint(self, link: OldLink, joint: OldJoint) -> dict[str, Any]:
        key = self.keys[joint.name]
        entry: dict[str, Any] = {} if not joint.is_named or joint.name == key else {"name": joint.name}
        defined = self.structure["joints"].get(key)
        if defined is None:
            entry["between"] = [self.matches[link.parent][0], self.matches[link.name][0]]
        else:
            entry |= {name: value for name, value in defined.items() if name != "frame"}
        placed = self.placement.joints.get(link.name)
        if joint.type == "fixed":
            return {**entry, "frame": placed.frame if placed else {"xyz": [0.0, 0.0, 0.0]}}
        kind = self._type(joint, entry)
        if placed is not None:
            entry["frame"] = placed.frame
        is_flipped = self._flip(link, joint)
        if is_flipped and not isinstance(entry.get("frame"), dict):
            entry["flip"] = True
        if placed is not None and placed.position:
            entry["zero"] = -placed.position
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
            entry |= self._numbers(joint, key, placed.position if placed else 0.0, is_flipped=is_flipped)
        return entry

    def _type(self, joint: OldJoint, entry: dict[str, Any]) -> JointType | None:
        """The type of the joint as it will be, set where another one was inferred."""
        chain = self.pairs[joint.name].joint.chain
        inferred = " + ".join(str(simple.type) for simple in chain)
        wanted = TYPES.get(joint.type)
        if not joint.type or inferred == wanted:
            return chain[0].type if len(chain) == 1 else None
        self.findings.add("old-type", f"joint {joint.name}", old=joint.type, new=inferred)
        if wanted is None or len(chain) > 1:
            return None
        entry["type"] = str(wanted)
        return wanted

    def _flip(self, link: OldLink, joint: OldJoint) -> bool:
        """Whether the old axis is opposite to the inferred one."""
        chain = self.pairs[joint.name].joint.chain
        placed = self.placement.joints.get(link.name)
        direction = placed.direction if placed else None
        if direction is None and joint.direction is not None:
            direction = np.array(joint.direction)
        if direction is None and joint.axis is not None and link.name in self.placement.T:
            direction = self.placement.T[link.name][:3, :3] @ np.array(joint.axis)
        return direction is not None and len(chain) == 1 and bool(direction @ chain[0].axis < 0)

    def _numbers(self, joint: OldJoint, key: str, position: float, *, is_flipped: bool) -> dict[str, Any]:
        """The limits and other numbers of a joint; limits of mates that differ are reported."""
        inferred = self.view.inference.robot.joints[key].joint
        assert inferred is not None  # noqa: S101 - a joint of the tree
        limits = joint.limits
        if joint.type == "continuous":
            limits = msgspec.structs.replace(limits, lower=None, upper=None)
        mates = _moved(inferred.limits, position, is_flipped=is_flipped)
        if not _same_limits(limits, mates):
            texts = {"old": _range(limits), "new": _range(mates)}
            self.findings.add("old-limits", f"joint {joint.name}", **texts)
        if inferred.coupling is not None and joint.coupling is None:
            self.findings.add("old-coupling", f"joint {joint.name}", leader=inferred.coupling.joint)
        entry = {name: value for name, value in _given(limits) if name != "acceleration"}
        if joint.dynamics is not None:
            entry |= {name: value for name, value in _given(joint.dynamics) if name != "armature"}
        if joint.safety is not None:
            entry["safetyController"] = _without_zeros(joint.safety, "kVelocity")
        if joint.calibration is not None:
            entry["calibration"] = dict(_given(joint.calibration))
        if joint.coupling is not None:
            entry |= self._follows(joint)
        return entry

    def _follows(self, joint: OldJoint) -> dict[str, Any]:
        assert joint.coupling is not None  # noqa: S101 - the caller looked
        leader = self.keys.get(joint.coupling.joint)
        if leader is None:
            self.findings.add("old-leader", f"joint {joint.name}", leader=joint.coupling.joint)
            return {}
        return {"follows": {"joint": leader, "ratio": joint.coupling.ratio, "offset": joint.coupling.offset}}

    # ---- links

    def _link_names(self) -> Iterator[tuple[str, str]]:
        """For each link its frame in the robot and its old name, where they differ."""
        robot = self.view.inference.robot
        for link in self.old.links:
            frame = self._frame(link)
            if frame is not None and frame not in self.frames.values():
                self.frames[link.name] = frame
        for name, frame in [*self.frames.items()]:
            if name in robot.by_id and name not in self.frames.values():
                self.findings.add("old-name-taken", f"link {name}")
                del self.frames[name]
            elif frame != name:
                yield frame, name

    def _frame(self, link: OldLink) -> str | None:
        robot = self.view.inference.robot
        if is_frame(link):
            return self._drawn_frame(link)
        if link.name not in self.matches:
            return None
        if link.joint is None:
            return robot.root.id
        if link.joint.name in self.structure["joints"] and link.joint.type == "fixed":
            return robot.joints[link.joint.name].id
        pair = self.pairs.get(link.joint.name)
        return None if pair is None else self.view.frame_id(pair.joint.child)

    def _drawn_frame(self, link: OldLink) -> str | None:
        """The frame of the coordinate system at which a link without parts is."""
        found = self._drawn(link)
        if found is None:
            self.findings.add("old-frame-link", f"link {link.name}", parent=link.parent)
        return found

    def _drawn(self, link: OldLink) -> str | None:
        assert link.joint is not None  # noqa: S101 - a link without parts has a joint
        for name in filter(None, (link.coordinate_system, f"Origin_{link.joint.name}", link.name)):
            found = self.view.geometry(name, "coordinateSystem")
            if found is not None and found[0] in self.view.inference.robot.by_id:
                return found[0]
        return None


def _given(data: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    """The fields of a part of the model that have a value, by their names in the settings."""
    for field in msgspec.structs.fields(data):
        value = getattr(data, field.name)
        if value is not None:
            yield field.encode_name, value


def _without_zeros(data: msgspec.Struct, always: str) -> dict[str, Any]:
    return {name: value for name, value in _given(data) if value or name == always}


def _moved(limits: Limits, position: float, *, is_flipped: bool) -> Limits:
    """The limits of a joint that is counted from another zero, in the other direction if `is_flipped`."""
    ends = [limits.lower, limits.upper]
    if is_flipped:
        ends = [None if end is None else -end for end in reversed(ends)]
    lower, upper = (None if end is None else end + position for end in ends)
    return Limits(lower, upper)


def _same_limits(first: Limits, second: Limits) -> bool:
    """Whether the mates agree with the old limits; they often have none."""
    if second.lower is None and second.upper is None:
        return True
    pairs = ((first.lower, second.lower), (first.upper, second.upper))
    return all((a is None) == (b is None) and (a is None or b is None or abs(a - b) <= SAME_LIMIT) for a, b in pairs)


def _range(limits: Limits) -> str:
    if limits.lower is None and limits.upper is None:
        return "none"
    return " to ".join("none" if end is None else f"{end:.9g}" for end in (limits.lower, limits.upper))


# ---- masses


def mass_settings(
    old: OldRobot, matches: Matches, view: AssemblyView, placement: OldFrames, draft: Draft, findings: Findings
) -> dict[str, Any]:
    """The mass properties of the old links, by link; those of the assembly that differ are reported."""
    links = {}
    for link in old.links:
        if link.name not in matches or link.name not in draft.links or link.inertial is None:
            continue
        tensor = matrix_tensor(tensor_matrix(link.inertial))
        links[link.name] = {
            "mass": link.inertial.mass,
            "centerOfMass": list(link.inertial.origin),
            "inertia": list(msgspec.structs.astuple(tensor)),
        }
        own = view.inertial_of(matches[link.name])
        if own is not None and link.name in placement.T:
            here = moved(own, inverse(placement.T[link.name]))
            for what, texts in _mass_differences(link.inertial, here):
                findings.add("old-mass", f"link {link.name}", what=what, old=texts[0], new=texts[1])
    return links


def _mass_differences(old: Inertial, new: Inertial) -> Iterator[tuple[str, tuple[str, str]]]:
    if not np.isclose(old.mass, new.mass, rtol=SAME_MASS, atol=0):
        yield "mass", (f"{old.mass:.6g} kg", f"{new.mass:.6g} kg")
    if np.linalg.norm(np.subtract(old.origin, new.origin)) > SAME_CENTRE:
        yield "centre of mass", (_vector(old.origin), _vector(new.origin))
    first, second = tensor_matrix(old), tensor_matrix(new)
    if np.abs(first - second).max() > SAME_TENSOR * max(np.abs(first).max(), np.abs(second).max()):
        yield "inertia tensor", tuple(_vector(m[np.triu_indices(3)].tolist(), "kg m²") for m in (first, second))  # type: ignore[misc]


def _vector(values: Any, unit: str = "m") -> str:  # noqa: ANN401 - numbers
    return f"({', '.join(f'{value:.6g}' for value in values)}) {unit}"
