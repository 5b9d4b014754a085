"""A review: a source that is read once, its settings file with undo and redo, and the robot that they give."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from swgrm.errors import FileError, SettingsError, SwgrmError
from swgrm.files import read_bytes, write_bytes
from swgrm.findings import Findings
from swgrm.inference import explanation
from swgrm_addin.pipeline import Progress, Understanding, no_progress, read, understand, write
from swgrm_addin.review.changes import Edit, edited, flip
from swgrm_addin.review.robot_shapes import RobotShapes
from swgrm_addin.settings_file import SettingsFile, settings_from_text
from swgrm_addin.user_defaults import read_defaults
from swgrm_exporters.html.scene import SceneData, scene

if TYPE_CHECKING:
    from swgrm.inference.mates.types import PlacedMate
    from swgrm_addin.pipeline import Export


ENTRIES = (("joints",), ("sensors",), ("fasteners",), ("links", "rename"))  # sections with an entry per object


class OrphanedSettings(SwgrmError):
    """Raised when a change makes settings name what no longer exists; `orphans` are their paths."""

    def __init__(self, orphans: tuple[tuple[str, ...], ...]) -> None:
        self.orphans = orphans
        super().__init__(orphans)

    def __str__(self) -> str:
        names = ", ".join(f"`{path[-1]}`" for path in self.orphans)
        return f"The settings of {names} would have nothing to apply to. Remove them, too?"


class _Settled(NamedTuple):
    """A text of settings that can be used, the paths that were removed from it, and the robot that it gives."""

    text: str
    orphans: tuple[tuple[str, ...], ...]
    understanding: Understanding


class _Undo(NamedTuple):
    """What the settings file was before a change; None: there was no file."""

    before: bytes | None
    what: str


class ReviewSession:
    """The state of a review; its methods may be called from several threads."""

    def __init__(self, source: str, settings: Path, folder: Path | None = None, configuration: str = "") -> None:
        self.settings = settings
        self.folder = folder
        self.meshes: dict[str, bytes] = {}
        self.highlights = False  # whether SolidWorks shows the components of the joint that is selected
        self._source = read(source, configuration)
        self._lock = threading.RLock()
        self._version = 0  # counts what was shown, so that other pages of the review notice changes
        self._done: list[_Undo] = []
        self._undone: list[_Undo] = []
        self._shapes = RobotShapes()
        self._read = self._seen = self._bytes()  # what the model shows, and what the file was last
        self.understanding = understand(self._source, self._settings(self._read))
        self._scene = self._new_scene()

    def close(self) -> None:
        """Remove temporary files; the session cannot be used afterwards."""
        self._shapes.close()

    # ---- what the page asks for

    @property
    def model(self) -> dict[str, Any]:
        """What the page shows: the scene, and what can be decided."""
        with self._lock:
            return {"scene": self._scene, "review": self._review()}

    def change(self, edits: Sequence[Edit], *, with_orphans: bool = False) -> dict[str, Any]:
        """Write edits into the settings file and return the new model; a change that is refused leaves it as it was.

        Settings of joints that no longer exist are removed in the same step if the user agreed, else it is an error
        that names them.
        """
        with self._lock:
            before = self._bytes()
            settled = self._settled(edited(self._text(before), edits), {edit.path[:2] for edit in edits})
            if settled.orphans and not with_orphans:
                raise OrphanedSettings(settled.orphans)
            self._put(settled.text.encode(), settled.understanding)
            self._done.append(_Undo(before, " ".join(".".join(edit.path) for edit in edits)))
            self._undone.clear()
            return self.model

    def flip(self, joint: str) -> dict[str, Any]:
        """Reverse the axis of a joint, given by its key in the settings, and keep its range."""
        with self._lock:
            return self.change(flip(self.model["review"]["settings"], joint))

    def undo(self) -> dict[str, Any]:
        """Put the settings file back to what it was before the last change."""
        return self._step(self._done, self._undone, "There is nothing to undo.")

    def redo(self) -> dict[str, Any]:
        """Repeat the change that was undone last."""
        return self._step(self._undone, self._done, "There is nothing to redo.")

    def explain(self, joint: str) -> list[str]:
        """The whole explanation of an inferred joint, given by its key in the settings, or of a component."""
        with self._lock:
            inference = self.understanding.inference
            return list(explanation(inference, joint)) if inference else []

    def components(self, joint: str) -> list[str]:
        """The two components of a joint, given by its key in the settings; empty if there is no such joint."""
        with self._lock:
            inference = self.understanding.inference
            return list(inference.between(joint) or ()) if inference else []

    def export(self, progress: Progress = no_progress) -> Export:
        """Export the robot as it is shown, into the folder of the settings or of the command."""
        if self.export_folder is None:
            raise SwgrmError("There is no folder to export into: start `swgrm review` with -o FOLDER.")
        return write(self.understanding, self.export_folder, progress=progress)

    @property
    def export_folder(self) -> Path | None:
        """The folder that `export` writes into."""
        return self.understanding.settings.export_folder or self.folder

    def changed_outside(self) -> bool:
        """Take over the settings file if another program has changed it; whether it has. Errors are raised once."""
        with self._lock:
            now = self._bytes()
            if now == self._seen:
                return False
            self._seen = now
            understanding = self._understood(now)
            self._read = now
            self._show(understanding)
            return True

    # ---- the settings file

    def _bytes(self) -> bytes | None:
        return read_bytes(self.settings) if self.settings.exists() else None

    def _text(self, data: bytes | None) -> str:
        from swgrm.files import decode_utf8

        return decode_utf8(self.settings, data or b"")

    def _put(self, data: bytes | None, understanding: Understanding) -> None:
        """Write the settings file, and show the robot that it gives."""
        if data is None:
            self.settings.unlink(missing_ok=True)
        else:
            write_bytes(self.settings, data)
        self._read = self._seen = data
        self._show(understanding)

    def _show(self, understanding: Understanding) -> None:
        self.understanding = understanding
        self._scene = self._new_scene()
        self._version += 1

    def _step(self, taken: list[_Undo], given: list[_Undo], nothing: str) -> dict[str, Any]:
        with self._lock:
            if not taken:
                raise SwgrmError(nothing)
            understanding = self._understood(taken[-1].before)  # an error leaves everything as it is
            step = taken.pop()
            given.append(_Undo(self._bytes(), step.what))
            self._put(step.before, understanding)
            return self.model

    def _settled(self, text: str, wanted: set[tuple[str, ...]]) -> _Settled:
        """The text without settings of what does not exist any more, but for those that are wanted.

        Raises what else is wrong with it.
        """
        orphans: list[tuple[str, ...]] = []
        problem: SettingsError | None = None
        while True:
            try:
                understanding = self._understood(text.encode())
                break
            except FileError:
                raise
            except SettingsError as error:
                problem = problem or error
                path = _entry(error.at)
                if not path or path in (*orphans, *wanted):
                    raise problem from None
                orphans.append(path)
                text = edited(text, [Edit(path)])
        joints = understanding.inference.robot.joints if understanding.inference else understanding.robot.joints
        if problem is not None and any(path[0] == "joints" and path[1] in joints for path in orphans):
            raise problem  # the joint exists: its settings are wrong
        if gone := _gone(understanding) - _gone(self.understanding) - wanted:
            orphans += sorted(gone)
            text = edited(text, [Edit(path) for path in sorted(gone)])
            understanding = self._understood(text.encode())
        return _Settled(text, tuple(orphans), understanding)

    # ---- the robot

    def _settings(self, data: bytes | None) -> SettingsFile:
        path, text = (self.settings, self._text(data)) if data is not None else (None, "")
        return settings_from_text(path, text, defaults=read_defaults())

    def _understood(self, data: bytes | None) -> Understanding:
        decided = self._settings(data)
        return understand(self._source, decided, self.understanding)

    def _new_scene(self) -> SceneData:
        findings = Findings(self.understanding.findings)
        robot, shapes = self._shapes.of(self.understanding, findings)
        self.meshes |= shapes.meshes
        return scene(robot, shapes, findings)

    def _review(self) -> dict[str, Any]:
        """What can be decided, and what is decided already."""
        from swgrm_exporters.yamltext import parse

        inference = self.understanding.inference
        written = self.understanding.settings.model.joints
        settled = inference.settings.joints if inference else written
        keys = {id(each): key for key, each in written.items()}
        names = [node.name for node in inference.problem.nodes] if inference else []
        mates = inference.problem.mates if inference else ()
        return {
            "file": self.settings.name,
            "settings": parse(self._text(self._read)) or {},
            "keys": {each.name or name: keys.get(id(each), name) for name, each in settled.items()},
            "root": inference.root_name if inference else "",
            "fasteners": inference.fasteners if inference else {},
            "images": _images(self.understanding),
            "components": [name for name in names if name],
            "mates": [_mate(mate, names) for mate in mates],
            "between": inference.all_between() if inference else {},
            "version": self._version,
            "undo": len(self._done),
            "redo": len(self._undone),
            "highlights": self.highlights,
            "canExport": self.export_folder is not None,
        }


def _entry(at: tuple[str, ...]) -> tuple[str, ...]:
    """The entry of the settings that a place is in, if it is about one object of the robot; else nothing."""
    size = next((len(section) + 1 for section in ENTRIES if at[: len(section)] == section), 0)
    return at[:size] if len(at) >= size else ()


def _gone(understanding: Understanding) -> set[tuple[str, ...]]:
    """The settings of joints whose two components have no joint between them any more."""
    return {
        ("joints", each.where.removeprefix("joint ")) for each in understanding.findings if each.code == "joint-gone"
    }


def _images(understanding: Understanding) -> dict[str, bool]:
    """The components that mirror features make, with whether each is tied to its source."""
    codes = {"mirror-image": True, "mirror-independent": False}
    return {
        finding.where.removeprefix("component "): codes[finding.code]
        for finding in understanding.findings
        if finding.code in codes
    }


def _mate(mate: PlacedMate, names: Sequence[str]) -> dict[str, Any]:
    bodies = dict.fromkeys(names[entity.node] for entity in mate.entities)
    return {"name": mate.name, "type": str(mate.type), "components": [name for name in bodies if name]}
