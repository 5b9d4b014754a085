"""Components that a mirror component feature makes: images of their sources in a plane of the assembly.

SolidWorks names the sources and the plane, not the images. An image is recognised by its pose: SolidWorks places it by
a rotation R_image = S R_source L, with S = I − 2nnᵀ the reflection and L one of four reflections of the part itself, so
that its origin, or the centre of its box, is the image of that of its source. It has no mates of its own.

An image gets the mates of its source, reflected, if they connect the source to the body of the plane or to another
source. With all of them it moves by itself, as a robot needs it: the right wheel is driven apart from the left one.
SolidWorks keeps it the image of its source. So does one more mate, from which couplings follow, if the settings want it
or if some mates cannot be reflected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import PureWindowsPath
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.capture import Index, MirrorFeature
from swgrm.errors import SettingsError, nearest
from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array, Ints
from swgrm.inference.mates.component_boxes import ComponentBoxes
from swgrm.inference.mates.equation_system import build_equations
from swgrm.inference.mates.types import COUPLINGS, GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.inference.mechanism.rigid_groups import ALL, find_rigid_groups
from swgrm.inference.mechanism.solver import solve
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.settings import Settings
from swgrm.transforms import column_matrix

LOCAL = [np.diag(signs) for signs in ((1.0, 1.0, -1.0), (-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (-1.0, -1.0, -1.0))]
SAME_ROTATION = 1e-6  # of the elements of a rotation
SAME_PLACE = 1e-5  # [m] between the origin of an image and the image of the origin
SAME_BOX = 0.01  # of the size of a part, between the centres of boxes, which are not exact
SAME_COPY = 0.5  # of the size of a part that is copied
TIED = "tied"  # in the settings: an image that SolidWorks' motion is wanted of


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


def with_mirror_images(
    problem: InferenceProblem, index: Index, settings: Settings, findings: Findings
) -> InferenceProblem:
    """The problem with mates for the images of mirror component features."""
    mirrors = [*_read_mirrors(problem)]
    images_by_mirror = []
    if mirrors:
        boxes, mated = ComponentBoxes(index, problem.nodes), _find_mated(problem)
        images_by_mirror = [_find_images(problem.nodes, boxes, mated, mirror, findings) for mirror in mirrors]
    _check_decisions(problem, settings, images_by_mirror)
    if not mirrors:
        return problem
    labels = _bodies(problem, settings)
    added: list[PlacedMate] = []
    for mirror, images in zip(mirrors, images_by_mirror, strict=True):
        reflected: dict[int, PlacedMate] = {}  # each mate once, also one between two sources
        for source, image in images.items():
            facts = {"source": problem.nodes[source].name, "feature": mirror.name}
            reflection = _reflect_mates(problem, mirror, images, labels, source)
            is_rigid = labels[source] == labels[mirror.owner]
            if not reflection.mates and not is_rigid:
                findings.add("mirror-unused", problem.nodes[image].where, **facts)
                continue
            reflected |= {number: mate for number, mate in reflection.mates.items() if number not in reflected}
            way = settings.mirrors.get(problem.nodes[image].name, settings.mirrors.get(ALL, ""))
            if is_rigid or (way or ("independent" if reflection.is_complete else TIED)) == TIED:
                findings.add("mirror-image", problem.nodes[image].where, **facts)
                added.append(_tie(problem, mirror, source, image))
            else:
                findings.add("mirror-independent", problem.nodes[image].where, **facts)
                reflected |= _reflect_couplings(problem, mirror, images, labels, source)
        added += [mate for _, mate in sorted(reflected.items())]
    return replace(problem, mates=(*problem.mates, *added))


def _check_decisions(
    problem: InferenceProblem, settings: Settings, images_by_mirror: Sequence[Mapping[int, int]]
) -> None:
    """Raise an error for a component that the settings take for an image and that is none."""
    names = {problem.nodes[image].name for images in images_by_mirror for image in images.values()}
    for name in settings.mirrors:
        if name != ALL and name not in names:
            problem.node_of(name, ("mirrors", name))
            raise SettingsError(
                f"`{name}` is not the image of a component by a mirror feature.{nearest(name, sorted(names))}",
                ("mirrors", name),
            )


def _find_mated(problem: InferenceProblem) -> set[int]:
    """The nodes that a mate of the document that holds them connects to others."""
    mated = set()
    for mate in problem.mates:
        ends = set()
        for entity in mate.entities:
            number = entity.node
            while number not in (GROUND, mate.owner) and problem.nodes[number].holder != mate.owner:
                number = problem.nodes[number].holder
            ends.add(number)
        if len(ends) > 1:
            mated |= ends
    return mated


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


def _find_images(
    nodes: Sequence[AssemblyNode], boxes: ComponentBoxes, mated: Set[int], mirror: _Mirror, findings: Findings
) -> dict[int, int]:
    """The image of each source: a component beside it in the tree, without mates, posed as the feature poses it."""
    images: dict[int, int] = {}
    for source, is_copied in sorted(mirror.sources.items()):
        T = mirror.reflection @ nodes[source].T
        taken = {source, *images.values(), *mirror.sources, *mated}
        options = []
        for number, node in enumerate(nodes):
            is_free = node.holder == nodes[source].holder and number not in taken
            if is_free and _is_image_part(nodes[source], node, is_copied=is_copied) and _is_turned(node.T, T):
                distance = _distance_from_image(nodes, boxes, mirror, source, number)
                if distance is not None:
                    options.append((round(distance, 6), number))
        if options:
            images[source] = min(options)[1]
        else:
            findings.add("mirror-not-found", nodes[source].where, feature=mirror.name)
    return images


def _is_image_part(source: AssemblyNode, node: AssemblyNode, *, is_copied: bool) -> bool:
    """Whether a component is of the part of a source, or for the opposite hand of another one that may be its image."""
    if is_copied:
        return node.part == source.part
    mirrored_file = node.document.mirror_of if node.document else ""
    is_of_source = not mirrored_file or PureWindowsPath(mirrored_file) == PureWindowsPath(source.part[0])
    return node.part != source.part and is_of_source


def _distance_from_image(
    nodes: Sequence[AssemblyNode], boxes: ComponentBoxes, mirror: _Mirror, source: int, number: int
) -> float | None:
    """The distance [m] of a component's origin, or of the centre of its box, from the image's; None if it is elsewhere.

    SolidWorks aligns a copied part by its origin, its box or its centre of mass, which may be off the centre of the
    box. A part of the opposite hand is just where the image is, and no other part may be taken for it.
    """
    S = mirror.reflection
    distance = float(np.linalg.norm(S[:3, :3] @ nodes[source].T[:3, 3] + S[:3, 3] - nodes[number].T[:3, 3]))
    centre, image_centre = boxes.centre(source), boxes.centre(number)
    near = SAME_PLACE
    if distance > near and centre is not None and image_centre is not None:
        distance = float(np.linalg.norm(S[:3, :3] @ centre + S[:3, 3] - image_centre))
        near = max(SAME_PLACE, (SAME_COPY if mirror.sources[source] else SAME_BOX) * boxes.size(source))
    return distance if distance <= near else None


def _is_turned(T: Array, reflected: Array) -> bool:
    return any(np.abs(T[:3, :3] - reflected[:3, :3] @ L).max() < SAME_ROTATION for L in LOCAL)


class _Reflection(NamedTuple):
    """The mates of a source for its image, by the number of the mate, and whether these are all of its mates."""

    mates: dict[int, PlacedMate]
    is_complete: bool


def _reflect_mates(
    problem: InferenceProblem, mirror: _Mirror, images: Mapping[int, int], labels: Ints, source: int
) -> _Reflection:
    """The mates of a source, reflected, that attach it to the plane's body or to another source; no couplings."""
    mates: dict[int, PlacedMate] = {}
    is_complete = True
    for number, mate in enumerate(problem.mates):
        nodes = {entity.node for entity in mate.entities}
        if source not in nodes or len(nodes) == 1 or mate.type in COUPLINGS:
            continue
        if all(node in images or labels[node] == labels[mirror.owner] for node in nodes - {source}):
            mates[number] = _reflect_mate(problem, mirror, images, source, mate)
        else:
            is_complete = False
    return _Reflection(mates, is_complete)


