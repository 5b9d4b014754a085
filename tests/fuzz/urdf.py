"""Fuzzes the reader of URDF: `python -m tests.fuzz.urdf 100000 [SEED]` runs that many inputs."""

from __future__ import annotations

from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from tests.fuzz.fuzzing import Fuzzing, main
from tests.robots import Draw

TEXTS = """<link/>
<link name='x'/>
<joint/>
<joint name='j' type='planar'><parent link='f0'/><child link='x'/></joint>
<sensor name='s' type='rifd'/>
<swgrm><joint joint='f1_joint' effort='x'/></swgrm>
<chain type='ball' name='n'/>
<chain type='screw' name='n' pitch='x'/>
<loop name='l' side='parent'/>
<transmission/>
<mimic joint='f1_joint'/>
type="floating"
type="ball"
<limit/>
<origin xyz='1 2'/>
<gazebo><a/><a>t</a></gazebo>
<material name=''><color rgba='2 0 0 1'/></material>
<inertial/>
<visual/>
<geometry><box/></geometry>
<swgrm><joint joint="f1_joint" name=""/><frame link="f1" id="f0"/></swgrm>"""


def fuzzing() -> Fuzzing:
    """Good files of several sizes and kinds, and pieces of URDF."""
    drawn = (Draw(seed, strange=seed % 3 == 0, plain=seed % 2 == 0).robot(1 + seed % 5) for seed in range(40))
    return Fuzzing([dumps(robot) for robot in drawn], TEXTS, loads, dumps)


if __name__ == "__main__":
    main(fuzzing())
