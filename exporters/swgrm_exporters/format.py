"""What a format declares: its files, its options, what it can hold, and the functions that read and write it.

A format is a module or folder with a `FORMAT`, and one line in `swgrm_exporters.formats`. Its functions and types are
named as `module:name` and imported when they are used, so that a declaration costs nothing.

A format that contains another one writes that one's files itself. Its writer takes the other's options as a keyword
argument of that name, so that the user sets them in one place and both formats agree:

    def write(robot, target, options: PackageOptions, findings, *, urdf: UrdfOptions) -> list[Path]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import msgspec

    from swgrm.findings import Findings
    from swgrm.meshes.store import MeshFiles, MeshStore
    from swgrm.model import Robot
    from swgrm_exporters.lowering import Capabilities

    FormatReader = Callable[[Path, Findings], Robot]

FormatWriter = Callable[..., Sequence[Path]]  # (robot, target, options of its own type, findings, *, contained options)


class Target(NamedTuple):
    """Where a format writes: a folder and the stem of its file names.

    A format that is written into a staging folder is moved afterwards; `final` is where its files will be then.
    `store` has the surfaces of the mesh files that this export has made, which no format reads again.
    """

    folder: Path
    stem: str
    suffix: str = ""  # of the file that the user named; empty: the format's own
    final: Path | None = None
    store: MeshStore | None = None

    def file(self, suffix: str) -> Path:
        """The path of the main file."""
        return self.folder / f"{self.stem}{self.suffix or suffix}"

    @property
    def place(self) -> Path:
        """The folder that the files will be in."""
        return self.final or self.folder

    @property
    def meshes(self) -> MeshFiles:
        """The mesh files, as the robot names them in the folder."""
        from swgrm.meshes.store import MeshFiles

        return MeshFiles(self.folder, self.store)


@dataclass(frozen=True)
class Format:
    """A file format for robots, or a folder of files around one."""

    name: str  # on the command line, in settings and in findings
    title: str
    suffixes: tuple[str, ...] = ()  # of its files, the usual one first; empty: it writes a folder of files
    reader: str = ""  # `module:function`, a FormatReader; empty: it cannot be read
    writer: str = ""  # `module:function`, a FormatWriter; empty: it cannot be written
    options_type: str = "swgrm_exporters.no_options:NoOptions"  # the settings section of its name
    capabilities_of: str = ""  # `module:NAME`, what it can hold; empty: everything
    is_counted: bool = False  # its findings are only counted, unless the user names the format
    by_default: bool = False  # an export writes it unless the user names formats
    mesh_uris: str = "relative to the file"  # how it names mesh files; empty: it neither names nor contains meshes
    self_contained: bool = False  # mesh files with names such as package:// are copied into it, too
    users_own: tuple[str, ...] = ()  # patterns of files that are the user's once written: edited ones are not replaced
    names_in: str = ""  # `module:function`, the links and joints that one of the user's own files names, by its path
    contains: tuple[str, ...] = ()  # formats whose files are among its own; they are not written beside it
    folder_of: str = ""  # `module:function`, the folder of its files and of all meshes, by the robot's name
    needs: tuple[str, ...] = ()  # formats that are written before it; its writer gets their options, too
    uses: tuple[str, ...] = ()  # formats whose options its writer gets; they are beside it only if the user names them

    @property
    def can_read(self) -> bool:
        """Whether swgrm reads it."""
        return bool(self.reader)

    @property
    def can_write(self) -> bool:
        """Whether swgrm writes it."""
        return bool(self.writer)

    def folder(self, robot_name: str) -> str:
        """The folder in the user's folder that its files and the meshes are in; empty: they are in the latter."""
        name: str = _load(self.folder_of)(robot_name) if self.folder_of else ""
        return name

    def used_names(self, path: Path) -> frozenset[str]:
        """The links and joints that a file names; empty if the format does not know."""
        names: frozenset[str] = _load(self.names_in)(path) if self.names_in else frozenset()
        return names

    def read(self, path: Path, findings: Findings) -> Robot:
        """The robot in a file."""
        reader: FormatReader = _load(self.reader)
        return reader(path, findings)

    def write(
        self,
        robot: Robot,
        target: Target,
        options: msgspec.Struct | None,
        findings: Findings,
        contained: Mapping[str, msgspec.Struct] | None = None,
    ) -> list[Path]:
        """Write the robot and return the files.

        `contained` has the options of the formats that this one contains, needs or uses, by name; more are ignored.
        Options that are not given are the defaults.
        """
        from swgrm.meshes.store import MeshStore
        from swgrm_exporters.formats import named

        if target.store is None:
            target = target._replace(store=MeshStore())  # a writer that asks twice for a mesh reads its file once
        writer: FormatWriter = _load(self.writer)
        own = self.options() if options is None else options
        given = contained or {}
        others = (*self.contains, *self.needs, *self.uses)
        inner = {name: given[name] if name in given else named(name).options() for name in others}
        return list(writer(robot, target, own, findings, **inner))

    @cached_property
    def options(self) -> type[msgspec.Struct]:
        """The type of its options."""
        kind: type[msgspec.Struct] = _load(self.options_type)
        return kind

    @cached_property
    def capabilities(self) -> Capabilities:
        """What it can hold."""
        from swgrm_exporters.lowering import Capabilities

        found: Capabilities = _load(self.capabilities_of) if self.capabilities_of else Capabilities()
        return found


def _load(reference: str) -> Any:  # noqa: ANN401 - a function or a type
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
