"""The tree in an SDF model: which joints make it, which close loops, and what frames are attached to."""

from __future__ import annotations

import numpy as np

from swgrm.transforms import Array, inverse
from swgrm_exporters.sdf.document import MODEL, WORLD, SdfDocument, SdfEntity
from swgrm_exporters.sdf.fields import text_of
from swgrm_exporters.xmltext import Element, XmlProblem

_SAME = 1e-12  # [m, –] poses that differ by less are one
_NOT_A_JOINT = ("gearbox",)  # a relation between joints, without a motion of its own


class JointEnds:
    """A joint with what it connects: the parent and the child that it names, and the child's link."""

    def __init__(self, document: SdfDocument, name: str, entity: SdfEntity, parent: str, child: str, link: str) -> None:
        self.name, self.entity, self.parent, self.child, self.link = name, entity, parent, child, link
        self.world_pose: Array = document.world_pose(name)
        self.is_at_link = _is_same(self.world_pose, document.world_pose(link)) and self._is_direct(document, link)
        self.is_at_child = _is_same(self.world_pose, document.world_pose(child))

    def _is_direct(self, document: SdfDocument, link: str) -> bool:
        return self.link == link and document.entities[link].kind == "link"

    @property
    def element(self) -> Element:
        """Its element."""
        return self.entity.element


def _is_same(one: Array, other: Array) -> bool:
    return bool(np.abs(inverse(one) @ other - np.eye(4)).max() < _SAME)


class SdfTree:
    """The joints of the tree from the root outwards, those of loops, and the parents of frames."""

    def __init__(self, document: SdfDocument) -> None:
        self.document = document
        self.links = document.of_kind("link")
        if not self.links:
            raise XmlProblem("the model has no links", document.model)
        self.bodies: dict[str, str] = {}
        ends = [self._ends(name, entity) for name, entity in document.of_kind("joint").items()]
        found = [each for each in ends if each is not None]
        mounts = [each for each in found if each.parent == WORLD]
        is_plain = len(mounts) <= 1 and all(each.element.get("type") == "fixed" for each in mounts)
        self.is_mounted = bool(mounts)
        inner = [each for each in found if each.parent != WORLD] if is_plain else found
        self.root = self._root(inner) if is_plain else WORLD
        self.joints, self.loops = self._spanned(inner)
        self.frames = {name: self._holder(name) for name in document.of_kind("frame")}

    def child_of(self, joint: str) -> str:
        """The link that a joint moves."""
        entity = self.document.entities[joint]
        return self._body(self.document.resolve(entity.scope, text_of(entity.element, "child"), entity.element))

    def _ends(self, name: str, entity: SdfEntity) -> JointEnds | None:
        element = entity.element
        if element.get("type") in _NOT_A_JOINT:
            self.document.ignored[f"joint[@type={element.get('type')}]"] += 1
            return None
        parent, child = (self.document.resolve(entity.scope, text_of(element, tag), element) for tag in _ENDS)
        if child == WORLD:
            raise XmlProblem(f'<joint name="{name}"> has the world as its child', element, "Turn the joint round")
        parent = parent if parent == WORLD or self._is_plain(parent) else self._body(parent)
        return JointEnds(self.document, name, entity, parent, child, self._body(child))

    def _is_plain(self, name: str) -> bool:
        return self.document.entities[name].kind in ("link", "frame")

    def _body(self, name: str) -> str:
        """The link that something is attached to."""
        seen: dict[str, None] = {}
        while name not in self.bodies and name not in self.links:
            if name in seen or name == WORLD:
                raise XmlProblem(f"`{name}` is not attached to a link", self.document.model)
            seen[name] = None
            name = self._attached(name)
        link = self.bodies.get(name, name)
        self.bodies.update(dict.fromkeys(seen, link))
        return link

    def _attached(self, name: str) -> str:
        """What a frame, joint or model is attached to, one step."""
        entity = self.document.entities[name]
        if entity.kind == "frame":
            target = entity.element.get("attached_to") or MODEL
            scope = entity.scope
            return self.document.resolve(scope, target, entity.element) if target != MODEL else f"{scope}{MODEL}"
        if entity.kind == "joint":
            return self.document.resolve(entity.scope, text_of(entity.element, "child"), entity.element)
        prefix = name.removesuffix(MODEL)
        inside = [link for link in self.links if link.startswith(prefix)]
        if not inside:
            raise XmlProblem(f"The model `{name}` has no links", entity.element)
        wanted = f"{prefix}{entity.element.get('canonical_link', '')}"
        return wanted if wanted in self.links else inside[0]

    def _holder(self, frame: str) -> str:
        """The link or frame that a frame is on."""
        target = self._attached(frame)
        self._body(frame)
        return target if self._is_plain(target) else self._body(target)

    def _root(self, joints: list[JointEnds]) -> str:
        moved = {each.link for each in joints}
        roots = [name for name in self.links if name not in moved]
        if len(roots) > 1:
            names = ", ".join(f"`{name}`" for name in roots[:5])
            problem = f"{len(roots)} links are not the child of a joint ({names}); a robot has one such link, its base"
            raise XmlProblem(problem, self.document.model, "Connect them with joints of the type `fixed`")
        return roots[0] if roots else self._attached(MODEL)

    def _spanned(self, joints: list[JointEnds]) -> tuple[list[JointEnds], list[JointEnds]]:
        """The joints that reach every link from the root, in their order in the file; the others close loops."""
        below: dict[str, list[JointEnds]] = {}
        for each in sorted(joints, key=lambda ends: ends.name in self.document.closing):
            parent = each.parent if each.parent == WORLD else self._body(each.parent)
            below.setdefault(parent, []).append(each)
        first: dict[str, JointEnds] = {}
        for each in sorted(joints, key=lambda ends: ends.name in self.document.closing):
            first.setdefault(each.link, each)
        spanning: list[JointEnds] = []
        reached, queue = {self.root}, [self.root]
        for link in queue:  # grows while it is walked
            for each in below.get(link, ()):
                if each.link not in reached and first[each.link] is each:
                    reached.add(each.link)
                    queue.append(each.link)
                    spanning.append(each)
        missing = [name for name in self.links if name not in reached]
        if missing:
            raise XmlProblem(f"Joints do not lead from `{self.root}` to `{missing[0]}`", self.document.model)
        chosen = set(map(id, spanning))
        return spanning, [each for each in joints if id(each) not in chosen]


_ENDS = ("parent", "child")
