"""Compares two builds byte by byte, and names the files inside of archives that differ."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path


def differences(first: Path, second: Path) -> Iterator[str]:
    """A line for each file that only one folder has or that differs, with the entries that differ."""
    names = [{path.relative_to(folder).as_posix() for path in _files(folder)} for folder in (first, second)]
    yield from (f"{name}: only in one of the builds" for name in sorted(names[0] ^ names[1]))
    for name in sorted(names[0] & names[1]):
        one, other = (first / name).read_bytes(), (second / name).read_bytes()
        if one != other:
            yield f"{name}: differs{_entries(one, other)}"


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _entries(one: bytes, other: bytes) -> str:
    """The names of the entries that differ, if both are archives."""
    first, second = _contents(one), _contents(other)
    changed = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    if changed:
        return f" in {', '.join(changed)}"
    return ", but only in times or order of its entries" if first else f" ({len(one)} and {len(other)} bytes)"


def _contents(data: bytes) -> Mapping[str, bytes]:
    buffer = io.BytesIO(data)
    if zipfile.is_zipfile(buffer):
        with zipfile.ZipFile(buffer) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    buffer.seek(0)
    try:
        with tarfile.open(fileobj=buffer) as archive:
            return {each.name: archive.extractfile(each).read() for each in archive if each.isfile()}  # type: ignore[union-attr] # it is a file
    except tarfile.TarError:
        return {}
