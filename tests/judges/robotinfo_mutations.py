"""Broken RobotInfo documents: the lint's result for each is compared with the real readers."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from swgrm_exporters.yamltext import parse

EXAMPLE = Path(__file__).parents[1] / "golden" / "abb_irb1200.yml"
ZERO = {"x": 0.0, "y": 0.0, "z": 0.0}
STRANGE: tuple[Any, ...] = (
    *(
        None,
        "x",
        "revolute",
        "continuous",
        "name",
        "tags",
        "uuid",
        "",
        "false",
        "1",
        "1.5",
        "0x10",
        0,
        7,
        -1,
        2.5,
        True,
    ),
    *([], {}, [1], [0], [5], [None], ["jog_command"], {"a": 1}, {"name": "n"}, {**ZERO, "x": 1.0}, "0" * 32),
    float("inf"),
)


def example() -> dict[str, Any]:
    """A document with every kind of field, small enough that most mutations have an effect."""
    document: dict[str, Any] = parse(EXAMPLE.read_text())
    chain = document["chains"][0]
    chain["H"], chain["P"], chain["joint_numbers"] = chain["H"][:2], chain["P"][:3], [0, 1]
    tensor = {"ixx": 1.0, "ixy": 0.0, "ixz": 0.0, "iyy": 1.0, "iyz": 0.0, "izz": 1.0}
    turn = {"w": 1.0, **ZERO}
    chain["link_inertias"] = [{"m": 1.0, "com": dict(ZERO), **tensor} for _ in range(3)]
    chain["link_identifiers"] = ["a", {"name": "b"}, "c"]
    chain["tcp_max_velocity"] = {"angular": dict(ZERO), "linear": dict(ZERO)}
    chain["current_tool"] = {
        "device_info": {"device": "tool"},
        "tcp": {"rotation": dict(turn), "translation": dict(ZERO)},
        "tool_type": "other",
        "tool_capabilities": ["homing_command"],
    }
    document["joint_info"] = document["joint_info"][:2]
    units = [{"display_units": "m"}]
    document["signal_info"] = [{"signal_identifier": "s", "signal_type": "digital", "address": [1, 2], "units": units}]
    document["device_info"]["device_origin_pose"] = {"pose": {"orientation": dict(turn), "position": dict(ZERO)}}
    document["device_info"]["tags"] = ["t"]
    return document


def mutants(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Copies of the example with one or two places deleted, doubled or replaced."""
    rng = random.Random(seed)  # noqa: S311 - mutations, not secrets
    places = [place for place in _places(example()) if place]
    for _ in range(count):
        document = example()
        for _ in range(rng.choice([1, 1, 2])):
            _mutate(document, rng.choice(places), rng)
        yield document


def _places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from _places(each, (*above, key))


def _mutate(document: Any, place: tuple[Any, ...], rng: random.Random) -> None:
    holder = document
    try:
        for step in place[:-1]:
            holder = holder[step]
        kind = rng.choice(["delete", "double", "replace", "replace", "replace"])
        if kind == "delete":
            del holder[place[-1]]
        elif kind == "replace":
            holder[place[-1]] = copy.deepcopy(rng.choice(STRANGE))
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[place[-1]]))
    except (KeyError, IndexError, TypeError):
        return  # an earlier mutation removed the place
