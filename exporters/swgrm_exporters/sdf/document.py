"""An SDF document taken apart: the links, frames and joints of a model and of those inside it, with their poses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.model import Pose
from swgrm.storage.files import is_file, leaves_machine
from swgrm.transforms import Array, inverse
from swgrm_exporters.notes import parsed_note
from swgrm_exporters.sdf.elements import OWN
from swgrm_exporters.sdf.fields import named, pose_of, text_of
from swgrm_exporters.sdf.older_notes import note_of_attributes
from swgrm_exporters.xmltext import Element, Inclusions, XmlProblem, children, parse, qualified, read_xml

WORLD, MODEL = "world", "__model__"
KNOWN: Mapping[str, frozenset[str]] = {  # the children that are read, by their parent; others are reported
    "model": frozenset({"link", "frame", "joint", "model", "include", "pose", "static"}),
    "link": frozenset({"pose", "inertial", "visual", "collision", "sensor"}),
    "frame": frozenset({"pose"}),
    "joint": frozenset({"pose", "parent", "child", "axis", "screw_thread_pitch", "thread_pitch", "sensor"}),
    "axis": frozenset({"xyz", "limit", "dynamics", "mimic", "use_parent_model_frame"}),
    "visual": frozenset({"pose", "geometry", "material"}),
    "collision": frozenset({"pose", "geometry"}),
    "inertial": frozenset({"pose", "mass", "inertia"}),
    "material": frozenset({"ambient", "diffuse", "pbr"}),
}
DEEPEST = 20  # models inside each other


class SdfEntity(NamedTuple):
    """A link, frame, joint or model: its element, and what its pose is relative to."""

    element: Element
    kind: str
    scope: str  # the prefix of the names inside its model
    relative_to: str
    pose: Pose


class SdfDocument:
    """The entities of a model by name; those of models inside it are called `MODEL::NAME`."""

    def __init__(self, root: Element, folder: Path | None, findings: Findings) -> None:
        self.folder, self.findings = folder, findings
        self.model = _model(root)
        self.note = parsed_note([self.model.findtext(f"{{{OWN}}}note")]) or note_of_attributes(self.model)
        # What swgrm added to close loops in Gazebo, and the joints that close loops in other programs.
        self.helpers, self.closing = (_names(self.note.get(key)) for key in ("helpers", "closing"))
        self.entities: dict[str, SdfEntity] = {}
        self.ignored: Counter[str] = Counter()
        self._inclusions = Inclusions()
        self._poses: dict[str, Array] = {"": np.eye(4), WORLD: np.eye(4)}
        self.entities[MODEL] = SdfEntity(self.model, "model", "", "", pose_of(self.model.find("pose")))
        self._collect(self.model, "", 0)

    def of_kind(self, kind: str) -> dict[str, SdfEntity]:
        """The entities of a kind by name."""
        return {name: entity for name, entity in self.entities.items() if entity.kind == kind}

    def resolve(self, scope: str, name: str, where: Element) -> str:
        """The full name of what an element refers to, which must be there."""
        full = WORLD if name == WORLD else f"{scope}{name}"
        if full.endswith(f"::{MODEL}") or full in self.entities or full == WORLD:
            return full
        if f"{full}::{MODEL}" in self.entities:
            return f"{full}::{MODEL}"
        raise XmlProblem(f"A <{where.tag}> names `{name}`, which is not there", where)

    def world_pose(self, name: str) -> Array:
        """The pose of an entity at zero, in the world.  # (4, 4)."""
        chain: dict[str, None] = {}
        while name not in self._poses:
            if name in chain:
                raise XmlProblem(f"The pose of `{name}` is relative to itself", self.entities[name].element)
            chain[name] = None
            entity = self.entities[name]
            name = self.resolve(entity.scope, entity.relative_to, entity.element) if entity.relative_to else ""
        for each in reversed(chain):
            self._poses[each] = self._poses[name] @ self.entities[each].pose.matrix
            name = each
        return self._poses[name]

    def pose_in(self, name: str, other: str) -> Pose:
        """The pose of an entity in another one, unchanged where the file has it."""
        entity = self.entities[name]
        if entity.relative_to and self.resolve(entity.scope, entity.relative_to, entity.element) == other:
            return entity.pose
        return Pose.from_matrix(inverse(self.world_pose(other)) @ self.world_pose(name))

    def report(self) -> None:
        """Report the elements that are not read."""
        for path, count in sorted(self.ignored.items()):
            self.findings.add("sdf-ignored", f"element {path}", count=count)

    def note_unknown(self, element: Element) -> None:
        """Note the children that are not read, down to where nothing is known of them."""
        if (known := KNOWN.get(str(element.tag))) is None:
            return
        for inner in children(element):
            tag = str(inner.tag)
            if tag in known:
                if tag not in KNOWN["model"]:
                    self.note_unknown(inner)
            elif not tag.startswith("{urn:swgrm:"):
                self.ignored[f"{element.tag}/{qualified(inner)}"] += 1

    # ---- collecting

    def _collect(self, model: Element, scope: str, depth: int) -> None:
        if depth > DEEPEST:
            raise XmlProblem(f"Models are inside each other more than {DEEPEST} deep", model)
        self.note_unknown(model)
        for element in children(model):
            if not scope and element.get("name") in self.helpers:
                continue
            if str(element.tag) in _DEFAULTS:
                self._add(element, scope)
                self.note_unknown(element)
            elif element.tag == "include":
                self._include(element, scope, depth)
            elif element.tag == "model":
                self._nest(element, named(element), element.find("pose"), scope, depth)

    def _add(self, element: Element, scope: str) -> None:
        name = f"{scope}{named(element)}"
        if name in self.entities:
            raise XmlProblem(f"Two elements of the model are called `{name}`", element)
        pose = element.find("pose")
        given = "" if pose is None else (pose.get("relative_to") or pose.get("frame") or "").strip()
        relative_to = given or _DEFAULTS[str(element.tag)](element)
        self.entities[name] = SdfEntity(element, str(element.tag), scope, relative_to, pose_of(pose))

    def _nest(self, model: Element, name: str, pose: Element | None, scope: str, depth: int) -> None:
        inner, full = f"{scope}{name}::", f"{scope}{name}::{MODEL}"
        if full in self.entities:
            raise XmlProblem(f"Two models are called `{scope}{name}`", model)
        relative_to = "" if pose is None else pose.get("relative_to", "")
        self.entities[full] = SdfEntity(model, "model", scope, relative_to or MODEL, pose_of(pose))
        self._collect(model, inner, depth + 1)

    def _include(self, element: Element, scope: str, depth: int) -> None:
        """A model of another file, beside this one or in a folder of the name in `model://`."""
        uri = text_of(element, "uri")
        path = None if self.folder is None else _included(uri, self.folder)
        if path is None:
            self.findings.add("sdf-include", f"include {uri}")
            return
        try:
            model = _model(self._inclusions.read(path, element))
        except FileError as error:
            raise XmlProblem(f"The included {error}", element) from None
        name = (element.findtext("name") or "").strip() or named(model)
        pose = element.find("pose")
        self._nest(model, name, model.find("pose") if pose is None else pose, scope, depth)


