"""Damages URDF files at random and reads them: each is a robot that can be written and read again, or an error of ours.

`python -m tests.fuzz.urdf 100000 [SEED]` runs that many inputs and prints the number of each outcome.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from swgrm.errors import SwgrmError
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.xmltext import XmlProblem
from tests.robots import Draw

TEXTS = """<
>
/>
"
&
&amp;
&#0;
&#x41;
]]>
<![CDATA[
<!--
-->
<?x?>
<!DOCTYPE robot>
<!DOCTYPE r [<!ENTITY e 'x'>]>
&e;
nan
-1e999
1_0
座標
xmlns:a='u'
<a:b/>
<a.b c='d'/>
<link/>
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
TOKENS = [*TEXTS.encode().split(b"\n"), b"", b" ", b"\0", b"\xff\xfe", b"\xc3\x28"]
VALUES = [b"", b"0", b"-1", b"1e308", b"nan", b"f0", b"f1", b"f1_joint", b"x y z", b"1 2 3", b"\xc3\x9f"]


def corpus() -> list[bytes]:
    """Good files of several sizes and kinds."""
    return [dumps(Draw(seed, strange=seed % 3 == 0, plain=seed % 2 == 0).robot(1 + seed % 5)) for seed in range(40)]


def damaged(data: bytes, rng: Random, tokens: list[bytes] = TOKENS) -> bytes:
    """The data with a few random changes: bytes, tokens, pieces lost, doubled or moved, attributes swapped."""
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + int(rng.expovariate(1 / 30)))
        piece = data[start:end]
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]
        elif kind == 1:
            data = data[:start] + rng.choice(tokens) + data[end:]
        elif kind == 2:
            data = data[:start] + data[end:]
        elif kind == 3:
            data = data[:end] + piece + data[end:]
        elif kind == 4:
            data = data[:start] + piece[::-1] + data[end:]
        elif kind == 5:
            data = _elements_changed(data, rng, tokens)
        else:
            data = _values_changed(data, rng)
    return data


def _elements_changed(data: bytes, rng: Random, tokens: list[bytes]) -> bytes:
    """A token inserted where an element may be, so that most of the file stays well-formed."""
    places = [at for at in range(len(data)) if data.startswith(b">\n", at)]
    if not places:
        return data
    at = rng.choice(places) + 1
    return data[:at] + rng.choice(tokens) + data[at:]


def _values_changed(data: bytes, rng: Random) -> bytes:
    """The text between one pair of quotes is replaced."""
    quotes = [at for at in range(len(data)) if data[at] == 0x22]
    if len(quotes) < 2:
        return data
    number = rng.randrange(len(quotes) // 2) * 2
    value = rng.choice(
        [b"", b"0", b"-1", b"1e308", b"nan", b"f0", b"f1", b"f1_joint", b"x y z", b"1 2 3", "ß".encode()]
    )
    return data[: quotes[number] + 1] + value + data[quotes[number + 1] :]


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
    for number in range(count):
        data = damaged(rng.choice(files), rng)
        try:
            outcomes["robot" if judged(data) == "robot" else "error"] += 1
        except Exception:
            sys.stderr.write(f"input {number} of seed {seed}: {data!r}\n")
            raise
    return outcomes


if __name__ == "__main__":
    result = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    sys.stdout.write(f"{sum(result.values()):,} inputs: {dict(result)}; no other exception\n")
