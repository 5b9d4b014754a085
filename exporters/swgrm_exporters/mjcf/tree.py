"""The tree of bodies: which frames are bodies and which are sites, and the elements of each body."""

from __future__ import annotations

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.model import IDENTITY, Frame, Geometry, Link, Mesh, Mount, Pose, Robot
from swgrm_exporters.mjcf.assets import MeshAssets
from swgrm_exporters.mjcf.elements import add_inertial, add_joint, add_site, place, sizes
from swgrm_exporters.mjcf.sensors import SensorWriter
from swgrm_exporters.names import Pool
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

FREE = "_freejoint"  # the end of the name of a floating base's joint


class BodyTree:
    """The bodies of a lowered robot as elements; a rigid frame with nothing that needs a body is a site."""

    def __init__(self, robot: Robot, assets: MeshAssets, findings: Findings, numbers: Numbers) -> None:
        self.robot, self.assets, self.findings, self.numbers = robot, assets, findings, numbers
        self.joints: list[Frame] = []  # in the order of MuJoCo's coordinates
        self.moved_sites: dict[str, str] = {}  # frames that are sites of another body than their parent: the parent
        self.world = Node("worldbody")
        self._bodies = self._needed()
        self._nodes: dict[str, Node] = {}
        self._places: dict[str, tuple[str, Pose]] = {}
        self._geoms, self._sites = Pool(), Pool(robot.by_id)
        self._materials = {material.name for material in robot.materials}
        self._added: list[str] = []
        self.sensors = SensorWriter(self._sites, numbers)
        for frame in robot.walk():
            self._frame(frame)

    @property
    def added_sites(self) -> list[str]:
        """The sites that are not frames of the robot: of loops and of sensors that look along x."""
        return [*self._added, *self.sensors.sites]

    def place(self, frame_id: str) -> tuple[str, Pose]:
        """The body of a frame, and T_body_frame."""
        return self._places[frame_id]

    def add_site(self, name: str, frame_id: str, pose: Pose) -> str:
        """Add a site at a pose in a frame, and return its name."""
        body, T_body_frame = self.place(frame_id)
        own = self._sites.fresh(name)
        self._added.append(own)
        add_site(self._nodes[body], own, compose(T_body_frame, pose), self.numbers)
        return own

    def _needed(self) -> set[str]:
        """The frames that are bodies: the root, what moves or has a link, and what carries such."""
        found: set[str] = set()
        for frame in reversed(list(self.robot.walk())):
            own = frame.parent is None or not frame.is_rigid or bool(frame.links)
            if own or any(child.id in found for child in self.robot.children(frame.id)):
                found.add(frame.id)
        return found

    def _frame(self, frame: Frame) -> None:
        above, T_above = (None, IDENTITY) if frame.parent is None else self._places[frame.parent]
        T = compose(T_above, frame.transform)
        if frame.id in self._bodies:
            parent = self.world if above is None else self._nodes[above]
            node = add_node(parent, "body", {"name": frame.id, **place(T, self.numbers)})
            self._nodes[frame.id], self._places[frame.id] = node, (frame.id, IDENTITY)
            self._body(node, frame)
            here = IDENTITY
        else:
            assert above is not None  # noqa: S101 - the root is a body
            node, here = self._nodes[above], T
            self._places[frame.id] = above, T
            add_site(node, frame.id, T, self.numbers)
            if above != frame.parent:
                self.moved_sites[frame.id] = frame.parent or ""
        for number, sensor in enumerate(frame.sensors):
            if frame.id in self._bodies and number == 0 and sensor.type != "camera":
                add_site(node, frame.id, IDENTITY, self.numbers)
            if not self.sensors.add(node, sensor, frame.id, here):
                self.findings.add("mjcf-sensor", f"sensor {sensor.name}", type=sensor.type)

    def _body(self, node: Node, frame: Frame) -> None:
        if frame.parent is None and self.robot.mount is Mount.FLOATING:
            add_node(node, "freejoint", {"name": f"{frame.id}{FREE}"})
        for link in frame.links[:1]:
            if link.inertial is not None:
                add_inertial(node, link.inertial, self.numbers)
        if not frame.is_rigid and frame.joint is not None:
            self.joints.append(frame)
            add_joint(node, frame.joint_name, frame.joint, self.numbers)
        for link in frame.links:
            self._shapes(node, link)

    def _shapes(self, node: Node, link: Link) -> None:
        for kind, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            for shape in shapes:
                self._shape(node, kind, shape, link.name)

    def _shape(self, node: Node, kind: str, shape: Geometry, link: str) -> None:
        values = {"class": kind}
        if shape.name:
            values = {"name": self._geoms.fresh(f"{link}_{shape.name}"), **values}
        look = {"material": shape.material} if shape.material in self._materials else {}
        at = place(shape.origin, self.numbers)
        if not isinstance(shape, Mesh):
            form, numbers = sizes(shape)
            add_node(node, "geom", {**values, "type": form, "size": self.numbers.texts(numbers), **at, **look})
            return
        for piece in self.assets.pieces(shape):
            if piece.is_flat and kind == "collision":
                self.findings.add("mjcf-mesh-flat", f"mesh {shape.uri}", link=link)
                continue
            colour = look or ({} if piece.rgba is None else {"rgba": self.numbers.texts(piece.rgba)})
            add_node(node, "geom", {**values, "type": "mesh", "mesh": piece.name, **at, **colour})
            values = {"class": kind}  # one name for one geom
