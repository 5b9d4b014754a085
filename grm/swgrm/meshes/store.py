"""The surfaces of a robot's mesh files, for everything that writes the robot.

    meshes = MeshFiles(folder, store)
    meshes.surface("meshes/base.stl")      # vertices and triangles; None: there is no such file

What makes meshes adds the surfaces that it has written to the store, so that no format reads these files again. Other
files, such as those of a robot that was read from a file, are read when they are first asked for. Each file is decoded
once in an export, and each of its pieces welded once. The arrays are in temporary files, as those of a large assembly
are too many for the memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from swgrm.meshes.uris import resolve
from swgrm.storage.files import read_bytes

if TYPE_CHECKING:  # numpy is loaded when a surface is asked for: most formats of a robot without meshes need none
    from swgrm.meshes.pieces import FilePiece, PackedPiece
    from swgrm.meshes.spool import Spool
    from swgrm.meshes.surface import Surface


class MeshStore:
    """Surfaces by the paths of their files."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    @cached_property
    def _pieces(self) -> Spool[list[PackedPiece]]:
        return _empty_spool()

    @cached_property
    def _welded(self) -> Spool[list[PackedPiece]]:
        return _empty_spool()

    def add(self, path: Path, digest: str, pieces: Sequence[PackedPiece]) -> None:
        """Keep the pieces of a file that was written, and the SHA-256 of its bytes."""
        self._digests[_key(path)] = digest
        self._pieces.put(_key(path), msgspec.msgpack.encode(pieces))

    def digest(self, path: Path) -> str:
        """The SHA-256 of a file's bytes."""
        key = _key(path)
        if key not in self._digests:
            self._digests[key] = hashlib.sha256(read_bytes(path)).hexdigest()
        return self._digests[key]

    def pieces(self, path: Path) -> list[FilePiece]:
        """The triangles of a file by colour; a FileError if it cannot be read."""
        from swgrm.meshes.files import decode_pieces
        from swgrm.meshes.pieces import pack

        key = _key(path)
        if key not in self._pieces:
            decoded = decode_pieces(read_bytes(path), path.suffix.lower().lstrip("."), path)
            self._pieces.put(key, msgspec.msgpack.encode(list(map(pack, decoded))))
        return [piece.unpack() for piece in self._pieces[key]]

    def surface(self, path: Path) -> Surface:
        """All triangles of a file; a FileError if it cannot be read or has none."""
        from swgrm.meshes.files import join_pieces

        return join_pieces(self.pieces(path), path)

    def welded_pieces(self, path: Path) -> list[FilePiece]:
        """The triangles of a file by colour, welded; pieces without triangles are left out."""
        from swgrm.meshes.pieces import FilePiece, pack
        from swgrm.meshes.surface import welded

        key = _key(path)
        if key not in self._welded:
            made = [FilePiece(welded(piece.surface), piece.colour) for piece in self.pieces(path)]
            filled = [pack(piece) for piece in made if len(piece.surface.faces)]
            self._welded.put(key, msgspec.msgpack.encode(filled))
        return [piece.unpack() for piece in self._welded[key]]

    def welded(self, path: Path) -> Surface:
        """All triangles of a file, welded; a FileError if it cannot be read or has none."""
        from swgrm.meshes.files import join_pieces
        from swgrm.meshes.surface import welded

        pieces = self.pieces(path)
        # Pieces of several colours are merged along their common borders, so that they are welded as one.
        return welded(join_pieces(pieces, path)) if len(pieces) > 1 else join_pieces(self.welded_pieces(path), path)


def _empty_spool() -> Spool[list[PackedPiece]]:
    from swgrm.meshes.pieces import PackedPiece
    from swgrm.meshes.spool import Spool

    return Spool(list[PackedPiece])


def _key(path: Path) -> str:
    return str(path.resolve())


class MeshFiles:
    """The mesh files that a robot names, seen from its folder. A file that does not exist is None."""

    def __init__(self, folder: Path, store: MeshStore | None = None) -> None:
        self.folder = folder
        self._store = MeshStore() if store is None else store

    def path(self, uri: str) -> Path | None:
        """The file that a URI names."""
        return resolve(uri, self.folder)

    def digest(self, uri: str) -> str | None:
        """The SHA-256 of its bytes."""
        path = self.path(uri)
        return None if path is None else self._store.digest(path)

    def surface(self, uri: str) -> Surface | None:
        """All its triangles; a FileError if it cannot be read or has none."""
        path = self.path(uri)
        return None if path is None else self._store.surface(path)

    def welded(self, uri: str) -> Surface | None:
        """All its triangles, welded; a FileError if it cannot be read or has none."""
        path = self.path(uri)
        return None if path is None else self._store.welded(path)

    def welded_pieces(self, uri: str) -> list[FilePiece] | None:
        """Its triangles by colour, welded; a FileError if it cannot be read."""
        path = self.path(uri)
        return None if path is None else self._store.welded_pieces(path)
