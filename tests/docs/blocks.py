"""The code blocks of a page: what is run, what another program runs, and what is not run and marked so.

```python, ```console     run by tests/docs
<!-- needs: mujoco -->    before a ```python block: run by `make judges`, with MuJoCo
> **Not run here: …**     the paragraph before a ```sh block; files that it names must exist
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

BLOCK = re.compile(
    r"^(?:<!-- needs: (?P<needs>\w+) -->\n)? *```(?P<kind>python|console|sh)\n(?P<text>.*?)^ *```$"
    r"(?:\n+^ *```text\n(?P<output>.*?)^ *```$)?",
    re.MULTILINE | re.DOTALL,
)
MARK = re.compile(r"^ *> \*\*Not run here: needs .+\*\*.*\n+\Z", re.MULTILINE)
# Files that a block names, but not those of SolidWorks, which are the user's.
FILE = re.compile(r"[\w./-]+\.(?:urdf|xacro|xml|sdf|srdf|ya?ml|csv|html|zip|swcap|py|json|grm\.yaml)\b")


class CodeBlock(NamedTuple):
    """A block: its kind, its text, the output below it, the program it needs, and whether it is marked as not run."""

    kind: str
    text: str
    output: str | None
    needs: str
    is_marked: bool

    @property
    def files(self) -> list[str]:
        """The files that it names, without those that it makes itself."""
        made = re.findall(r"(?:-o|--out|>) ?([\w./-]+)", self.text)
        return [name for name in FILE.findall(self.text) if name not in made]


def blocks(page: Path) -> list[CodeBlock]:
    """The blocks of a page in their order."""
    text = page.read_text("utf-8")
    return [
        CodeBlock(
            found["kind"],
            dedent(found["text"]),
            dedent(found["output"]) if found["output"] else None,
            found["needs"] or "",
            MARK.search(text[: found.start()]) is not None,
        )
        for found in BLOCK.finditer(text)
    ]
