"""The options of the ROS 2 package."""

from __future__ import annotations

from typing import Annotated

import msgspec


class PackageOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What the manifest states about the package; the options of the URDF file are those of the format `urdf`."""

    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")] = "0.1.0"
    maintainer: str = "you"
    email: Annotated[str, msgspec.Meta(pattern="^[^@ ]+@[^@ ]+$")] = "you@example.com"
    license: str = "TODO: License declaration"  # as ROS 2's own tool leaves it
    update_rate: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 100  # [Hz] of the controller manager
