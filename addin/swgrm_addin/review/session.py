"""A review: a source that is read once, its settings file with undo and redo, and the robot that they give."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from swgrm.errors import FileError, SettingsError, SwgrmError
from swgrm.findings import Findings
from swgrm.inference import explanation
from swgrm.storage.files import ChangedMeanwhile, content, update_bytes
from swgrm_addin.pipeline import Progress, Understanding, no_progress, read, understand, write
from swgrm_addin.review.changes import Edit, changeable_sections, edited, flip
from swgrm_addin.review.robot_shapes import RobotShapes
from swgrm_addin.settings_file import SettingsFile, settings_from_text
from swgrm_addin.user_defaults import read_defaults
from swgrm_exporters.html.scene import SceneData, scene
from swgrm_exporters.yamltext import parse

if TYPE_CHECKING:
    from swgrm.inference.mates.types import PlacedMate
    from swgrm_addin.pipeline import Export


ATTEMPTS = 20  # at a change while another program saves the file
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


class _Step(NamedTuple):
    """A change of the settings file: what it was before and after it (None: no file), and the keys it is about."""

    before: bytes | None
    after: bytes | None
    paths: tuple[tuple[str, ...], ...]


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
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._shapes = RobotShapes()
        self._read = self._seen = content(self.settings)  # what the model shows, and what the file was last
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
            self._done.append(self._until_unchanged(lambda: self._changed(edits, with_orphans=with_orphans)))
            self._undone.clear()
            return self.model

    def _changed(self, edits: Sequence[Edit], *, with_orphans: bool) -> _Step:
        before = content(self.settings)
        settled = self._settled(edited(self._text(before), edits), {edit.path[:2] for edit in edits})
        if settled.orphans and not with_orphans:
            raise OrphanedSettings(settled.orphans)
        after = settled.text.encode()
        self._put(before, after, settled.understanding)
        return _Step(before, after, (*(edit.path for edit in edits), *settled.orphans))

    @staticmethod
    def _until_unchanged(action: Callable[[], _Step]) -> _Step:
        """The step; it is computed again if another program has saved the file meanwhile."""
        for _ in range(ATTEMPTS - 1):
            with suppress(ChangedMeanwhile):
                return action()
        return action()

    def flip(self, joint: str) -> dict[str, Any]:
        """Reverse the axis of a joint, given by its key in the settings, and keep its range."""
        with self._lock:
            return self.change(flip(self.model["review"]["settings"], joint))

    def undo(self) -> dict[str, Any]:
        """Undo the last change; what was typed into the settings file since then stays."""
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
            now = content(self.settings)
            if now == self._seen:
                return False
            self._seen = now
            understanding = self._understood(now)
            self._read = now
            self._show(understanding)
            return True

    # ---- the settings file

    def _text(self, data: bytes | None) -> str:
        from swgrm.storage.files import decode_utf8

        return decode_utf8(self.settings, data or b"")

    def _put(self, before: bytes | None, data: bytes | None, understanding: Understanding) -> None:
        """Write the settings file, and show the robot that it gives."""
        update_bytes(self.settings, data, before=before)
        self._read = self._seen = data
        self._show(understanding)

    def _show(self, understanding: Understanding) -> None:
        self.understanding = understanding
        self._scene = self._new_scene()
        self._version += 1

    def _step(self, taken: list[_Step], given: list[_Step], nothing: str) -> dict[str, Any]:
        with self._lock:
            if not taken:
                raise SwgrmError(nothing)
            given.append(self._until_unchanged(lambda: self._reversed(taken[-1])))  # an error leaves all as it is
            taken.pop()
            return self.model

    def _reversed(self, step: _Step) -> _Step:
        """Undo a step: of a file that nobody else has changed its bytes, otherwise the keys that it is about."""
        now = content(self.settings)
        if now == step.after:
            data = step.before
        else:
            data = _with_former_values(self._text(now), self._text(step.before), step.paths).encode()
        self._put(now, data, self._understood(data))
        return _Step(now, data, step.paths)

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
        inference = self.understanding.inference
        written = self.understanding.settings.model.joints
        settled = inference.settings.joints if inference else written
        keys = {id(each): key for key, each in written.items()}
        names = [node.name for node in inference.problem.nodes] if inference else []
        mates = inference.problem.mates if inference else ()
        return {
            "file": self.settings.name,
            "settings": parse(self._text(self._read)) or {},
            "sections": changeable_sections(),
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


def _with_former_values(text: str, former: str, paths: Sequence[tuple[str, ...]]) -> str:
    """The text with the values of a former text at these paths; new sections that are empty then are removed."""
    former_values = parse(former) or {}
    for path in paths:
        text = edited(text, [Edit(path, _value_at(former_values, path))])
        for size in range(len(path) - 1, 0, -1):
            section = path[:size]
            if _value_at(former_values, section) is None and not _value_at(parse(text), section):
                text = edited(text, [Edit(section)])
    return text


def _value_at(values: Any, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - any YAML values
    """The value at a path of the settings; None if there is none."""
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values


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
