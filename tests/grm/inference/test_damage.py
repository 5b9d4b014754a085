"""Damaged mates: inference still gives a robot with all parts, and reports the mates."""

import random

import msgspec
import pytest
from tests.full import IS_FULL
from tests.grm.inference.test_laws import capture_of

from swgrm import dumps
from swgrm.capture import Capture, Mate
from swgrm.inference import infer
from swgrm_mocks.samples import sample

SEEDS = range(400 if IS_FULL else 40)
NUMBERS = (float("nan"), float("inf"), -float("inf"), 0.0, 1e300, 1e-300, -1.0, 1e20, 5.0)
replace = msgspec.structs.replace


def broken(mate: Mate, chance: random.Random) -> Mate:
    """The mate with one value that SolidWorks does not return."""
    entities = list(mate.entities)
    place = chance.randrange(len(entities))
    entity = entities[place]
    number = chance.choice(NUMBERS)
    at = chance.randrange(max(len(entity.params), 1))
    ways = (
        lambda: [replace(entity, params=(*entity.params[:at], number, *entity.params[at + 1 :]))],
        lambda: [replace(entity, params=entity.params[:at])],
        lambda: [replace(entity, type=chance.randrange(12))],
        lambda: [replace(entity, component=chance.choice((None, "ghost-1", entities[0].component)))],
        list,
        lambda: [entity, entity],
    )
    kind = chance.randrange(len(ways) + 2)
    if kind == len(ways):
        return replace(mate, type=chance.choice([None, *range(30)]))
    if kind > len(ways):
        return replace(mate, maximum_variation=number, minimum_variation=chance.choice(NUMBERS))
    return replace(mate, entities=(*entities[:place], *ways[kind](), *entities[place + 1 :]))


def damaged(capture: Capture, chance: random.Random) -> Capture:
    def some(mates: tuple[Mate, ...]) -> tuple[Mate, ...]:
        return tuple(broken(m, chance) if m.entities and chance.random() < 0.3 else m for m in mates)

    return replace(capture, documents=tuple(replace(d, mates=some(d.mates)) for d in capture.documents))


@pytest.mark.parametrize("seed", SEEDS)
def test_any_damage_to_mates_gives_a_robot_with_all_parts(seed: int) -> None:
    capture = damaged(capture_of(seed % 60, fasteners=seed % 2), random.Random(seed))  # noqa: S311 - tests, not secrets
    robot = infer(capture).robot
    assert dumps(robot)
    parts = {component.name for component in capture.components if not component.is_assembly}
    assert {link.name for _, link in robot.links()} >= parts


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e300])
@pytest.mark.parametrize("seed", range(8))
def test_a_mate_whose_geometry_is_not_finite_is_reported(seed: int, number: float) -> None:
    capture = capture_of(seed)
    root = next(d for d in capture.documents if d.path == capture.source.path)
    spoilt = next(m for m in root.mates if m.type != 16 and m.entities)  # a lock needs no geometry
    first = replace(spoilt.entities[0], params=(number, *spoilt.entities[0].params[1:]))
    mates = tuple(replace(m, entities=(first, *m.entities[1:])) if m is spoilt else m for m in root.mates)
    documents = tuple(replace(d, mates=mates) if d is root else d for d in capture.documents)
    assert f"mate {spoilt.name}" in {finding.where for finding in infer(replace(capture, documents=documents)).findings}


def test_a_coupling_without_its_definition_is_reported() -> None:
    capture = sample("gripper")
    documents = tuple(replace(d, mates=tuple(replace(m, data=None) for m in d.mates)) for d in capture.documents)
    found = {f.where for f in infer(replace(capture, documents=documents)).findings if f.code == "coupling-unused"}
    couplings = {f"mate {m.name}" for d in capture.documents for m in d.mates if m.name.startswith(("Gear", "Rack"))}
    assert found == couplings
    assert len(couplings) == 4
