"""The parameters of a sensor as URDF's elements: nested data as flat properties, and back.

    {"camera": {"image": {"width": 640}}}   camera.image.width   <camera><image width="640"/></camera>
    {"topic": "/scan"}                      topic.#text          <topic>/scan</topic>
    {"gain": {"rgb": [1, 0.5, 0]}}          gain.rgb             <gain rgb="1 0.5 0"/>
    {"ray": [{"min": 0.1}, {"min": 0.2}]}   ray.min, ray[2].min  <ray min="0.1"/><ray min="0.2"/>

A boolean is `true` or `false`, a number has all its digits. The file's note has the values as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from swgrm.model import Params, Sensor
from swgrm_exporters.numbers import EXACT, Numbers
from swgrm_exporters.urdf.props import OWN, TEXT

_EXACT = Numbers(EXACT)


def flat_params(params: Params) -> Iterator[tuple[str, str]]:
    """The properties of parameters, in their order; a key may occur twice where two parameters have one path."""
    for key, value in params.items():
        yield from _flat(key, value, is_attribute="." in key)


def _flat(path: str, value: Any, *, is_attribute: bool) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - JSON data
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{path}.{key}", inner, is_attribute=True)
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping | list | tuple) for item in value):
        for number, item in enumerate(value, 1):
            yield from _flat(path if number == 1 else f"{path}[{number}]", item, is_attribute=False)
    else:
        yield path if is_attribute else f"{path}.{TEXT}", _text(value)


def _text(value: Any) -> str:  # noqa: ANN401 - JSON data
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    if isinstance(value, bool | None):
        return {True: "true", False: "false", None: ""}[value]
    return _EXACT.text(value) if isinstance(value, float) else str(value)


def params_as_read(sensor: Sensor) -> Params:
    """The parameters that reading gives of a sensor that was written, without its note."""
    flat = {**dict(flat_params(sensor.params)), **sensor.props}
    return {key: text for key, text in flat.items() if not key.startswith(OWN)}
