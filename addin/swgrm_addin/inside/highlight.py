"""Highlights components in SolidWorks' window by their faces; neither the document nor the selection changes.

A face that is highlighted is only drawn in another colour. Pointers to faces are not kept: the faces are looked up
again when the highlight ends.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from swgrm.errors import CallError
from swgrm.solidworks.swconst_calls import swBodyType_e
from swgrm_addin.reader.walk import root_component

SOLID = int(swBodyType_e.swSolidBody)
MOST_FACES = 5000  # of one highlight: about 20 ms inside SolidWorks

logger = logging.getLogger("swgrm.addin")


class Highlight:
    """The components that are highlighted in one document at a time."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self._document, self._components = "", tuple[str, ...]()

    def show(self, document: str, components: Sequence[str]) -> None:
        """Highlight components of an open document, and nothing else; errors are logged, never raised."""
        self._draw(state=False)
        self._document, self._components = document, tuple(components)
        self._draw(state=True)

    def clear(self) -> None:
        """Highlight nothing any more."""
        self.show("", ())

    def _draw(self, *, state: bool) -> None:
        if not self._components:
            return
        try:
            document = self.application.GetOpenDocumentByName(self._document)
            root = document and root_component(document)
            if root is None:
                return
            for name in self._components:
                for face in islice(_faces(root, name), MOST_FACES):
                    face.Highlight(state)
            document.GraphicsRedraw2()
        except CallError as error:
            logger.warning("highlighting: %s", error)


def _faces(parent: Any, name: str) -> Iterator[Any]:
    """The faces of a component and of everything in it; `name` is its path from the root, such as `arm-1/bolt-2`."""
    for component in parent.GetChildren():
        own = component.Name2
        if own == name or own.startswith(f"{name}/"):
            bodies, _ = component.GetBodies3(SOLID)
            for body in bodies:
                yield from body.GetFaces()
        if own == name or own.startswith(f"{name}/") or name.startswith(f"{own}/"):
            yield from _faces(component, name)
