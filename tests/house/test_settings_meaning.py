"""Every key of the settings has its meaning in the table that the drafted settings file shows."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec

from swgrm.settings import JointSettings, Settings
from swgrm_addin.settings_file import section_types
from swgrm_addin.settings_meaning import FREE, MEANING


def known_keys() -> dict[str, set[str]]:
    """The keys of every section with keys of its own; those of a joint for `joints`."""
    kinds: dict[str, Any] = {field.encode_name: field.type for field in msgspec.structs.fields(Settings)}
    kinds["joints"] = JointSettings
    for name, reference in section_types().items():
        module, _, kind = reference.partition(":")
        kinds[name] = getattr(import_module(module), kind)
    fields = {name: msgspec.structs.fields(kind) if isinstance(kind, type) else () for name, kind in kinds.items()}
    return {name: {each.encode_name for each in found} for name, found in fields.items() if found or name in FREE}


def test_every_key_of_the_settings_has_a_meaning() -> None:
    for section, keys in known_keys().items():
        assert section in FREE or set(MEANING.get(section, {})) == keys, f"swgrm_addin/settings_meaning.py: {section}"
    assert {field.encode_name for field in msgspec.structs.fields(Settings)} <= {*MEANING, *FREE}
