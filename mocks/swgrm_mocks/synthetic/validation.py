"""A second opinion on URDF: urdfx where it is installed, else the first other reader that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple


class UrdfValidation(NamedTuple):
    """Who read it, and what was wrong."""

    reader: str
    errors: list[str]


def _urdfx(library: Any, text: str) -> None:  # noqa: ANN401 - a library that we need not have
    model = library.URDFParser().parseString(text)
    library.Robot(model)


def _pinocchio(library: Any, text: str) -> None:  # noqa: ANN401
    library.buildModelFromXML(text)


def _urdf_parser_py(library: Any, text: str) -> None:  # noqa: ANN401
    library.URDF.from_xml_string(text.encode()).get_root()


def _swgrm(library: Any, text: str) -> None:  # noqa: ANN401
    library.loads(text)


# In the order of preference: the name, the module, and how it is asked. The last one is always there.
READERS: Mapping[str, tuple[str, Callable[[Any, str], None]]] = {
    "urdfx": ("urdfx", _urdfx),
    "pinocchio": ("pinocchio", _pinocchio),
    "urdf_parser_py": ("urdf_parser_py.urdf", _urdf_parser_py),
    "swgrm": ("swgrm_exporters.urdf.reader", _swgrm),
}


def validate(text: str) -> UrdfValidation:
    """What the first reader that is installed says about a URDF."""
    for name, (module, ask) in READERS.items():
        try:
            library = import_module(module)
        except ImportError:
            continue
        try:
            ask(library, text)
        except Exception as error:  # noqa: BLE001 - a foreign reader may raise anything; that is its verdict
            return UrdfValidation(name, [f"{type(error).__name__}: {error}"])
        return UrdfValidation(name, [])
    raise AssertionError("swgrm's own reader is always there")
