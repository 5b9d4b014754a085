"""MixedChainGenerator: random chains of revolute and prismatic joints, with optional branches and loops."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swgrm.errors import SwgrmError
from swgrm.model import JointType, Robot
from swgrm.storage.files import write_bytes
from swgrm_mocks.synthetic.chain import Parameters, Range, draw_robot, is_integer
from swgrm_mocks.synthetic.seeded_random import SEEDS, SeededRandom, fresh_seed

if TYPE_CHECKING:
    from swgrm_mocks.realise import Realised

Metadata = dict[str, Any]
_DOF = {JointType.BALL: 3}  # 1 for all other types


def generate(dof: int, seed: int | None = None, **parameters: Any) -> Robot:  # noqa: ANN401 - see MixedChainGenerator
    """A synthetic robot with `dof` joints; `parameters` are those of `MixedChainGenerator`."""
    return MixedChainGenerator(dof, seed=seed, **parameters).robot


class MixedChainGenerator:
    """A generator of one synthetic robot, which is determined by the arguments and the seed.

    The same arguments and the same seed give the same robot and the same URDF bytes on every machine. If no seed is
    given, a random one is used; `seed` and the representation show it.
    """

    def __init__(
        self,
        dof: int,
        prismatic_prob: float | None = None,
        seed: int | None = None,
        link_length_range: Range = (0.1, 0.5),
        *,
        prismatic_limits: Range = (-0.2, 0.5),
        revolute_limits: Range = (-math.pi, math.pi),
        effort: float = 10.0,
        velocity: float = 1.0,
        balls: int = 0,
        screws: int = 0,
        branches: int = 0,
        loops: int = 0,
        name: str = "",
    ) -> None:
        self.parameters = Parameters(
            dof,
            prismatic_prob,
            link_length_range,
            prismatic_limits,
            revolute_limits,
            effort,
            velocity,
            balls,
            screws,
            branches,
            loops,
        )
        self.parameters.check()
        if seed is not None and not is_integer(seed, 0):
            raise SwgrmError(f"seed is {seed!r}: it must be an integer of at least 0, or None for a random seed.")
        self.seed = fresh_seed() if seed is None else seed
        self.name = name or f"mixed_chain_{dof}_{self.seed}"
        self.validation_errors: list[str] = []
        self.validated_with = ""

    def __repr__(self) -> str:
        return f"MixedChainGenerator(dof={self.parameters.dof}, seed={self.seed})"

    # ---- the robot

    @cached_property
    def robot(self) -> Robot:
        """The robot as a Generalized Robot Model."""
        return draw_robot(self.parameters, self.seed, self.name)

    @property
    def joint_types(self) -> list[str]:
        """The types of the joints, in order: 'revolute', 'prismatic', 'ball' or 'screw'."""
        return [str(frame.joint.type) for frame in self.robot.joints.values() if frame.joint]

    @property
    def joint_limits(self) -> list[tuple[float | None, float | None]]:
        """The lower and upper limits of the joints, in order; a ball joint has none."""
        return [(f.joint.limits.lower, f.joint.limits.upper) for f in self.robot.joints.values() if f.joint]

    @property
    def link_lengths(self) -> list[float]:
        """The lengths of the links, in order.  # [m]."""
        return [2 * link.inertial.origin[2] for _, link in self.robot.links() if link.inertial]

    def get_statistics(self) -> dict[str, float]:
        """The number of DOF and of joints by type, and the sum of all link lengths in metres."""
        types = [frame.joint.type for frame in self.robot.joints.values() if frame.joint]
        return {
            "total_dof": sum(_DOF.get(kind, 1) for kind in types),
            "num_revolute": types.count(JointType.REVOLUTE),
            "num_prismatic": types.count(JointType.PRISMATIC),
            "total_chain_length": sum(self.link_lengths),
        }

    # ---- conversions

    def to_urdf_string(self) -> str:
        """The robot as URDF; nothing is written to disk."""
        from swgrm_exporters.urdf.options import UrdfOptions
        from swgrm_exporters.urdf.writer import dumps

        return dumps(self.robot, UrdfOptions(annotate=False)).decode()

    def save_urdf(self, path: Path | str) -> Path:
        """Writes the robot as a URDF file; creates its folder if needed. Returns the path."""
        write_bytes(path, self.to_urdf_string().encode())
        return Path(path)

    def to_assembly(self) -> Realised:
        """The robot as an assembly for the mock: each joint is realised by mates with the same DOF."""
        from swgrm_mocks.realise import realise

        return realise(self.robot, self.seed)

    def validate(self) -> bool:
        """Whether another program can read the URDF; sets `validation_errors` and `validated_with`."""
        from swgrm_mocks.synthetic.validation import validate

        self.validated_with, self.validation_errors = validate(self.to_urdf_string())
        return not self.validation_errors

    def visualize(self, path: Path | str | None = None, *, show: bool = True) -> Path | None:
        """Shows the robot in PyBullet if installed, else (or with a path) as a 3D page; returns the file, if any.

        A path that ends in `.svg` is written as a drawing.
        """
        from swgrm_mocks.synthetic.visualization import show_robot

        return show_robot(self.robot, self.to_urdf_string(), path, show=show)

    # ---- batches

    @classmethod
    def batch_generate(
        cls,
        dof_list: Iterable[int],
        count: int = 1,
        prismatic_prob_range: Sequence[float | None] | None = None,
        seed: int | None = None,
        **arguments: Any,  # noqa: ANN401 - of the constructor
    ) -> list[tuple[MixedChainGenerator, Metadata]]:
        """`count` generators with metadata for each number of joints and each share of prismatic ones."""
        if not is_integer(count, 1):
            raise SwgrmError(f"count is {count!r}: it must be an integer of at least 1.")
        wanted = [
            (dof, share, index)
            for dof in dof_list
            for share in (prismatic_prob_range or [None])
            for index in range(count)
        ]
        first = fresh_seed() if seed is None else seed
        seeds = SeededRandom(first).distinct(len(wanted), SEEDS)
        made = []
        for (dof, share, index), own in zip(wanted, seeds, strict=True):
            generator = cls(dof, share, own, **arguments)
            metadata = {"dof": dof, "prismatic_prob": share, "index": index, "seed": own, "batch_seed": first}
            made.append((generator, metadata))
        return made
