"""The round trip: a robot, realised by random mates, read from the mock SolidWorks, inferred, is the same robot."""

from collections import Counter

import numpy as np
import pytest
from tests.full import IS_FULL, ROBOTS
from tests.lookups import joint_of
from tests.robots import random_tree
from tests.round_trip import Return
from tests.verifier import Verifier

from swgrm.capture import Capture
from swgrm.inference import infer
from swgrm.model import JointType
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_mocks.realisations import REALISATIONS
from swgrm_mocks.realise import RealisationOptions, realise
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

EXACT = 1e-9
BATCH = 50


def through_the_mock(capture: Capture) -> Capture:
    application = Port(MemoryTransport()).wrap(MockSolidWorks(capture).application, "ISldWorks")
    return read(application).value


@pytest.mark.parametrize("batch", range(ROBOTS // BATCH))
def test_random_robots_come_back(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        robot = random_tree(seed)
        realised = realise(robot, seed, RealisationOptions(fasteners=seed % 3))
        came = Return(robot, realised, infer(through_the_mock(realised.capture())))
        came.check_tree()
        came.check_joints(EXACT)
        came.check_findings()
        chance = np.random.default_rng(seed)
        assert all(came.worst_pose(chance, EXACT) < EXACT for _ in range(2)), seed


@pytest.mark.parametrize("noise", [1e-9, 1e-8])
def test_noise_moves_poses_no_further_than_its_lever(noise: float) -> None:
    """10 · ε · reach / baseline: entities of a joint lie some 5 cm apart, the robots reach a few metres."""
    for seed in range(200 if IS_FULL else 30):
        robot = random_tree(seed)
        realised = realise(robot, seed, RealisationOptions(noise=noise))
        came = Return(robot, realised, infer(realised.capture()))
        reach = sum(float(np.linalg.norm(frame.transform.pos)) + 1.0 for frame in robot.frames)
        tolerance = 10 * noise * reach / 0.05
        came.check_tree()
        came.check_joints(tolerance)
        assert came.worst_pose(np.random.default_rng(seed), tolerance) < tolerance, seed


def test_every_realisation_of_every_joint_type_is_used() -> None:
    used: Counter[str] = Counter()
    for seed in range(200):
        for ways in realise(random_tree(seed), seed).realisations.values():
            used.update(ways.split(" and "))
    everything = {way for ways in REALISATIONS.values() for way in ways}
    assert set(used) >= {part for way in everything for part in way.split(" and ")}
    assert all(len(REALISATIONS[kind]) >= 4 for kind in JointType)


@pytest.mark.parametrize("seed", range(200 if IS_FULL else 40))
def test_moving_each_joint_through_its_range_keeps_every_mate(seed: int) -> None:
    robot = random_tree(seed)
    verifier = Verifier(infer(realise(robot, seed).capture()))
    assert verifier.worst({}) < 1e-12
    for name in verifier.kinematics.independent:
        joint = joint_of(verifier.inference.robot, name)
        lower, upper = joint.limits.lower, joint.limits.upper
        if joint.type is JointType.BALL:
            positions = [(0.5, 0.5, 0.5, 0.5), (0.6, 0.0, 0.8, 0.0)]
        else:
            positions = np.linspace(-3.0 if lower is None else lower, 3.0 if upper is None else upper, 5).tolist()
        for position in positions:
            assert verifier.worst({name: position}) < 1e-9, name
