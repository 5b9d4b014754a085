"""Kinds of processors, and the settings that make this one behave as another."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import threadpoolctl


class Kind(NamedTuple):
    """A level of the x86-64 instruction set, and what the numerical libraries use on it."""

    name: str
    core: str  # OPENBLAS_CORETYPE
    features: tuple[str, ...]  # groups that numpy's own loops may use, as numpy.show_config() prints them


# The names of groups are those of numpy 2.4 and newer, then those of older releases.
V3_FEATURES = ("X86_V3", "AVX", "F16C", "FMA3", "AVX2")
V4_FEATURES = ("X86_V4", "AVX512")
KINDS = (
    Kind("x86-64-v2", "Nehalem", ()),
    Kind("x86-64-v3", "Haswell", V3_FEATURES),
    Kind("x86-64-v4", "SkylakeX", (*V3_FEATURES, *V4_FEATURES)),
)


def numpy_features() -> tuple[str, ...]:
    """The groups of instructions above its baseline that numpy uses in this process."""
    return tuple(np.show_config(mode="dicts")["SIMD Extensions"].get("found", ()))


def own_kind() -> Kind | None:
    """The kind that this process runs on; None if it is not an x86-64 processor."""
    if not _is_x86():
        return None
    features = numpy_features()
    if any(_is_in(feature, V4_FEATURES) for feature in features):
        return KINDS[2]
    if any(_is_in(feature, V3_FEATURES) for feature in features):
        return KINDS[1]
    return KINDS[0]


def supported_kinds() -> tuple[Kind, ...]:
    """The kinds that this machine can behave as: its own and the older ones."""
    own = own_kind()
    return KINDS[: KINDS.index(own) + 1] if own else ()


def environment(kind: Kind) -> dict[str, str]:
    """The variables of this process, with those that make a child process behave as the kind."""
    without = [feature for feature in numpy_features() if not _is_in(feature, kind.features)]
    return {
        **os.environ,
        "OPENBLAS_CORETYPE": kind.core,
        "NPY_DISABLE_CPU_FEATURES": " ".join(without),
    }


def describe_kernels() -> str:
    """The kernels of this process in one line, for the head of a test run."""
    cores = []
    for library in threadpoolctl.threadpool_info():
        if library["internal_api"] == "openblas":
            cores.append(library["architecture"])
    features = ", ".join(numpy_features()) or "its baseline"
    kind = own_kind()
    name = kind.name if kind else "not x86-64"
    return f"{name}, OpenBLAS {' and '.join(sorted(set(cores))) or 'not used'}, numpy {features}"


def _is_x86() -> bool:
    baseline = np.show_config(mode="dicts")["SIMD Extensions"]["baseline"]
    return any(feature.startswith(("X86", "SSE")) for feature in baseline)


def _is_in(feature: str, groups: tuple[str, ...]) -> bool:
    """Whether a feature is one of the groups; AVX512 stands for all that begin so, and AVX only for itself."""
    return feature in groups or ("AVX512" in groups and feature.startswith("AVX512"))
