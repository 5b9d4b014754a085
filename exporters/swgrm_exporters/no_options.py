"""The options of a format that has none, in a module of their own: a declaration of a format loads no library."""

import msgspec


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No options."""
