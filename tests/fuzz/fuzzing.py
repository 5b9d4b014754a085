"""Damages files of a format at random and reads them: each is a robot that can be written again, or our error."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from swgrm import Robot
from swgrm.errors import SwgrmError
from swgrm_exporters.xmltext import XmlProblem

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
<a.b c='d'/>"""
VALUES = [b"", b"0", b"-1", b"1e308", b"nan", b"f0", b"f1", b"f1_joint", b"x y z", b"1 2 3", "ß".encode()]


class Fuzzing(NamedTuple):
    """A format to be fuzzed: its good files, texts to insert one per line, its reader and its writer."""

    files: Sequence[bytes]
    texts: str
    loads: Callable[[bytes], Robot]
    dumps: Callable[[Robot], bytes]

    def run(self, count: int, seed: int = 0) -> Counter[str]:
        """Counts the outcomes of that many inputs."""
        rng, outcomes = Random(seed), Counter[str]()  # noqa: S311 - damage, not secrets
        lines = f"{TEXTS}\n{self.texts}".encode().split(b"\n")
        tokens = [*lines, b"", b" ", b"\0", b"\xff\xfe", b"\xc3\x28"]
        for number in range(count):
            data = damaged(rng.choice(self.files), rng, tokens)
            try:
                outcomes["robot" if self.is_robot(data) else "error"] += 1
            except Exception:
                sys.stderr.write(f"input {number} of seed {seed}: {data!r}\n")
                raise
        return outcomes

    def is_robot(self, data: bytes) -> bool:
        """Whether an input is a robot; False if it is refused. Any exception but ours is raised."""
        try:
            robot = self.loads(data)
            again = self.loads(self.dumps(robot))
        except (SwgrmError, XmlProblem):  # in writing, such as joints that follow each other
            return False
        assert len(again.frames) <= 4 * len(robot.frames) + 4
        return True


def main(fuzzing: Fuzzing) -> None:
    """Runs as many inputs as the command line asks for, with its seed, and prints the number of each outcome."""
    result = fuzzing.run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    sys.stdout.write(f"{sum(result.values()):,} inputs: {dict(result)}; no other exception\n")


def damaged(data: bytes, rng: Random, tokens: Sequence[bytes]) -> bytes:
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


def _elements_changed(data: bytes, rng: Random, tokens: Sequence[bytes]) -> bytes:
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
    return data[: quotes[number] + 1] + rng.choice(VALUES) + data[quotes[number + 1] :]
