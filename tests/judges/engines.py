"""Runs inside a simulator's own environment: `engines.py ENGINE` reads cases as JSON lines, answers each with one.

A case is {"file", "q": {joint: number, or x y z w of a ball}}. An answer is {"file", "ok", "error",
"poses": {body: 4×4}, "dofs": [[joint, number]], "M", "g", "replaced"}: without constraints, gravity 9.81 m/s² along −z,
the velocities of a ball joint as its angular velocity in the child's axes; `replaced` if the simulator took other
tensors than those of the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

GRAVITY = 9.81
REPLACES = ("While parsing inertia matrix", "While re-expressing as central inertia")  # how Drake reports it
Answer = dict[str, Any]
Engine = Callable[[str, dict[str, Any]], Answer]


def pinocchio(file: str, q: dict[str, Any]) -> Answer:
    import numpy as np
    import pinocchio as pin

    model = pin.buildModelFromMJCF(file) if file.endswith(".xml") else pin.buildModelFromUrdf(file)
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    at, dofs = pin.neutral(model), []
    for index, name in list(enumerate(model.names))[1:]:
        joint, value = model.joints[index], q.get(name, 0.0)
        if isinstance(value, list):
            at[joint.idx_q : joint.idx_q + joint.nq] = value
        elif joint.nq == 2:
            at[joint.idx_q : joint.idx_q + 2] = [np.cos(value), np.sin(value)]
        elif joint.nq == 1:
            at[joint.idx_q] = value
        dofs += [(joint.idx_v + n, [name, n]) for n in range(joint.nv)]
    data = model.createData()
    M = pin.crba(model, data, at)
    M = np.triu(M) + np.triu(M, 1).T
    g = pin.computeGeneralizedGravity(model, data, at)
    pin.framesForwardKinematics(model, data, at)
    poses = {
        frame.name: data.oMf[i].homogeneous.tolist()
        for i, frame in enumerate(model.frames)
        if frame.type == pin.FrameType.BODY
    }
    return {"poses": poses, "dofs": [dof for _, dof in sorted(dofs)], "M": M.tolist(), "g": g.tolist()}


def mujoco(file: str, q: dict[str, Any]) -> Answer:
    import mujoco
    import numpy as np

    is_usd = file.endswith(".usda")
    spec = mujoco.MjSpec.from_file(file)
    model: Any = spec.compile() if is_usd else mujoco.MjModel.from_xml_path(file)
    model.opt.gravity[:] = 0, 0, -GRAVITY
    data: Any = mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    dofs: list[Any] = [None] * model.nv
    for index in range(model.njnt):
        name = model.joint(index).name.rpartition("/")[2] if is_usd else model.joint(index).name
        place, start, value = int(model.jnt_qposadr[index]), int(model.jnt_dofadr[index]), q.get(name, 0.0)
        if isinstance(value, list):
            x, y, z, w = value
            data.qpos[place : place + 4] = w, x, y, z
        elif int(model.jnt_type[index]) in (2, 3):
            data.qpos[place] = value
        size = {0: 6, 1: 3}.get(int(model.jnt_type[index]), 1)
        dofs[start : start + size] = [[name, n] for n in range(size)]
    model.opt.disableflags = int(model.opt.disableflags) | int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    for column in range(model.nv):
        result = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, result, np.eye(model.nv)[column])
        M[:, column] = result
    poses = {}
    for index in range(1, model.nbody):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = data.xmat[index].reshape(3, 3), data.xpos[index]
        name = model.body(index).name
        poses[name.rpartition("/")[2] if is_usd else name] = T.tolist()
    return {"poses": poses, "dofs": dofs, "M": M.tolist(), "g": data.qfrc_bias.tolist()}


def drake(file: str, q: dict[str, Any]) -> Answer:
    import logging

    import numpy as np
    from pydrake.common.eigen_geometry import Quaternion
    from pydrake.math import RollPitchYaw, RotationMatrix
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant

    class Reports(logging.Handler):
        replaced = False

        def emit(self, record: logging.LogRecord) -> None:
            self.replaced = self.replaced or any(words in record.getMessage() for words in REPLACES)

    reports = Reports()
    logging.getLogger("drake").addHandler(reports)
    plant: Any = MultibodyPlant(0.001)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    (robot,) = Parser(plant).AddModels(file)
    moved = {plant.get_joint(index).child_body().index() for index in plant.GetJointIndices()}
    for index in set(plant.GetBodyIndices(robot)) - moved if file.endswith(".urdf") else ():
        plant.WeldFrames(plant.world_frame(), plant.get_body(index).body_frame())
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
    plant.Finalize()
    context = plant.CreateDefaultContext()
    size = plant.num_velocities()
    dofs: list[Any] = [["", n] for n in range(size)]
    turn, at = np.eye(size), plant.GetPositions(context)
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        start, value = joint.velocity_start(), q.get(joint.name(), 0.0)
        dofs[start : start + joint.num_velocities()] = [[joint.name(), n] for n in range(joint.num_velocities())]
        if isinstance(value, list):
            x, y, z, w = np.array(value) / np.linalg.norm(value)
            R = RotationMatrix(Quaternion(w, x, y, z))
            at[joint.position_start() : joint.position_start() + 3] = RollPitchYaw(R).vector()
            turn[start : start + 3, start : start + 3] = R.matrix()  # Drake's velocity is in the parent's axes
        elif joint.num_positions() == 1:
            at[joint.position_start()] = value
    plant.SetPositions(context, at)
    M = turn.T @ plant.CalcMassMatrix(context) @ turn
    g = -turn.T @ plant.CalcGravityGeneralizedForces(context)
    poses = {
        plant.get_body(i).name(): plant.EvalBodyPoseInWorld(context, plant.get_body(i)).GetAsMatrix4().tolist()
        for i in plant.GetBodyIndices(robot)
    }
    return {"poses": poses, "dofs": dofs, "M": M.tolist(), "g": g.tolist(), "replaced": reports.replaced}


def newton(file: str, q: dict[str, Any]) -> Answer:
    import newton
    import newton_usd_schemas  # noqa: F401 - it registers the schemas
    import numpy as np
    import warp

    builder = newton.ModelBuilder()
    add = {"usda": builder.add_usd, "xml": builder.add_mjcf, "urdf": builder.add_urdf}
    add[file.rpartition(".")[2]](file)
    for frames in (builder.joint_X_p, builder.joint_X_c):  # its MJCF reader does not normalise what it multiplies
        frames[:] = [warp.transform(warp.transform_get_translation(X), warp.normalize(X.q)) for X in frames]
    given = np.array(builder.body_inertia, float).reshape(-1, 3, 3)
    model = builder.finalize(device="cpu")
    change = np.abs(model.body_inertia.numpy() - given).max(axis=(1, 2), initial=0.0)
    replaced = bool((change > 1e-6 * np.abs(given).max(axis=(1, 2), initial=0.0)).any())
    at, starts, velocities = model.joint_q.numpy(), model.joint_q_start.numpy(), model.joint_qd_start.numpy()
    dofs: list[Any] = []
    turns = []
    for index, label in enumerate(builder.joint_label):
        if builder.joint_articulation[index] < 0:
            continue  # it closes a loop
        name = label.rpartition("/")[2]
        value, start, count = q.get(name, 0.0), len(dofs), int(velocities[index + 1] - velocities[index])
        dofs += [[name, n] for n in range(count)]
        if isinstance(value, list) and count == 3:
            at[starts[index] : starts[index] + 4] = value
            turns.append((start, _rotation(value)))  # Newton's velocity is in the parent's axes
        elif count == 1:
            at[starts[index]] = value
    turn = np.eye(len(dofs))
    for start, R in turns:
        turn[start : start + 3, start : start + 3] = R
    state = model.state()
    state.joint_q.assign(at)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    found = newton.eval_mass_matrix(model, state) if dofs else None
    H = np.zeros((0, 0)) if found is None else found.numpy().astype(float)
    H = H.reshape(H.shape[-2:])[: len(dofs), : len(dofs)]
    poses = {}
    for label, pose in zip(builder.body_label, state.body_q.numpy().astype(float), strict=True):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = _rotation(pose[3:]), pose[:3]
        poses[label.rpartition("/")[2]] = T.tolist()
    return {"poses": poses, "dofs": dofs, "M": (turn.T @ H @ turn).tolist(), "replaced": replaced}


def _rotation(quaternion: Any) -> list[list[float]]:
    """The matrix of a quaternion, scalar last; those of Newton are of length one to single precision only."""
    length = sum(float(value) ** 2 for value in quaternion) ** 0.5
    x, y, z, w = (float(value) / length for value in quaternion)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


ENGINES: dict[str, Engine] = {"pinocchio": pinocchio, "mujoco": mujoco, "drake": drake, "newton": newton}


def main() -> None:
    from ask import in_child  # beside this script; its environment does not have this project

    engine = ENGINES[sys.argv[1]]
    forks = sys.argv[1] != "newton"  # its kernels are compiled once per process

    def judge(file: str, q: dict[str, Any], _: bool) -> Answer:
        return engine(file, q)

    for line in sys.stdin:
        case = {**json.loads(line), "meshes": False}
        if forks:
            answer = in_child(judge, case)
        else:
            from ask import answer as answer_of

            answer = answer_of(judge, case)
        sys.stdout.write("\n" + json.dumps({"file": case["file"], **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
