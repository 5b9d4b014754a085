"""A stage composed of text layers: sublayers, payloads and references; other files go through usd-core."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from swgrm.errors import FileError, MissingExtra
from swgrm.storage.files import read_bytes
from swgrm_exporters.usd.core import usd_core
from swgrm_exporters.usd.parsing import AssetPath, PrimPath, PrimSpec, UsdLayer, UsdProblem, parse

LARGEST = 512 << 20  # [bytes] of a text layer
BINARY = b"PXR-USDC"  # how a binary layer begins
DEEPEST = 20  # layers inside each other
MOST_LAYERS = 1000  # of a stage, each counted as often as it is used


def open_stage(path: Path) -> UsdLayer:
    """The stage in a file: all its layers as one."""
    if read_bytes(path, largest=LARGEST).startswith(BINARY):
        try:
            return parse(_flattened(path))
        except UsdProblem as problem:
            raise problem.at(path) from None
    return _composed(path, 0, count(1))


def _flattened(path: Path) -> str:
    """The text of a binary file, composed by usd-core."""
    try:
        Usd = usd_core("Usd", "Reading a binary USD file")
    except MissingExtra as missing:
        raise FileError(path, str(missing).removesuffix("."), remedy="Or convert it to .usda with `usdcat`") from None
    try:
        stage = Usd.Stage.Open(str(path))
        return str(stage.Flatten().ExportToString())
    except Exception as error:
        raise FileError(path, f"usd-core cannot open it: {error}") from error


def _composed(path: Path, depth: int, layers: count[int]) -> UsdLayer:
    """A layer with what it is composed of, the stronger opinions first."""
    if depth > DEEPEST:
        raise FileError(path, f"layers are inside each other more than {DEEPEST} deep")
    if next(layers) > MOST_LAYERS:
        raise FileError(path, f"the stage has more than {MOST_LAYERS:,} layers", remedy="Use each layer once")
    try:
        own = parse(read_bytes(path, largest=LARGEST).decode("utf-8"))
    except UnicodeDecodeError:
        raise FileError(path, "it is not UTF-8 text") from None
    except UsdProblem as problem:
        raise problem.at(path) from None
    for asset in _listed(own.metadata.get("subLayers")):
        if isinstance(asset, AssetPath):
            _merge(own, _open(path, asset, depth, layers).prims)
    for spec in [*own.prims.values()]:
        for arc in ("payload", "references"):
            for each in _listed(spec.metadata.pop(arc, None)):
                _refer(own, spec, each, path, depth, layers)
    return own


def _refer(
    stage: UsdLayer,
    spec: PrimSpec,
    arc: Any,  # noqa: ANN401 - a value of USD
    path: Path,
    depth: int,
    layers: count[int],
) -> None:
    """Add what a payload or reference of a prim brings: the prims below its target."""
    asset, target = arc if isinstance(arc, tuple) and len(arc) == 2 else (arc, "")
    if not isinstance(asset, AssetPath):
        raise FileError(path, f"the prim {spec.path} refers to itself or to another prim, which is not read")
    if Path(asset).suffix == ".usdc":
        return  # the library of meshes, of which nothing is read
    layer = _open(path, asset, depth, layers)
    root = str(target) or f"/{layer.metadata.get('defaultPrim', '')}"
    prims = {
        spec.path + name.removeprefix(root): replace(each, path=spec.path + name.removeprefix(root))
        for name, each in layer.prims.items()
        if name == root or name.startswith(f"{root}/")
    }
    _merge(stage, {name: _moved(each, root, spec.path) for name, each in prims.items()})


def _moved(spec: PrimSpec, old: str, new: str) -> PrimSpec:
    def moved(value: Any) -> Any:  # noqa: ANN401 - a value of USD
        if isinstance(value, list):
            return [moved(each) for each in value]
        if isinstance(value, PrimPath) and (value == old or value.startswith(f"{old}/")):
            return PrimPath(new + value.removeprefix(old))
        return value

    return replace(spec, attributes={name: moved(value) for name, value in spec.attributes.items()})


def _open(path: Path, asset: AssetPath, depth: int, layers: count[int]) -> UsdLayer:
    is_elsewhere = "://" in asset or asset.startswith(("/", "\\")) or Path(asset).is_absolute()
    if is_elsewhere or Path(asset).suffix not in (".usda", ".usd"):
        raise FileError(path, f"it refers to `{asset[:120]}`; text layers beside it are read")
    return _composed(path.parent / asset, depth + 1, layers)


def _listed(value: Any) -> list[Any]:  # noqa: ANN401 - a value of USD
    return value if isinstance(value, list) else [] if value is None else [value]


def _merge(stage: UsdLayer, weaker: dict[str, PrimSpec]) -> None:
    for path, spec in weaker.items():
        own = stage.prims.get(path)
        if own is None:
            stage.prims[path] = spec
            continue
        own.type = own.type or spec.type
        own.is_over = own.is_over and spec.is_over
        own.metadata = spec.metadata | own.metadata
        own.attributes = spec.attributes | own.attributes
        own.schemas += [each for each in spec.schemas if each not in own.schemas]
