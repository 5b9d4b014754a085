"""Validation of URDF by another program: urdfx if installed, else the first installed reader of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import NamedTuple


class UrdfValidation(NamedTuple):
    """The reader that was used, and its errors."""

    reader: str
    errors: list[str]


def _urdfx(library: ModuleType, text: str) -> None:
    """Parse with the Python binding of urdfx, whose parser returns a Robot; `parseString` is the name in C++."""
    parser = library.URDFParser()
    parse = getattr(parser, "parse_string", None) or parser.parseString
    if not parse(text).validate():
        raise ValueError("urdfx parsed the robot, but its validation failed.")


def _pinocchio(library: ModuleType, text: str) -> None:
    library.buildModelFromXML(text)


def _urdf_parser_py(library: ModuleType, text: str) -> None:
    library.URDF.from_xml_string(text.encode()).get_root()


def _swgrm(library: ModuleType, text: str) -> None:
    library.loads(text)


# In order of preference: the name, the module and the call. The last one is always installed.
READERS: Mapping[str, tuple[str, Callable[[ModuleType, str], None]]] = {
    "urdfx": ("urdfx", _urdfx),
    "pinocchio": ("pinocchio", _pinocchio),
    "urdf_parser_py": ("urdf_parser_py.urdf", _urdf_parser_py),
    "swgrm": ("swgrm_exporters.urdf.reader", _swgrm),
}


def validate(text: str) -> UrdfValidation:
    """The errors of the first installed reader for a URDF text."""
    for name, (module, read) in READERS.items():
        try:
            library = import_module(module)
        except ImportError:
            continue
        try:
            read(library, text)
        except Exception as error:  # noqa: BLE001 - other readers may raise anything
            return UrdfValidation(name, [f"{type(error).__name__}: {error}"])
        return UrdfValidation(name, [])
    raise AssertionError("the reader of swgrm is always installed")
