"""The root of the capture's records."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True, omit_defaults=True):
    """A frozen piece of the capture: camelCase in the file, unknown keys refused."""