_DEFAULTS: Mapping[str, Callable[[Element], str]] = {  # what a pose is relative to where it does not tell
    "link": lambda _: MODEL,
    "frame": lambda element: element.get("attached_to") or MODEL,
    "joint": lambda element: text_of(element, "child"),
}


def _names(value: object) -> frozenset[str]:
    return frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else frozenset()


def _model(root: Element) -> Element:
    """The only model of a document, in a world or by itself."""
    if root.tag != "sdf":
        raise XmlProblem(f"its first element is <{qualified(root)}>, an SDF file's is <sdf>", root)
    models = [*root.findall("model"), *root.findall("world/model")]
    if len(models) != 1:
        raise XmlProblem(f"it has {len(models) or 'no'} models; one is expected", root, "Name a file with one model")
    return models[0]


def _included(uri: str, folder: Path) -> Path | None:
    """The SDF file that a URI names: the file itself, or the one that the model.config of a folder names."""
    plain = uri.removeprefix("model://").removeprefix("file://")
    for above in (folder, *folder.resolve().parents[:3]):
        path = above / plain
        if leaves_machine(path, folder):
            return None
        if is_file(path) and path.suffix.lower() == ".sdf":
            return path
        manifest = path / "model.config"
        if is_file(manifest):
            files = parse(read_xml(manifest)).findall("sdf")
            found = path / (files[-1].text or "").strip() if files else path
            return found if not leaves_machine(found, folder) and is_file(found) else None
    return None
