"""Runs inside a simulator's own environment: `simulate.py SIMULATOR` reads cases as JSON lines, answers each with one.

A case is {"file": …, "joints": [those to push]}. The simulator loads the URDF with its meshes, without gravity, and
pushes each joint alone with a force that would move it by a small step in a short time: once with contacts, once
without. An answer is {"file", "ok", "error", "moves": {joint: [motion with contacts, without]}}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

TIME, TICK = 0.2, 0.001  # [s]
STEP = 0.1  # [rad]; a tenth of it for a prismatic joint [m]
Moves = dict[str, list[float]]


def mujoco(file: str, joints: list[str]) -> Moves:
    import mujoco
    import numpy as np

    model: Any = mujoco.MjModel.from_xml_path(file)
    model.opt.gravity[:] = 0
    model.opt.timestep = TICK
    flag = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)

    def pushed(joint: int, without: int) -> float:
        model.opt.disableflags = int(model.opt.disableflags) & ~flag | without
        data: Any = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        dof, place = int(model.jnt_dofadr[joint]), int(model.jnt_qposadr[joint])
        response = np.zeros((1, model.nv))
        mujoco.mj_solveM(model, data, response, np.eye(1, model.nv, dof))
        step = STEP * (0.1 if int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_SLIDE) else 1.0)
        start = float(data.qpos[place])
        data.qfrc_applied[dof] = 2 * step / TIME**2 / response[0, dof]
        for _ in range(round(TIME / TICK)):
            mujoco.mj_step(model, data)
        return float(data.qpos[place]) - start

    found: Moves = {}
    for name in joints:
        joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
        if joint < 0:
            raise ValueError(f"there is no joint {name}")
        found[name] = [pushed(joint, 0), pushed(joint, flag)]
    return found


def drake(file: str, joints: list[str]) -> Moves:
    import numpy as np
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, DiscreteContactApproximation, MultibodyPlant
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    def pushed(name: str, contacts: bool) -> float:
        builder: Any = DiagramBuilder()
        if contacts:
            plant: Any = AddMultibodyPlantSceneGraph(builder, TICK)[0]
        else:
            plant = builder.AddSystem(MultibodyPlant(TICK))
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        (robot,) = Parser(plant).AddModels(file)
        plant.WeldFrames(plant.world_frame(), plant.get_body(plant.GetBodyIndices(robot)[0]).body_frame())
        plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
        plant.Finalize()
        diagram = builder.Build()
        simulator: Any = Simulator(diagram)
        context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        joint = plant.GetJointByName(name)
        dof, place = joint.velocity_start(), joint.position_start()
        step = STEP * (0.1 if joint.type_name() == "prismatic" else 1.0)
        force = np.zeros(plant.num_velocities())
        force[dof] = 2 * step / TIME**2 / np.linalg.inv(plant.CalcMassMatrix(context))[dof, dof]
        plant.get_applied_generalized_force_input_port().FixValue(context, force)
        start = plant.GetPositions(context)[place]
        simulator.AdvanceTo(TIME)
        return float(plant.GetPositions(context)[place] - start)

    return {name: [pushed(name, True), pushed(name, False)] for name in joints}


SIMULATORS: dict[str, Callable[[str, list[str]], Moves]] = {"mujoco": mujoco, "drake": drake}


def main() -> None:
    from ask import in_child  # beside this script; its environment does not have this project

    move = SIMULATORS[sys.argv[1]]

    def judge(file: str, joints: list[str], _: bool) -> dict[str, Any]:
        return {"moves": move(file, joints)}

    for line in sys.stdin:
        case = json.loads(line)
        answer = in_child(judge, {"file": case["file"], "q": case["joints"], "meshes": True})
        sys.stdout.write(json.dumps({"file": case["file"], **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
