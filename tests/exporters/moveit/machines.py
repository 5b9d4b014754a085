"""Small robots of boxes and spheres, of which it is known which links can touch."""

from __future__ import annotations

from swgrm.model import Box, Coupling, Frame, Geometry, Joint, JointType, Limits, Link, LoopJoint, Pose, Robot, Vec3

Z = (0.0, 0.0, 1.0)


def link(
    name: str,
    parent: str | None,
    at: Vec3 = (0, 0, 0),
    shapes: tuple[Geometry, ...] = (),
    kind: JointType | None = JointType.REVOLUTE,
    *,
    low: float | None = None,
    high: float | None = None,
    follows: Coupling | None = None,
    axis: Vec3 = Z,
) -> Frame:
    """A frame with a link, moved by the joint `NAME_joint`; `kind` None is rigid."""
    limits = Limits(low, high)
    joint = Joint(type=kind, name=f"{name}_joint", axis=axis, limits=limits, coupling=follows) if kind else None
    solid = (Link(name=name, collisions=shapes),)
    return Frame(id=name, parent=parent, transform=Pose(at), joint=joint if parent else None, links=solid)


def bar(length: float, thick: float = 0.04) -> tuple[Geometry, ...]:
    """A box along x from the origin, with a gap of a tenth at either end."""
    return (Box(size=(0.8 * length, thick, thick), origin=Pose((length / 2, 0, 0))),)


def planar_arm(joints: int, limit: float | None = None) -> Robot:
    """Bars of 1 m in a row that turn about z: with enough joints they reach back to the base."""
    frames = [link("link_0", None, shapes=bar(1.0))]
    low, high = (None, None) if limit is None else (-limit, limit)
    frames += [
        link(f"link_{n}", f"link_{n - 1}", (1, 0, 0), bar(1.0), low=low, high=high) for n in range(1, joints + 1)
    ]
    return Robot(name="planar", frames=tuple(frames))


def jaws(ratio: float) -> Robot:
    """Two fingers on slides; the second follows the first. With the ratio −1 they meet, with 1 they never do."""
    tip = (Box(size=(0.02, 0.02, 0.1)),)
    slide = JointType.PRISMATIC
    frames = (
        link("palm", None, shapes=(Box(size=(0.4, 0.1, 0.02), origin=Pose((0, 0, -0.2))),)),
        link("left", "palm", (-0.1, 0, 0), tip, slide, low=0.0, high=0.1, axis=(1, 0, 0)),
        link("right", "palm", (0.1, 0, 0), tip, slide, low=-0.1, high=0.1, axis=(1, 0, 0),
             follows=Coupling("left_joint", ratio)),
    )  # fmt: skip
    return Robot(name="jaws", frames=frames)


def parallelogram(*, is_closed: bool) -> Robot:
    """A parallelogram of bars: closed, its two cranks stay parallel; open, they hit each other."""
    frames = (
        link("ground", None, shapes=(Box(size=(0.02, 0.02, 0.02), origin=Pose((0.25, -1, 0))),)),
        link("crank", "ground", (0, 0, 0), bar(0.3), low=-1.0, high=1.0),
        link("coupler", "crank", (0.3, 0, 0), (Box(size=(0.02, 0.02, 0.02), origin=Pose((0, 0.1, 0.2))),)),
        link("rocker", "ground", (0, 0.2, 0), bar(0.3)),
    )
    pin = LoopJoint(
        parent="rocker",
        child="coupler_end",
        joint=Joint(type=JointType.REVOLUTE, name="pin"),
        transform=Pose((0.3, 0, 0)),
    )
    end = Frame(id="coupler_end", parent="coupler", transform=Pose((0, 0.2, 0), (0, 0, 0, 1)))
    loops = (pin,) if is_closed else ()
    return Robot(name="parallelogram", frames=(*frames, end), loop_joints=loops)
