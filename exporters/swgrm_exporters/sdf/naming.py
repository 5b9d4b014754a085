"""Names in an SDF file: links, joints and frames of one model share one set of names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from swgrm.model import Robot
from swgrm_exporters.lowering import Lowered
from swgrm_exporters.names import Pool


class SdfNames(NamedTuple):
    """The names in the file: of frames (as links or frames), of joints, of loop joints by their number."""

    frames: Mapping[str, str]
    joints: Mapping[str, str]
    loops: tuple[str, ...]
    pool: Pool

    @classmethod
    def of(cls, robot: Robot) -> SdfNames:
        """Names for a lowered robot: links keep theirs, then joints, then frames without a link."""
        pool = Pool()
        frames = {f.id: pool.fresh(f.links[0].name) for f in robot.frames if f.links}
        joints = {name: _joint(pool, name) for name in robot.joints}
        named = (loop.joint.name or f"loop_{number + 1}" for number, loop in enumerate(robot.loop_joints))
        loops = tuple(_joint(pool, name) for name in named)
        frames |= {f.id: _frame(pool, f.id) for f in robot.frames if not f.links}
        return cls(frames, joints, loops, pool)

    def joint(self, robot: Robot, name: str) -> str:
        """The name in the file of a joint of the tree or of a loop."""
        if name in self.joints:
            return self.joints[name]
        numbers = [number for number, loop in enumerate(robot.loop_joints) if loop.joint.name == name]
        return self.loops[numbers[0]] if numbers else name


class OriginalNames(NamedTuple):
    """What frames, links and joints were called before lowering, by their names in the lowered robot."""

    frames: Mapping[str, str]
    links: Mapping[str, str]
    joints: Mapping[str, str]

    @classmethod
    def of(cls, lowered: Lowered) -> OriginalNames:
        """The names that lowering changed."""
        return cls(
            *(
                {each.new: each.old for each in lowered.renamed if each.kind == kind}
                for kind in ("frame", "link", "joint")
            )
        )


def _joint(pool: Pool, name: str) -> str:
    return pool.fresh(name if pool.is_free(name) else f"{name}_joint")


def _frame(pool: Pool, name: str) -> str:
    return pool.fresh(name if pool.is_free(name) else f"{name}_frame")
