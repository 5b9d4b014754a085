"""The base class of the capture's records."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """An immutable record of the capture: keys are camelCase in the file, and unknown keys are an error."""
