"""Runs inside the judges' own environment: `ask.py JUDGE` reads cases as JSON lines, answers each with a JSON line.

A case is {"file": …, "q": {joint: position}, "meshes": whether its mesh files must load}; an answer is {"file", "ok",
"error", "poses", "masses"}. Each case runs in a forked child with a time limit, because some judges crash or hang.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIMIT = 60  # [s]
Positions = dict[str, float]
Answer = dict[str, Any]
Judge = Callable[[str, Positions, bool], Answer]


def check_urdf(file: str, q: Positions, meshes: bool) -> Answer:  # noqa: ARG001 - it has neither
    prefix = next(path for entry in sys.path if (path := Path(entry) / "cmeel.prefix").is_dir())
    environment = {**os.environ, "LD_LIBRARY_PATH": str(prefix / "lib")}
    command = [str(prefix / "bin" / "check_urdf"), file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment, check=False)
    if done.returncode:
        raise ValueError((done.stderr or done.stdout).strip()[-200:])
    return {}


def urdf_parser_py(file: str, q: Positions, meshes: bool) -> Answer:  # noqa: ARG001 - it has neither
    from urdf_parser_py.urdf import URDF

    robot = URDF.from_xml_string(Path(file).read_bytes())
    robot.get_root()
    return {}


def yourdfpy(file: str, q: Positions, meshes: bool) -> Answer:
    import yourdfpy

    robot = yourdfpy.URDF.load(
        file,
        build_scene_graph=True,
        build_collision_scene_graph=meshes,
        load_meshes=meshes,
        load_collision_meshes=meshes,
    )
    if meshes and not robot.scene.geometry:
        raise ValueError("no mesh was loaded")
    if not robot.validate():
        raise ValueError(f"validate() is false: {robot.errors[:3]}")
    robot.update_cfg({name: value for name, value in q.items() if name in robot.actuated_joint_names})
    return {"poses": {name: robot.get_transform(name).tolist() for name in robot.link_map}}


def pinocchio(file: str, q: Positions, meshes: bool) -> Answer:
    import numpy as np
    import pinocchio as pin

    model = pin.buildModelFromUrdf(file)
    at = pin.neutral(model)
    for name, value in q.items():
        if model.existJointName(name):
            joint = model.joints[model.getJointId(name)]
            at[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(value), np.sin(value)] if joint.nq == 2 else [value]
    if meshes:
        for kind in (pin.GeometryType.VISUAL, pin.GeometryType.COLLISION):
            pin.buildGeomFromUrdf(model, file, kind, package_dirs=[str(Path(file).parent)])
    data = model.createData()
    pin.framesForwardKinematics(model, data, at)
    bodies = [i for i, frame in enumerate(model.frames) if frame.type == pin.FrameType.BODY]
    masses = {
        name: [i.mass, *i.lever.tolist(), *i.inertia.ravel().tolist()]
        for name, i in zip(model.names, model.inertias, strict=True)
    }
    return {"poses": {model.frames[i].name: data.oMf[i].homogeneous.tolist() for i in bodies}, "masses": masses}


def mujoco(file: str, q: Positions, meshes: bool) -> Answer:
    import mujoco
    import numpy as np

    model = mujoco.MjModel.from_xml_path(file) if meshes else mujoco.MjModel.from_xml_string(without_meshes(file))
    if meshes and not model.nmesh:
        raise ValueError("no mesh was loaded")
    data = mujoco.MjData(model)
    for name, value in q.items():
        index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
        if index >= 0 and model.jnt_type[index] in (2, 3):
            data.qpos[model.jnt_qposadr[index]] = value
    mujoco.mj_kinematics(model, data)
    poses = {}
    for index in range(1, model.nbody):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        poses[model.body(index).name] = T.tolist()
    return {"poses": poses}


def catkin_pkg(file: str, q: Positions, meshes: bool) -> Answer:  # noqa: ARG001 - it has neither
    """ROS 2's own reader of package.xml, which colcon uses."""
    from catkin_pkg.package import parse_package

    warned: list[str] = []
    package = parse_package(file, warnings=warned)
    if warned or package.get_build_type() != "ament_cmake":
        raise ValueError(f"{package.get_build_type()}: {warned}")
    return {}


def without_meshes(file: str) -> str:
    """MuJoCo finds mesh files by rules of its own; each is replaced by a ball, so that the robot itself is judged."""
    from lxml import etree

    tree = etree.parse(file)
    for mesh in tree.iter("mesh"):
        geometry = mesh.getparent()
        assert geometry is not None
        geometry.replace(mesh, etree.Element("sphere", radius="0.01"))
    return etree.tostring(tree).decode()


JUDGES = {each.__name__: each for each in (check_urdf, urdf_parser_py, yourdfpy, pinocchio, mujoco, catkin_pkg)}
LOADS = {"urdf_parser_py": "urdf_parser_py.urdf", "check_urdf": "json", "catkin_pkg": "catkin_pkg.package"}


def answer(judge: Judge, case: Answer) -> Answer:
    try:
        return {"ok": True, **judge(case["file"], case["q"], case["meshes"])}
    except Exception as error:  # noqa: BLE001 - a judge may raise anything; that is its verdict
        return {"ok": False, "error": f"{type(error).__name__}: {error}"[:300]}


def in_child(judge: Judge, case: Answer) -> Answer:
    """The answer of a forked child, or the error with which it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(LIMIT)
        with contextlib.redirect_stdout(sys.stderr), os.fdopen(writer, "w") as out:
            out.write(json.dumps(answer(judge, case)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if not text:
        return {"ok": False, "error": f"the judge died, status {status}"}
    verdict: Answer = json.loads(text)
    return verdict


def main() -> None:
    name = sys.argv[1]
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    __import__(LOADS.get(name, name))
    for line in sys.stdin:
        case = json.loads(line)
        sys.stdout.write(json.dumps({"file": case["file"], **in_child(JUDGES[name], case)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
