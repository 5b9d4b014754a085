"""usd-core, an optional library: binary layers are written and read through it."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from swgrm.errors import MissingExtra


def is_installed() -> bool:
    """Whether usd-core is there."""
    return importlib.util.find_spec("pxr") is not None


def usd_core(module: str, purpose: str) -> Any:  # noqa: ANN401 - a module without types
    """A module of usd-core, such as `Sdf`; a MissingExtra if it is not installed."""
    if not is_installed():
        raise MissingExtra(purpose, "usd-core", "usd")
    return importlib.import_module(f"pxr.{module}")
