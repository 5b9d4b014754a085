"""The law: one to three mates that take nothing away leave the robot as it was, whatever the assembly."""

from collections.abc import Callable

import numpy as np
import pytest
from tests.bench.bench_inference import four_bars, scissor
from tests.closed_chains import random_chain
from tests.full import IS_FULL
from tests.grm.inference import test_implied_mates, test_redundancy
from tests.grm.inference.test_laws import capture_of
from tests.grm.inference.test_mechanisms import MECHANISMS
from tests.implied_mates import with_implied_mates

from swgrm.capture import Capture
from swgrm.inference import Inference, infer
from swgrm_mocks.builder import Assembly
from swgrm_mocks.samples import SAMPLES, sample

TOLERANCE = 1e-6  # [rad or m] of axes, points and limits


def _of(make: Callable[[], Assembly]) -> Callable[[], Capture]:
    return lambda: make().capture()


ASSEMBLIES: dict[str, Callable[[], Capture]] = {
    **{f"sample {name}": lambda name=name: sample(name) for name in sorted(SAMPLES)},  # type: ignore[misc]
    **{f"tree {seed}": lambda seed=seed: capture_of(seed) for seed in range(12)},  # type: ignore[misc]
    **{
        f"chain {seed}": lambda seed=seed: random_chain(seed).assembly.capture()  # type: ignore[misc]
        for seed in range(27)
    },
    **{
        f"mechanism {name}": lambda make=made[0]: make().assembly.capture()  # type: ignore[misc]
        for name, made in MECHANISMS.items()
    },
    **{f"redundant {name}": _of(case[0]) for name, case in test_redundancy.CASES.items()},
    "mast": _of(lambda: test_implied_mates.mast(3)),
    "telescope": _of(lambda: test_implied_mates.telescope(4)),
    "telescope without limits": _of(lambda: test_implied_mates.telescope(4, is_limited=False)),
    "spindle": _of(test_implied_mates.spindle),
    "lift": _of(test_implied_mates.lift),
    "coupled slides": _of(test_implied_mates.coupled_slides),
    "gripper": _of(lambda: test_implied_mates.gripper()),
    "gripper, opening": _of(lambda: test_implied_mates.gripper("opening")),
    "four-bars": lambda: four_bars(10),
    "scissor": lambda: scissor(8),
}
SEEDS = range(40 if IS_FULL else 2)


def facts(seen: Inference) -> dict[str, object]:
    """What must not change: bodies, joints with their types, limits and couplings, loop joints, relations, the base."""
    found: dict[str, object] = {
        "mobility": seen.mobility,
        "root": seen.tree.root,
        "bodies": seen.mechanism.labels.tolist(),
        "unattached": seen.tree.unattached,
        "relations": [sorted((name, round(c, 6)) for name, c in r.terms.items()) for r in seen.robot.relations],
    }
    for joint in seen.tree.joints:
        found[f"joint {joint.child}"] = joint.parent, tuple(simple.type for simple in joint.chain)
    for joint in seen.tree.loops:
        found[f"loop {joint.pair.edge}"] = tuple(simple.type for simple in joint.chain)
    for name, frame in seen.robot.joints.items():
        if frame.joint is not None:
            coupling = frame.joint.coupling
            found[f"coupling {name}"] = (coupling.joint, round(coupling.ratio, 6)) if coupling else None
            limits = frame.joint.limits
            found[f"limits {name}"] = np.array([np.nan if x is None else x for x in (limits.lower, limits.upper)])
            found[f"axis {name}"] = np.array(frame.joint.axis, float)
            found[f"place {name}"] = frame.transform.matrix
    return found


def differences(before: Inference, after: Inference) -> list[str]:
    """The facts that differ, in words."""
    one, other = facts(before), facts(after)
    found = [f"{key}: {one.get(key)} {other.get(key)}" for key in sorted(one.keys() ^ other.keys())]
    for key in sorted(one.keys() & other.keys()):
        first, second = one[key], other[key]
        if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
            is_same = np.allclose(first, second, atol=TOLERANCE, rtol=0, equal_nan=True)
        else:
            is_same = first == second
        if not is_same:
            found.append(f"{key}: {first} {second}")
    return found


@pytest.mark.parametrize("name", sorted(ASSEMBLIES))
def test_mates_that_take_nothing_away_change_nothing(name: str) -> None:
    capture = ASSEMBLIES[name]()
    seen = infer(capture)
    for seed in SEEDS:
        more, added = with_implied_mates(capture, seen, 1 + seed % 3, seed)
        assert differences(seen, infer(more)) == [], (seed, added)
