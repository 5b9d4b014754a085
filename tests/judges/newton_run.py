"""Runs in Newton's environment: reads cases as JSON lines, drives each MJCF file for two seconds, answers with a line.

A case is {"file", "home": {joint: position}, "swings": {joint: amplitude}, "points": [[body, point, body, point]],
"relations": [[{joint: coefficient}, constant]]}: the points must coincide, and the sums be zero. The answer has the
worst "gap" [m] and "coupling", the "mobility" with all equalities, and the "tracking" of each joint that is driven.
Newton's MuJoCo solver computes on the processor, with gravity and contacts; the first half second does not count.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TIME, TICK, SETTLED, PERIOD = 2.0, 0.001, 0.5, 2.0  # [s]


def judge(case: dict[str, Any]) -> dict[str, Any]:
    import mujoco
    import newton
    import numpy as np

    solvers = newton.solvers.SolverMuJoCo
    builder = newton.ModelBuilder()
    solvers.register_custom_attributes(builder)
    builder.add_mjcf(case["file"])
    bodies = {label.rpartition("/")[2]: index for index, label in enumerate(builder.body_label)}
    places = {label.rpartition("/")[2]: start for label, start in zip(builder.joint_label, builder.joint_q_start)}  # noqa: B905 - one more
    model = builder.finalize(device="cpu")
    at = model.joint_q.numpy()
    for name, value in case["home"].items():
        at[places[name] : places[name] + (len(value) if isinstance(value, list) else 1)] = value
    state, other, control = model.state(), model.state(), model.control()
    state.joint_q.assign(at)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    solver = solvers(model, use_mujoco_cpu=True, jacobian="dense", njmax=2000, nconmax=2000)
    target = control.joint_target_q.numpy()
    starts = model.joint_target_q_start.numpy()
    index = {label.rpartition("/")[2]: number for number, label in enumerate(builder.joint_label)}
    worst = {"gap": 0.0, "coupling": 0.0}
    errors: dict[str, list[float]] = {name: [] for name in case["swings"]}
    for step in range(round(TIME / TICK)):
        share = (1 - np.cos(2 * np.pi * step * TICK / PERIOD)) / 2
        wanted = {name: case["home"].get(name, 0.0) + size * share for name, size in case["swings"].items()}
        for name, value in wanted.items():
            target[starts[index[name]]] = value
        control.joint_target_q.assign(target)
        solver.step(state, other, control, None, TICK)
        state, other = other, state
        if step * TICK < SETTLED:
            continue
        q, poses = state.joint_q.numpy().astype(float), state.body_q.numpy().astype(float)
        for one, p, two, r in case["points"]:
            gap = _point(poses, bodies.get(one), p) - _point(poses, bodies.get(two), r)
            worst["gap"] = max(worst["gap"], float(np.linalg.norm(gap)))
        for coefficients, constant in case["relations"]:
            sum_ = constant + sum(factor * q[places[name]] for name, factor in coefficients.items())
            worst["coupling"] = max(worst["coupling"], abs(float(sum_)))
        for name, value in wanted.items():
            errors[name].append(float(q[places[name]]) - value)
    data, size = solver.mj_data, solver.mj_model.nv
    mujoco.mj_forward(solver.mj_model, data)
    J = data.efc_J.reshape(-1, max(size, 1))[: data.ne]
    mobility = size - (int(np.linalg.matrix_rank(J, tol=1e-6)) if len(J) else 0)
    tracking = {
        name: [*(float(np.abs(e).max()) for e in (np.array(each) - np.mean(each), each)), abs(case["swings"][name])]
        for name, each in errors.items()
    }
    return {
        "ok": True,
        **worst,
        "mobility": mobility,
        "tracking": tracking,
        "bad": [int(w.number) for w in data.warning],
    }


def _point(poses: Any, body: int | None, point: list[float]) -> Any:
    """A point of a body in the world; a body that is not there is fixed in it."""
    import numpy as np

    if body is None:
        return np.array(point)
    p, u, w = poses[body][:3], poses[body][3:6], poses[body][6]
    turned = np.array(point) + 2 * np.cross(u, np.cross(u, point) + w * np.array(point))
    return p + turned


def main() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = judge(case)
        except Exception as error:  # noqa: BLE001 - whatever Newton raises is its verdict
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"[:300]}
        sys.stdout.write("\n" + json.dumps({"file": case["file"], **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
