"""The changes since an earlier export into the same folder: of the robot, its mesh files, and the user's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.model.comparison import Comparison, Difference, compare
from swgrm.storage.folders import digest, our_files
from swgrm_exporters.format import Format
from swgrm_exporters.formats import FORMATS, read


def changes(folder: Path, stage: Path, meshes: Iterable[str]) -> Comparison | None:
    """The differences between a folder and the stage that will replace it; None if the folder has no robot to compare.

    The folder's files are read as they are now, including edits by hand.
    """
    earlier = our_files(folder)
    robots = _robots(folder, stage, earlier)
    if robots is None:
        return None
    return robots._replace(differences=(*robots.differences, *_changed_meshes(stage, earlier, meshes)))


def _robots(folder: Path, stage: Path, earlier: Mapping[str, str]) -> Comparison | None:
    """The differences of the robots, in the first format that both exports have."""
    for ending in (form.suffixes[0] for form in FORMATS.values() if form.can_read):
        for new in sorted(stage.rglob(f"*{ending}")):
            same = new.relative_to(stage).as_posix()
            others = [name for name in earlier if name.endswith(ending)]  # the robot or its folder was renamed
            for old in (folder / name for name in (same, *others)):
                if old.is_file():
                    return _compared(old, new)
    return None


def _compared(old: Path, new: Path) -> Comparison | None:
    if old.read_bytes() == new.read_bytes():
        return Comparison(())
    try:
        return compare(read(old), read(new))
    except SwgrmError:  # a file that cannot be read is not compared
        return None


def _changed_meshes(stage: Path, earlier: Mapping[str, str], meshes: Iterable[str]) -> Iterable[Difference]:
    for name in meshes:
        before, now = earlier.get(name), digest(stage / name)
        if before not in (None, now):
            yield Difference(f"file {name}", "the former content", "new content")


def report_outdated(
    kept: Mapping[str, str], forms: Sequence[Format], stage: Path, folder: Path, findings: Findings
) -> None:
    """Report the edited files that stay and do not fit the robot any more.

    `kept` are these files, and the names of their new versions in the stage. A file names a link or joint that is gone,
    or not one that its new version names.
    """
    for form in forms:
        own = [name for name in kept if any(fnmatchcase(name, pattern) for pattern in form.users_own)]
        if not own or not form.names_in:
            continue
        everything = frozenset[str]().union(*(form.used_names(path) for path in stage.rglob("*") if path.is_file()))
        for name in own:
            mine, new = form.used_names(folder / name), form.used_names(stage / kept[name])
            if gone := mine - everything:
                findings.add("kept-file-gone", f"file {name}", names=_listed(gone))
            if (lacking := new - mine) and mine:
                findings.add("kept-file-lacks", f"file {name}", names=_listed(lacking), new=kept[name])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in sorted(names))
