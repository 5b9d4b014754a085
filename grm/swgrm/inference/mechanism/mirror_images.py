"""Components that a mirror component feature makes: each stays the image of its source in a plane of the assembly.

SolidWorks names the sources and the plane, not the images. An image is recognised by its pose: SolidWorks places it by
a rotation R_image = S R_source L, with S = I − 2nnᵀ the reflection and L one of four reflections of the part itself.
An image has no mates of its own. It gets those of its source, reflected, if they connect the source to the body of the
plane or to another source; and one mate that keeps it the image of its source, from which the couplings follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.capture import MirrorFeature
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array, Ints
from swgrm.inference.mates.equation_system import build_equations
from swgrm.inference.mates.types import COUPLINGS, GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.inference.mechanism.rigid_groups import find_rigid_groups
from swgrm.inference.mechanism.solver import solve
from swgrm.inference.problem import AssemblyNode, InferenceProblem
from swgrm.settings import Settings
from swgrm.transforms import column_matrix

LOCAL = [np.diag(signs) for signs in ((1.0, 1.0, -1.0), (-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (-1.0, -1.0, -1.0))]
SAME_ROTATION = 1e-6  # of the elements of a rotation


class _Mirror(Struct, frozen=True, eq=False):
    """A mirror component feature in the assembly's space: the nodes of its sources, with whether the part is copied."""

    name: str
    owner: int
    plane: PlacedEntity
    sources: Mapping[int, bool]

    @property
    def reflection(self) -> Array:
        """The reflection in the plane.  # (4, 4)."""
        n = np.array(self.plane.direction)
        T = np.eye(4)
        T[:3, :3] -= 2 * np.outer(n, n)
        T[:3, 3] = 2 * n * float(n @ self.plane.point)
        return T


def with_mirror_images(problem: InferenceProblem, settings: Settings, findings: Findings) -> InferenceProblem:
    """The problem with mates for the images of mirror component features."""
    mirrors = [*_read_mirrors(problem)]
    if not mirrors:
        return problem
    labels = _bodies(problem, settings)
    added: list[PlacedMate] = []
    for mirror in mirrors:
        images = _find_images(problem.nodes, mirror, findings)
        for source, image in images.items():
            own, is_attached = _reflected(problem, mirror, images, labels, source)
            where = problem.nodes[image].where
            if is_attached or labels[source] == labels[mirror.owner]:
                findings.add("mirror-image", where, source=problem.nodes[source].name, feature=mirror.name)
                added += [*own, _tie(problem, mirror, source, image)]
            else:
                findings.add("mirror-unused", where, source=problem.nodes[source].name, feature=mirror.name)
    return replace(problem, mates=(*problem.mates, *added))


def _read_mirrors(problem: InferenceProblem) -> list[_Mirror]:
    """The features of all assembly nodes whose plane and sources are known."""
    numbers = problem.index
    found = []
    for owner, node in enumerate(problem.nodes):
        for feature in node.document.mirrors if node.document and node.is_assembly else ():
            if feature.suppressed or len(feature.plane) != 16:
                continue
            prefix = f"{node.name}/" if node.name else ""
            sources = {
                numbers[prefix + name]: is_copied
                for names, is_copied in ((feature.copied, True), (feature.opposite_hand, False))
                for name in names
                if prefix + name in numbers
            }
            found.append(_Mirror(prefix + feature.name, owner, _plane(feature, owner, node.T), sources))
    return found


def _plane(feature: MirrorFeature, owner: int, T_root_owner: Array) -> PlacedEntity:
    T = T_root_owner @ column_matrix(feature.plane)
    (x, y, z), (i, j, k) = T[:3, 3].tolist(), T[:3, 2].tolist()
    return PlacedEntity(GeometryKind.PLANE, owner, (x, y, z), (i, j, k))


def _bodies(problem: InferenceProblem, settings: Settings) -> Ints:
    """The body of each node by the mates alone; images are not connected yet."""
    rigid = find_rigid_groups(problem, {}, settings, Findings())
    equations = build_equations(problem.mates, rigid.used_mates, (), Findings())
    return solve(len(problem.nodes), equations, [edge for edge, _ in rigid.joined], lambda _: np.eye(3)).labels


def _find_images(nodes: Sequence[AssemblyNode], mirror: _Mirror, findings: Findings) -> dict[int, int]:
    """The image of each source: of the components at its place in the tree, the nearest that is turned as an image."""
    found: dict[int, int] = {}
    for source, is_copied in sorted(mirror.sources.items()):
        T = mirror.reflection @ nodes[source].T
        options = [
            number
            for number, node in enumerate(nodes)
            if node.holder == nodes[source].holder and number not in (source, *found.values(), *mirror.sources)
            if (node.part == nodes[source].part) == is_copied and _is_turned(node.T, T)
        ]
        if options:
            found[source] = min(options, key=lambda n: (np.linalg.norm(nodes[n].T[:3, 3] - T[:3, 3]).round(6), n))
        else:
            findings.add("mirror-not-found", nodes[source].where, feature=mirror.name)
    return found


def _is_turned(T: Array, reflected: Array) -> bool:
    return any(np.abs(T[:3, :3] - reflected[:3, :3] @ L).max() < SAME_ROTATION for L in LOCAL)


def _reflected(
    problem: InferenceProblem, mirror: _Mirror, images: Mapping[int, int], labels: Ints, source: int
) -> tuple[list[PlacedMate], bool]:
    """The mates of a source for its image, and whether they attach it to the plane's body or to another image."""
    S = mirror.reflection
    found = []
    for mate in problem.mates:
        nodes = {entity.node for entity in mate.entities}
        partners = nodes - {source}
        if source not in nodes or not partners or mate.type in COUPLINGS:
            continue
        if all(other in images or labels[other] == labels[mirror.owner] for other in partners):
            entities = tuple(_image(entity, S, images.get(entity.node, entity.node)) for entity in mate.entities)
            name = f"{mate.name} (for {problem.nodes[images[source]].name})"
            found.append(msgspec.structs.replace(mate, name=name, entities=entities, as_filed=None))
    return found, bool(found)


def _image(entity: PlacedEntity, S: Array, node: int) -> PlacedEntity:
    x, y, z = (S[:3, :3] @ entity.point + S[:3, 3]).tolist()
    i, j, k = (S[:3, :3] @ entity.direction).tolist()
    return msgspec.structs.replace(entity, node=node, point=(x, y, z), direction=(i, j, k))


def _tie(problem: InferenceProblem, mirror: _Mirror, source: int, image: int) -> PlacedMate:
    """The mate that keeps an image the image of its source."""
    ends = []
    for node in (source, image):
        x, y, z = problem.nodes[node].T[:3, 3].tolist()
        ends.append(PlacedEntity(GeometryKind.COMPONENT, node, (x, y, z)))
    name = f"{mirror.name} ({problem.nodes[image].name})"
    return PlacedMate(name, MateType.SYMMETRIC, (ends[0], ends[1], mirror.plane), mirror.owner)
