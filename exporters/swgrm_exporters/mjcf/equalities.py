"""Loops, couplings and relations as MuJoCo's equalities and fixed tendons."""

from __future__ import annotations

from swgrm.kinematics.pose_math import compose, invert
from swgrm.model import Robot
from swgrm.model.grmfile import plain_fields
from swgrm.precision import DIRECTION, LENGTH, POSITION, RATIO
from swgrm_exporters.couplings import OrientedCoupling, oriented, oriented_relation
from swgrm_exporters.loop_constraints import LoopConstraint, loop_constraints
from swgrm_exporters.mjcf.tree import BodyTree
from swgrm_exporters.names import Pool
from swgrm_exporters.notes import Plain
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

STIFF = {"solref": "0.004 1", "solimp": "0.999 0.9999 0.001"}  # MuJoCo's default leaves gaps of a millimetre
TIME_STEP = 0.001  # [s] of robots with equalities; MuJoCo's default is 0.002


class Equalities:
    """The equalities of a lowered robot, its tendons, and what the note has of each."""

    def __init__(self, robot: Robot, class_name: str, tree: BodyTree, numbers: Numbers) -> None:
        self.robot, self.class_name, self.tree, self.numbers = robot, class_name, tree, numbers
        self.node, self.tendons = Node("equality"), Node("tendon")
        self.noted: dict[str, Plain] = {}
        self._names = Pool()
        for constraint in loop_constraints(robot):
            self._loop(constraint)
        for frame in robot.frames:
            if frame.joint and frame.joint.coupling and not frame.is_rigid:
                own = self._names.fresh(f"{frame.joint_name}_coupling")
                self._joint(own, oriented(frame.joint_name, frame.joint.coupling))
                self.noted[own] = {"follower": frame.joint_name, "coupling": plain_fields(frame.joint.coupling)}
        for number, relation in enumerate(robot.relations, 1):
            own = self._names.fresh(f"relation_{number}")
            terms = {name: c for name, c in relation.terms.items() if c != 0}
            if 1 <= len(terms) <= 2:
                self._joint(own, oriented_relation(relation))
            elif terms:
                self._tendon(own, terms, relation.offset)
            self.noted[own] = {"relation": plain_fields(relation)}

    def _add(self, tag: str, values: dict[str, str]) -> None:
        add_node(self.node, tag, {"class": self.class_name, **values})

    def _loop(self, each: LoopConstraint) -> None:
        name = self._names.fresh(each.name)
        tag = "weld" if each.is_weld else "connect"
        values = {"name": name}
        (one, T_one), (other, T_other) = self.tree.place(each.parent), self.tree.place(each.child)
        T_one_joint, T_other_joint = compose(T_one, each.parent_pose), compose(T_other, each.child_pose)
        if one == other:  # MuJoCo refuses an equality of a body with itself, but not of two of its sites
            self._sites(name, each, values)
        elif each.is_weld:
            T_one_other = compose(T_one_joint, invert(T_other_joint))
            x, y, z, w = T_one_other.rot
            relative = f"{self.numbers.of(LENGTH, T_one_other.pos)} {self.numbers.of(DIRECTION, (w, x, y, z))}"
            values |= {"body1": one, "body2": other, "relpose": relative}  # which Newton would take as something else
        elif each.is_closed:
            values |= {"body1": one, "body2": other, "anchor": self.numbers.of(LENGTH, T_one_joint.pos)}
        else:
            self._sites(name, each, values)
        self._add(tag, values)
        loop = next(
            loop for n, loop in enumerate(self.robot.loop_joints) if (loop.joint.name or f"loop_{n + 1}") == each.loop
        )
        self.noted[name] = {"loop": plain_fields(loop)}

    def _sites(self, name: str, each: LoopConstraint, values: dict[str, str]) -> None:
        for key, frame, pose in (("site1", each.parent, each.parent_pose), ("site2", each.child, each.child_pose)):
            values[key] = self.tree.add_site(f"{name}_{key}", frame, pose)

    def _joint(self, name: str, each: OrientedCoupling) -> None:
        values = {"name": name, "joint1": each.fast}
        if each.slow:
            values["joint2"] = each.slow
        values["polycoef"] = (
            f"{self.numbers.of(POSITION, (each.offset,))} {self.numbers.of(RATIO, (each.ratio,))} 0 0 0"
        )
        self._add("joint", values)

    def _tendon(self, name: str, terms: dict[str, float], offset: float) -> None:
        fixed = add_node(self.tendons, "fixed", {"name": name})
        for joint, coefficient in terms.items():
            add_node(fixed, "joint", {"joint": joint, "coef": self.numbers.text(coefficient)})
        self._add("tendon", {"name": name, "tendon1": name, "polycoef": self.numbers.texts((offset, 0, 0, 0, 0))})
