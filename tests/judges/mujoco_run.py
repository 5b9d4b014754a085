"""Runs inside the judges' environment: reads cases as JSON lines, loads each in MuJoCo and answers with a JSON line.

A case is {"file": …, "q": {joint: position}}; an answer is {"file", "ok", "error", "warnings", "poses", "mass",
"joints", "mobility", "gap", "coupling", "tracking"}. Poses and the mass matrix are at the given positions. The robot is
then driven from its key frame `home`, each actuator by a slow sine inside its range, with gravity and contacts.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TIME = 2.0  # [s]
SETTLED = 0.5  # [s] after which errors count: gravity begins at once
SWING = 0.1  # [rad], or a tenth of it in m: the amplitude, where the range has room for it
PERIOD = 2.0  # [s]
SHARE = 0.2  # of the range


def judge(file: str, q: dict[str, Any], _: bool) -> dict[str, Any]:
    import mujoco

    warnings: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)
    model: Any = mujoco.MjModel.from_xml_path(file)
    answer = static(mujoco, model, q) | driven(mujoco, model)
    return {**answer, "warnings": warnings}


def static(mujoco: Any, model: Any, q: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    data = mujoco.MjData(model)
    for name, at in q.items():
        values = data.joint(name).qpos
        values[:] = [at[3], *at[:3]] if isinstance(at, list) else at
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_crb(model, data)
    mass = np.zeros((model.nv, model.nv))
    for column in range(model.nv):
        result = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, result, np.eye(model.nv)[column])
        mass[:, column] = result
    poses = {}
    for index in range(1, model.nbody):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        poses[model.body(index).name] = T.tolist()
    joints = [model.joint(index) for index in range(model.njnt)]
    order = {joint.name: [int(joint.dofadr[0]), {0: 6, 1: 3}.get(int(joint.type[0]), 1)] for joint in joints}
    return {"poses": poses, "mass": mass.tolist(), "joints": order}


def driven(mujoco: Any, model: Any) -> dict[str, Any]:
    import numpy as np

    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    home, swings = data.ctrl.copy(), [swing(model, index) for index in range(model.nu)]
    joints = [int(model.actuator_trnid[index][0]) for index in range(model.nu)]
    places = [int(model.jnt_qposadr[joint]) for joint in joints]
    gears = model.actuator_gear[:, 0]
    worst = {"connect": 0.0, "joint": 0.0}
    wanted: list[Any] = []
    found: list[Any] = []
    mobility = 0
    for step in range(round(TIME / model.opt.timestep)):
        t = step * model.opt.timestep
        data.ctrl[:] = home + np.array(swings) * gears * (1 - np.cos(2 * np.pi * t / PERIOD)) / 2
        mujoco.mj_step(model, data)
        if t < SETTLED:
            continue
        wanted.append(data.ctrl / gears)
        found.append(data.qpos[places].copy())
        rows = data.efc_id[: data.ne]
        for row in range(data.ne):
            kind = int(model.eq_type[rows[row]])
            key = "connect" if kind in (0, 1) else "joint"
            worst[key] = max(worst[key], abs(float(data.efc_pos[row])))
        if step % 100 == 0:
            J = data.efc_J.reshape(-1, max(model.nv, 1))[: data.ne]
            mobility = model.nv - (int(np.linalg.matrix_rank(J, tol=1e-6)) if len(J) else 0)
    tracking = {}
    for index, joint in enumerate(joints):
        if swings[index]:
            error = np.array([row[index] for row in found]) - np.array([row[index] for row in wanted])
            sways = error - error.mean()  # the mean is what gravity moves a drive that is not infinitely stiff
            worst_ = [float(np.abs(each).max()) for each in (sways, error)]
            tracking[model.joint(joint).name] = [*worst_, float(abs(swings[index]))]
    bad = [int(each.number) for each in data.warning]
    return {"mobility": mobility, "gap": worst["connect"], "coupling": worst["joint"], "tracking": tracking, "bad": bad}


def swing(model: Any, index: int) -> float:
    """The amplitude of an actuator's joint, towards the side of its range that has more room; zero of a motor."""
    joint = int(model.actuator_trnid[index][0])
    if not model.actuator_biasprm[index][1]:
        return 0.0
    size = SWING * (0.1 if int(model.jnt_type[joint]) == 2 else 1.0)
    if not model.jnt_limited[joint]:
        return size
    low, high = (float(each) for each in model.jnt_range[joint])
    start = float(model.key_qpos[0][int(model.jnt_qposadr[joint])]) if model.nkey else 0.0
    up, down = high - start, start - low
    return min(size, SHARE * up) if up >= down else -min(size, SHARE * down)


def main() -> None:
    from ask import in_child  # beside this script; its environment does not have this project

    for line in sys.stdin:
        case = json.loads(line)
        answer = in_child(judge, {"file": case["file"], "q": case["q"], "meshes": True})
        sys.stdout.write(json.dumps({"file": case["file"], **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
