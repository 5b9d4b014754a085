"""Fuzzes the reader of MJCF: `python -m tests.fuzz.mjcf 10000 [SEED]` runs that many inputs."""

from __future__ import annotations

from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.mjcf.writer import dumps
from tests.fuzz.fuzzing import Fuzzing, main
from tests.mechanisms import MECHANISMS
from tests.robots import Draw

TEXTS = """<body/>
<body name='x'/>
<joint/>
<joint name='j' type='ball'/>
<joint type='slide' axis='0 0 0'/>
<freejoint/>
<geom/>
<geom type='mesh' mesh='x'/>
<geom type='box' size='1'/>
<inertial/>
<inertial pos='0 0 0' mass='-1'/>
<site/>
<frame pos='1 2'/>
<default class='x'/>
<include file='x.xml'/>
<connect/>
<weld body1='f0' body2='f1'/>
<joint joint1='f1_joint' joint2='f1_joint' polycoef='0 1'/>
<compiler angle='degree' eulerseq='abc'/>
<camera fovy='x'/>"""


def fuzzing() -> Fuzzing:
    """Good files of several sizes and kinds, and pieces of MJCF."""
    drawn = (Draw(seed, strange=seed % 3 == 0, plain=seed % 2 == 0).robot(1 + seed % 5) for seed in range(30))
    files = [dumps(robot) for robot in (*drawn, *(each.robot for each in MECHANISMS.values()))]
    return Fuzzing(files, TEXTS, loads, dumps)


if __name__ == "__main__":
    main(fuzzing())