def _reflect_couplings(
    problem: InferenceProblem, mirror: _Mirror, images: Mapping[int, int], labels: Ints, source: int
) -> dict[int, PlacedMate]:
    """The couplings of a source to other sources, or to the plane's body, for their images.

    A reflection reverses rotations about the reflected directions, and no translations along them. So gears keep their
    ratio, and the travel of a rack per turn of its pinion changes its sign; so does that of a screw of the other hand.
    """
    couplings = {}
    for number, mate in enumerate(problem.mates):
        nodes = {entity.node for entity in mate.entities} | set(mate.references)
        if source not in nodes or mate.type not in COUPLINGS:
            continue
        if all(node in images or labels[node] == labels[mirror.owner] for node in nodes):
            is_reversed = mate.type is MateType.RACK_PINION or not mirror.sources[source]
            numbers = {key: -value if key == "travel" and is_reversed else value for key, value in mate.numbers.items()}
            references = tuple(images.get(node, node) for node in mate.references)
            image = _reflect_mate(problem, mirror, images, source, mate)
            couplings[number] = replace(image, numbers=numbers, references=references)
    return couplings


def _reflect_mate(
    problem: InferenceProblem, mirror: _Mirror, images: Mapping[int, int], source: int, mate: PlacedMate
) -> PlacedMate:
    S = mirror.reflection
    entities = tuple(_image(entity, S, images.get(entity.node, entity.node)) for entity in mate.entities)
    name = f"{mate.name} (for {problem.nodes[images[source]].name})"
    return replace(mate, name=name, entities=entities, as_filed=None)


def _image(entity: PlacedEntity, S: Array, node: int) -> PlacedEntity:
    x, y, z = (S[:3, :3] @ entity.point + S[:3, 3]).tolist()
    i, j, k = (S[:3, :3] @ entity.direction).tolist()
    return replace(entity, node=node, point=(x, y, z), direction=(i, j, k))


def _tie(problem: InferenceProblem, mirror: _Mirror, source: int, image: int) -> PlacedMate:
    """The mate that keeps an image the image of its source."""
    ends = []
    for node in (source, image):
        x, y, z = problem.nodes[node].T[:3, 3].tolist()
        ends.append(PlacedEntity(GeometryKind.COMPONENT, node, (x, y, z)))
    name = f"{mirror.name} ({problem.nodes[image].name})"
    return PlacedMate(name, MateType.SYMMETRIC, (ends[0], ends[1], mirror.plane), mirror.owner)
