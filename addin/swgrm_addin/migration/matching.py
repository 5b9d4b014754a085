"""Which components the links of another exporter's robot are: by stored names, by names, by mass, by the tree.

What remains ambiguous is a finding, not a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from swgrm.errors import nearest
from swgrm.findings import Findings
from swgrm.inference.joints.given_frames import APART
from swgrm_addin.migration.assembly_view import AssemblyView, JointOfPair, Matches, is_same_part
from swgrm_addin.migration.base_place import base_place, off_axis
from swgrm_addin.migration.old_robot import TYPES, OldLink, OldRobot

if TYPE_CHECKING:
    from swgrm.transforms import Array


def match_links(old: OldRobot, view: AssemblyView, findings: Findings) -> Matches:
    """The components of each link that could be matched; links without any are findings."""
    return _Matcher(old, view, findings).matches()


class _Matcher:
    """Finds the components of one robot's links."""

    def __init__(self, old: OldRobot, view: AssemblyView, findings: Findings) -> None:
        self.old, self.view, self.findings = old, view, findings
        self.found: Matches = {}
        self.options: dict[str, list[str]] = {}  # by link: components of several bodies that it may be
        self.T: dict[str, Array] | None = None  # by link: T_assembly_link, if the assembly is posed as the old robot

    def matches(self) -> Matches:
        for link in self.old.links:
            self._by_stored_components(link) if link.components else self._by_name(link)
        for link in self._open():
            self._by_part(link)
        if self.old.root.name not in self.found and not self.old.root.components:
            self._take_body(self.old.root, self.view.inference.tree.root)
        while any(self._by_tree(link) for link in self._open()):
            pass
        while any(self._by_mass(link) for link in self._open()):
            pass
        for link in self._open():
            self._report(link)
        return {link.name: self.found[link.name] for link in self.old.links if link.name in self.found}

    def _open(self) -> list[OldLink]:
        """The links that are not matched and may have parts: a link without mass may be a frame alone."""
        return [link for link in self.old.links if link.name not in self.found and not is_frame(link)]

    def _by_stored_components(self, link: OldLink) -> None:
        known: list[str] = []
        for component in link.components:
            called = self.view.components_called(component)
            if len(called) == 1:
                known += called
            elif called:
                facts = {"component": component, "candidates": ", ".join(called)}
                self.findings.add("old-component-ambiguous", f"link {link.name}", **facts)
            else:
                hint = nearest(component, self.view.names)
                self.findings.add("old-component-unknown", f"link {link.name}", component=component, hint=hint)
        if known:
            main = self.view.main_of(known)
            self.found[link.name] = (main, *(each for each in known if each != main))

    def _by_name(self, link: OldLink) -> None:
        called = self.view.components_like(link.name)
        if len(self.view.bodies_of(called)) == 1:
            self.found[link.name] = tuple(called)
        elif called:
            self.options[link.name] = called

    def _by_part(self, link: OldLink) -> None:
        """Match a link to the only part of its mass properties, if no other link has them."""
        own = link.inertial
        if own is None or link.components or link.name in self.options:
            return
        covered = {part for components in self.found.values() for part in self.view.parts_of(components)}
        weighed = {part: self.view.inertial_of([part]) for part in self.view.parts if part not in covered}
        alike = [part for part, inertial in weighed.items() if inertial and is_same_part(own, inertial)]
        twins = [each for each in self.old.links if each.inertial and is_same_part(own, each.inertial)]
        if len(alike) == 1 and len(twins) == 1:
            self.found[link.name] = (alike[0],)

    def _taken(self) -> set[int]:
        return {body for components in self.found.values() for body in self.view.bodies_of(components)}

    def _candidates(self, link: OldLink, bodies: set[int]) -> list[int]:
        """The bodies that a link may be: not taken, and of the same mass, where both are known."""
        free = bodies - self._taken()
        if link.name in self.options:
            free &= {*self.view.bodies_of(self.options[link.name])}
        if link.inertial is None:
            return sorted(free)
        return sorted(body for body in free if self._is_like(link, self.view.parts_in(body)) or self._like(link, body))

    def _is_like(self, link: OldLink, parts: Sequence[str]) -> bool:
        """Whether parts together may be a link by their mass properties; also if these are not known."""
        own = self.view.inertial_of(parts)
        return own is None or link.inertial is None or is_same_part(link.inertial, own)

    def _like(self, link: OldLink, body: int) -> list[str]:
        """The single parts of a body that may be a link: the body's others are then links that are fixed to it."""
        return [part for part in self.view.parts_in(body) if self._is_like(link, [part])]

    def _by_tree(self, link: OldLink) -> bool:
        """Match a link to the only body that has a joint of that type with its parent's body."""
        if link.parent not in self.found or link.joint is None:
            return False
        parents = self.view.bodies_of(self.found[link.parent])
        near = {body for parent in parents for body in self.view.neighbours(parent)}
        wanted = TYPES.get(link.joint.type)
        fitting = set()
        for body in near:
            pairs = [pair for parent in parents if (pair := self.view.joint_between(parent, body))]
            kinds = [simple.type for pair in pairs for simple in pair.joint.chain]
            is_type = not link.joint.type or not kinds or kinds == [wanted]
            if is_type and all(self._is_on_axis(link, pair) for pair in pairs):
                fitting.add(body)
        candidates = self._candidates(link, fitting)
        return self._take_only(link, self._in_place(link, candidates) if len(candidates) > 1 else candidates)

    def _in_place(self, link: OldLink, bodies: list[int]) -> list[int]:
        """Those of the bodies whose part has its centre of mass where the old numbers have it; all if none is known."""
        T, inertial = self._poses().get(link.name), link.inertial
        if T is None or inertial is None:
            return bodies
        place = T[:3, :3] @ inertial.origin + T[:3, 3]
        parts = {body: self._like(link, body) or self.view.parts_in(body) for body in bodies}
        centres = {body: own.origin for body, some in parts.items() if (own := self.view.inertial_of(some)) is not None}
        return [body for body, centre in centres.items() if np.linalg.norm(place - centre) < APART] or bodies

    def _is_on_axis(self, link: OldLink, pair: JointOfPair) -> bool:
        """Whether a joint is where the old numbers have it; also if that is not known."""
        joint, T = link.joint, self._poses().get(link.parent)
        chain = pair.joint.chain
        if joint is None or joint.origin is None or joint.axis is None or T is None or len(chain) > 1:
            return True
        return off_axis(T @ joint.origin.matrix, joint.axis, chain[0]) is None

    def _poses(self) -> dict[str, Array]:
        """The poses of the old links in the assembly, from the root's, which its mass properties tell."""
        root = self.old.root.name
        if self.T is None and root in self.found:
            base = base_place(self.old, {root: self.found[root]}, self.view, Findings())
            self.T = {root: base.T} if base is not None and self.old.numbers_are_current else {}
            for link in self.old.links:
                if link.joint is not None and link.joint.origin is not None and link.parent in self.T:
                    self.T[link.name] = self.T[link.parent] @ link.joint.origin.matrix
        return self.T or {}

    def _by_mass(self, link: OldLink) -> bool:
        if link.inertial is None:
            return False
        bodies = {*self.view.inference.tree.bodies}
        weighed = [b for b in self._candidates(link, bodies) if self.view.inertial_of(self.view.parts_in(b))]
        alike = [
            other
            for other in self._open()
            if other.inertial and other.name != link.name and is_same_part(other.inertial, link.inertial)
        ]
        return not alike and self._take_only(link, weighed)

    def _take_only(self, link: OldLink, bodies: list[int]) -> bool:
        return len(bodies) == 1 and self._take_body(link, bodies[0])

    def _take_body(self, link: OldLink, body: int) -> bool:
        covered = {part for components in self.found.values() for part in self.view.parts_of(components)}
        parts = tuple(part for part in self.view.parts_in(body) if part not in covered)
        if not self._is_like(link, parts) and len(alike := self._like(link, body)) == 1:
            parts = tuple(alike)
        if parts:
            main = self.view.main_of(parts)
            self.found[link.name] = (main, *(part for part in parts if part != main))
        return bool(parts)

    def _report(self, link: OldLink) -> None:
        if link.components:
            return  # each of its components was reported
        where, bodies = f"link {link.name}", {*self.view.inference.tree.bodies}
        candidates = self._candidates(link, bodies)
        if link.inertial is not None or link.name in self.options:
            names = [self.view.inference.body_name(body) for body in candidates]
            if len(names := [name for name in names if name]) > 1:
                self.findings.add("old-link-ambiguous", where, candidates=", ".join(names))
                return
        self.findings.add("old-link-unknown", where, hint=nearest(link.name, self.view.names))


def is_frame(link: OldLink) -> bool:
    """Whether a link has no parts: it is fixed, and has neither components nor mass."""
    return link.joint is not None and link.joint.type == "fixed" and not link.components and link.inertial is None
