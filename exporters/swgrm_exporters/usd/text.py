"""The text of USD layers: prims with metadata, attributes and relationships, written in one fixed order.

Numbers are written in the shortest form that gives the same float or double again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swgrm.model import Pose, Vec3

HEAD = "#usda 1.0\n"
STAGE = {"kilogramsPerUnit": "1", "metersPerUnit": "1", "upAxis": '"Z"'}  # USD's own defaults are centimetres and y


@dataclass(frozen=True, eq=False)
class ArrayValue:
    """A large value: integers, or tuples of three floats, each so many times in a row."""

    array: NDArray[Any]  # (n,) of int, or (n, 3) of float
    times: int = 1

    @property
    def text(self) -> str:
        """The value in a text layer."""
        if self.array.ndim == 1:
            return integers(np.repeat(self.array, self.times))
        return repeated_points(self.array, self.times)

    @property
    def numbers(self) -> NDArray[np.int32] | NDArray[np.float32]:
        """The value as usd-core takes it, in 32 bits."""
        repeated = np.repeat(self.array, self.times, axis=0)
        return repeated.astype(np.int32) if self.array.ndim == 1 else _floats(repeated)


@dataclass
class UsdPrim:
    """A prim: `def Type "name" (metadata) { attributes, prims }`."""

    name: str
    type: str = ""
    specifier: str = "def"
    metadata: dict[str, str] = field(default_factory=dict)
    schemas: list[str] = field(default_factory=list)  # applied API schemas
    attributes: dict[str, str | ArrayValue] = field(default_factory=dict)  # by declaration: `float physics:mass`
    metadata_of: dict[str, str] = field(default_factory=dict)  # by declaration: what an attribute has
    children: list[UsdPrim] = field(default_factory=list)

    def child(self, name: str, kind: str = "", specifier: str = "def") -> UsdPrim:
        """Add a prim below this one."""
        self.children.append(UsdPrim(name, kind, specifier))
        return self.children[-1]

    def put(self, declaration: str, value: str | ArrayValue | None) -> None:
        """Set an attribute or a relationship, if there is a value."""
        if value is not None:
            self.attributes[declaration] = value

    def display(self, true_name: str) -> None:
        """Keep the name that a prim may not have."""
        if true_name != self.name:
            self.metadata["displayName"] = string(true_name)

    def place(self, pose: Pose, scale: Vec3 | None = None) -> None:
        """Set the pose in the parent prim."""
        self.put("quatd xformOp:orient", quaternion(pose.rot))
        if scale is not None:
            self.put("double3 xformOp:scale", vector(scale))
        self.put("double3 xformOp:translate", vector(pose.pos))
        steps = ["xformOp:translate", "xformOp:orient", *(["xformOp:scale"] if scale is not None else [])]
        self.put("uniform token[] xformOpOrder", strings(steps))


def layer(prims: Sequence[UsdPrim], metadata: Mapping[str, str], *, with_arrays: bool = True) -> bytes:
    """The text of a layer; without arrays, it only declares the attributes that have them."""
    lines = [HEAD, "(\n", *(f"    {key} = {value}\n" for key, value in metadata.items()), ")\n"]
    for prim in prims:
        lines.append("\n")
        lines.extend(_lines(prim, "", with_arrays))
    return "".join(lines).encode()


def _lines(prim: UsdPrim, margin: str, with_arrays: bool) -> Iterator[str]:
    kind = f"{prim.type} " if prim.type else ""
    metadata = dict(prim.metadata)
    if prim.schemas:
        metadata["prepend apiSchemas"] = strings(prim.schemas)
    head = f'{margin}{prim.specifier} {kind}"{prim.name}"'
    if metadata:
        yield f"{head} (\n"
        yield from (f"{margin}    {key} = {value}\n" for key, value in sorted(metadata.items()))
        yield f"{margin})\n"
    else:
        yield f"{head}\n"
    yield f"{margin}{{\n"
    for declaration, value in sorted(prim.attributes.items(), key=lambda item: item[0].split()[-1]):
        more = (
            f" (\n{margin}        {prim.metadata_of[declaration]}\n{margin}    )"
            if declaration in prim.metadata_of
            else ""
        )
        if isinstance(value, ArrayValue):
            value = value.text if with_arrays else ""
        yield f"{margin}    {declaration}{f' = {value}' if value else ''}{more}\n"
    for number, child in enumerate(prim.children):
        if number or prim.attributes:
            yield "\n"
        yield from _lines(child, f"{margin}    ", with_arrays)
    yield f"{margin}}}\n"


# ---- values


def single(value: float) -> str:
    """A number as a float of 32 bits."""
    return str(np.float32(value) + np.float32(0))


def double(value: float) -> str:
    """A number as a double."""
    return repr(float(value) + 0.0).removesuffix(".0")


def singles(values: Iterable[float]) -> str:
    """A tuple of floats."""
    return f"({', '.join(map(single, values))})"


def vector(values: Iterable[float]) -> str:
    """A tuple of doubles."""
    return f"({', '.join(map(double, values))})"


def quaternion(q: Sequence[float]) -> str:
    """A quaternion of doubles: USD has the scalar first."""
    x, y, z, w = q
    return vector((w, x, y, z))


def single_quaternion(q: Sequence[float]) -> str:
    """A quaternion of floats, the scalar first."""
    x, y, z, w = q
    return singles((w, x, y, z))


def string(text: str) -> str:
    """Quoted text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def strings(texts: Iterable[str]) -> str:
    """A list of quoted texts."""
    return f"[{', '.join(map(string, texts))}]"


def path(text: str) -> str:
    """The path of a prim."""
    return f"<{text}>"


def paths(texts: Iterable[str]) -> str:
    """A list of paths."""
    return f"[{', '.join(map(path, texts))}]"


def points(array: ArrayLike) -> str:
    """A list of tuples of floats.  # (n, 3)."""
    return f"[{', '.join(_tuples(array))}]"


def repeated_points(array: ArrayLike, times: int) -> str:
    """The same, each tuple so many times in a row."""
    return f"[{', '.join(', '.join([each] * times) for each in _tuples(array))}]"


def _tuples(array: ArrayLike) -> list[str]:
    numbers: Any = _floats(array).astype(str).ravel().tolist()
    each = iter(numbers)
    return [f"({x}, {y}, {z})" for x, y, z in zip(each, each, each, strict=True)]


def _floats(array: ArrayLike) -> NDArray[np.float32]:
    """Numbers in 32 bits; adding 0 makes 0 of −0."""
    return np.asarray(array, np.float32) + np.float32(0)


def integers(array: ArrayLike) -> str:
    """A list of integers."""
    return f"[{', '.join(map(str, np.asarray(array).reshape(-1).tolist()))}]"
