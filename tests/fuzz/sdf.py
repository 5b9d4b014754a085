"""Fuzzes the reader of SDF: `python -m tests.fuzz.sdf 20000 [SEED]` runs that many inputs."""

from __future__ import annotations

from swgrm_exporters.sdf.options import SdfLoops, SdfOptions
from swgrm_exporters.sdf.reader import loads
from swgrm_exporters.sdf.writer import dumps
from tests.fuzz.fuzzing import Fuzzing, main
from tests.robots import Draw

TEXTS = """<link name='x'/>
<joint name='j' type='ball'><parent>f0</parent><child>f1</child></joint>
<joint name='k' type='universal'><parent>f0</parent><child>f1</child></joint>
<frame name='g' attached_to='f1'/>
<frame name='g'><pose relative_to='g'/></frame>
<pose relative_to='f1'>0 0 0 0 0 0</pose>
<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose>
<model name='n'><link name='l'/></model>
<include><uri>x.sdf</uri></include>
<swgrm:loop>{}</swgrm:loop>
<axis><xyz>0 0 0</xyz></axis>
<axis><mimic joint='f1_joint'/></axis>
<parent>world</parent>
<child>__model__</child>
<sensor name='s' type='camera'><update_rate>x</update_rate></sensor>
<geometry><plane/></geometry>
<material><diffuse>1</diffuse></material>
<inertial/>"""


def fuzzing() -> Fuzzing:
    """Good files of several sizes and kinds, and pieces of SDF."""
    forms = [*SdfLoops]
    drawn = [Draw(seed, strange=seed % 3 == 0).robot(1 + seed % 5) for seed in range(40)]
    files = [dumps(robot, SdfOptions(loops=forms[n % len(forms)])) for n, robot in enumerate(drawn)]
    return Fuzzing(files, TEXTS, loads, dumps)


if __name__ == "__main__":
    main(fuzzing())
