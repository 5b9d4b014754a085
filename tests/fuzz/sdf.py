"""Damages SDF files at random and reads them: each is a robot that can be written and read again, or an error of ours.

`python -m tests.fuzz.sdf 100000 [SEED]` runs that many inputs and prints the number of each outcome.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from swgrm.errors import SwgrmError
from swgrm_exporters.sdf.options import SdfLoops, SdfOptions
from swgrm_exporters.sdf.reader import loads
from swgrm_exporters.sdf.writer import dumps
from swgrm_exporters.xmltext import XmlProblem
from tests.fuzz.urdf import TOKENS, damaged
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


def corpus() -> list[bytes]:
    """Good files of several sizes and kinds."""
    forms = [*SdfLoops]
    return [
        dumps(Draw(seed, strange=seed % 3 == 0).robot(1 + seed % 5), SdfOptions(loops=forms[seed % len(forms)]))
        for seed in range(40)
    ]


def judged(data: bytes) -> str:
    """The outcome of an input: `robot`, or the beginning of the error message. Any other exception is raised."""
    try:
        robot = loads(data)
    except XmlProblem as problem:
        return problem.problem.partition(":")[0][:40].split("`")[0]
    try:
        again = loads(dumps(robot))
    except SwgrmError as error:  # such as joints that follow each other
        return f"not written: {str(error)[:20]}"
    assert len(again.frames) <= 4 * len(robot.frames) + 4
    return "robot"


def run(count: int, seed: int = 0) -> Counter[str]:
    """Counts the outcomes of that many inputs."""
    rng, files, outcomes = Random(seed), corpus(), Counter[str]()  # noqa: S311 - damage, not secrets
    tokens = [*TOKENS, *TEXTS.encode().split(b"\n")]
    for number in range(count):
        data = damaged(rng.choice(files), rng, tokens)
        try:
            outcomes["robot" if judged(data) == "robot" else "error"] += 1
        except Exception:
            sys.stderr.write(f"input {number} of seed {seed}: {data!r}\n")
            raise
    return outcomes


if __name__ == "__main__":
    result = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    sys.stdout.write(f"{sum(result.values()):,} inputs: {dict(result)}; no other exception\n")
