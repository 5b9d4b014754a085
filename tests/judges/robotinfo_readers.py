"""The real readers of RobotInfo, run on many documents: JSON lines in, JSON lines out. Runs in the judges' Python.

A line in: {"text": YAML, "positions": [{joint name: value}]}. A line out: {"refusals": {reader: error or null},
"poses": {reader: [chain][configuration] 4x4}, "inertias": [chain][link] {m, com, tensor}}.
Both kinematic readers look joints up by their place in the chain; poses are of each chain alone, as one file.
"""

from __future__ import annotations

import copy
import io
import json
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import general_robotics_toolbox as rox
import numpy as np
import RobotRaconteur
import RobotRaconteurCompanion
import yaml
from general_robotics_toolbox import robotraconteur as toolbox
from robotraconteur_abstract_robot import AbstractRobot
from RobotRaconteurCompanion.InfoParser import InfoParser
from RobotRaconteurCompanion.StdRobDef import RegisterStdRobDefServiceTypes
from RobotRaconteurCompanion.Util.RobotUtil import RobotUtil

ROBOT_INFO = "com.robotraconteur.robotics.robot.RobotInfo"


class Driver(AbstractRobot):  # type: ignore[misc] # it publishes no types
    """A driver that does nothing."""


Driver.__abstractmethods__ = frozenset()


class Readers:
    def __init__(self, node: Any) -> None:
        self.node, self.parser, self.util = node, InfoParser(node), RobotUtil(node)

    def parse(self, document: Any) -> Any:
        return self.parser.ParseInfoDict(document, ROBOT_INFO)

    def by_util(self, document: Any) -> list[Any]:
        info = self.parse(document)
        count = len(info.chains) if info.chains is not None else 1
        return [self.util.robot_info_to_rox_robot(info, index) for index in range(count)]

    def by_toolbox(self, document: Any) -> list[Any]:
        count = max(len(document["chains"]), 1)
        return [toolbox.load_robot_info_yaml_to_robot(document, index) for index in range(count)]

    def by_driver(self, document: Any) -> list[Any]:
        robots: list[Any] = Driver(self.parse(document), 0, self.node)._rox_robots
        return robots

    def judge(self, request: dict[str, Any]) -> dict[str, Any]:
        document = yaml.safe_load(request["text"])
        readers = {
            "InfoParser": self.parse,
            "RobotUtil": self.by_util,
            "general_robotics_toolbox": self.by_toolbox,
            "AbstractRobot": self.by_driver,
        }
        answer: dict[str, Any] = {"refusals": {name: refusal(read, document) for name, read in readers.items()}}
        if positions := request.get("positions"):
            views = [alone(document, chain) for chain in document["chains"]]
            answer["poses"] = {
                name: [chain_poses(read(view)[0], view, positions) for view in views]
                for name, read in readers.items()
                if name != "InfoParser"
            }
            answer["inertias"] = [self.inertias(chain) for chain in self.parse(document).chains]
        return answer

    def inertias(self, chain: Any) -> list[dict[str, Any]]:
        if chain.link_inertias is None:
            return []
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        return [
            {"m": float(i["m"]), "com": [float(i["com"][k]) for k in "xyz"], "tensor": [float(i[n]) for n in names]}
            for i in chain.link_inertias
        ]


def refusal(read: Any, document: Any) -> str | None:
    try:
        with redirect_stderr(io.StringIO()):
            read(copy.deepcopy(document))
    except Exception as error:  # noqa: BLE001 - whatever a foreign reader throws is its verdict
        return f"{type(error).__name__}: {error}"
    return None


def alone(document: Any, chain: Any) -> Any:
    """The document with one chain and its joints only."""
    joints = [document["joint_info"][number] for number in chain["joint_numbers"]]
    return {**document, "chains": [{**chain, "joint_numbers": list(range(len(joints)))}], "joint_info": joints}


def chain_poses(robot: Any, view: Any, positions: list[dict[str, float]]) -> list[Any]:
    names = [joint["joint_identifier"] for joint in view["joint_info"]]
    names = [name if isinstance(name, str) else name["name"] for name in names]
    found = []
    for configuration in positions:
        pose = rox.fwdkin(robot, np.array([configuration[name] for name in names]), _ignore_limits=True)
        found.append(np.block([[pose.R, pose.p.reshape(3, 1)], [np.zeros((1, 3)), np.ones((1, 1))]]).tolist())
    return found


def new_node() -> Any:
    node = RobotRaconteur.RobotRaconteurNode()
    node.Init()
    RegisterStdRobDefServiceTypes(node)
    return node


def judge_all() -> None:
    node = new_node()
    readers = Readers(node)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(readers.judge(json.loads(line))) + "\n")
    node.Shutdown()


def definitions() -> None:
    """The real definitions: structures and named arrays with their fields, enumerations with their values."""
    folder = Path(RobotRaconteurCompanion.__file__).parent / "StdRobDef"
    found: dict[str, dict[str, Any]] = {"struct": {}, "namedarray": {}, "enum": {}}
    for file in sorted(folder.glob("com.robotraconteur.*.robdef")):
        kind, name = "", ""
        body: list[Any] = []
        for line in (raw.split("#")[0].strip() for raw in file.read_text().splitlines()):
            words = line.replace(",", " ").replace("=", " = ").split()
            if len(words) == 2 and words[0] in found:
                (kind, name), body = words, []
            elif words == ["end"] and kind:
                found[kind].setdefault(name, body)
                kind = ""
            elif words and kind:
                body.append(words[1:] if words[0] == "field" else words[0])
    sys.stdout.write(json.dumps(found) + "\n")


SERVICE = """service experimental.swgrm
stdver 0.10
import com.robotraconteur.robotics.robot
object Holder
    property com.robotraconteur.robotics.robot.RobotInfo robot_info [readonly]
end
"""


class Holder:
    def __init__(self, info: Any) -> None:
        self.robot_info = info


def over_the_wire() -> None:
    """Parses a document in one node, reads it from another, and prints its poses there."""
    request = json.loads(sys.stdin.readline())
    document = yaml.safe_load(request["text"])
    server, client = new_node(), new_node()
    server.SetNodeName("swgrm_judge")
    transports = [RobotRaconteur.IntraTransport(node) for node in (server, client)]
    transports[0].StartServer()
    transports[1].StartClient()
    server.RegisterTransport(transports[0])
    client.RegisterTransport(transports[1])
    server.RegisterServiceType(SERVICE)
    server.RegisterService(
        "holder", "experimental.swgrm.Holder", Holder(InfoParser(server).ParseInfoDict(document, ROBOT_INFO))
    )
    remote = client.ConnectService("rr+intra:///?nodename=swgrm_judge&service=holder")
    robot = RobotUtil(client, remote).robot_info_to_rox_robot(remote.robot_info, 0)
    sys.stdout.write(json.dumps({"poses": chain_poses(robot, document, request["positions"])}) + "\n")
    client.Shutdown()
    server.Shutdown()


if __name__ == "__main__":
    {"definitions": definitions, "wire": over_the_wire}.get(" ".join(sys.argv[1:]), judge_all)()
