"""The shapes of the reviewed robot: made once, and given to each new robot by the components of its frames."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.meshes.store import MeshFiles
from swgrm.model import Frame, Geometry, Material, Robot
from swgrm_addin.pipeline import Understanding, meshed, no_progress
from swgrm_exporters.formats import named
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.shapes import Shapes

Dress = tuple[tuple[Geometry, ...], tuple[Geometry, ...]]  # visuals and collisions


class RobotShapes:
    """Makes meshes when a component has none yet; a change of limits or names makes none."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="swgrm-review-")
        self._dress: dict[str, Dress] = {}  # by the component's path
        self._materials: tuple[Material, ...] = ()
        self._options: object = None
        self._found = Findings()  # about the meshes
        self.shapes: Shapes | None = None

    def close(self) -> None:
        """Remove the mesh files."""
        self._folder.cleanup()

    def of(self, understanding: Understanding, findings: Findings) -> tuple[Robot, Shapes]:
        """The robot with its shapes, and their drawable pieces."""
        options = [understanding.settings.sections.get(name) for name in ("meshes", "html")]
        missing = [path for path in map(_component, understanding.robot.frames) if path and path not in self._dress]
        if self.shapes is None or missing or options != self._options:
            self._found = Findings()
            self._make(understanding, self._found)
            self._options = options
        findings.extend(self._found)
        assert self.shapes is not None  # noqa: S101 - just made
        return self._dressed(understanding.robot), self.shapes

    def _make(self, understanding: Understanding, findings: Findings) -> None:
        folder = Path(self._folder.name)
        robot, _, store, *_ = meshed(understanding, (named("html"),), folder, findings, no_progress)
        for frame in robot.frames:
            if path := _component(frame):
                self._dress[path] = (frame.links[0].visuals, frame.links[0].collisions)
        self._materials = robot.materials
        section = understanding.settings.section("html", HtmlOptions)
        self.shapes = Shapes(robot, MeshFiles(folder, store), section.max_triangles, findings.of_format("html"))

    def _dressed(self, robot: Robot) -> Robot:
        def dressed(frame: Frame) -> Frame:
            path = _component(frame)
            if not path or path not in self._dress:
                return frame
            first, *others = frame.links
            visuals, collisions = self._dress[path]
            return replace(frame, links=(replace(first, visuals=visuals, collisions=collisions), *others))

        materials = {material.name: material for material in (*self._materials, *robot.materials)}
        return replace(robot, frames=tuple(map(dressed, robot.frames)), materials=tuple(materials.values()))


def _component(frame: Frame) -> str:
    """The key of a frame's shapes: its component, or its id in a robot file."""
    if not frame.links:
        return ""
    return frame.entity.path if frame.entity is not None else f"frame {frame.id}"
