"""`make judges`: the blocks of the tutorials that need MuJoCo, in the folder that the other blocks of the page make.

python -m tests.judges.tutorials PYTHON      PYTHON has MuJoCo
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.docs.blocks import CodeBlock, blocks

PAGES = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.md"))


def run_page(page: Path, python: str) -> list[str]:
    """Run the page, and return what its blocks with MuJoCo printed."""
    found = blocks(page)
    if not any(block.needs == "mujoco" for block in found):
        return []
    with tempfile.TemporaryDirectory() as folder:
        for block in found:
            if not block.needs:
                _prepare(block, folder)
        code = "\n".join(block.text for block in found if block.needs == "mujoco")
        result = subprocess.run([python, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{page.name}: {result.stderr}")
    return result.stdout.splitlines()


def _prepare(block: CodeBlock, folder: str) -> None:
    """Run what makes the files; what a console block prints is compared by tests/docs."""
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    if block.kind == "python":
        subprocess.run([sys.executable, "-c", block.text], cwd=folder, env=environment, check=True, capture_output=True)
    elif block.kind == "console":
        lines = [line[2:] for line in block.text.splitlines() if line.startswith("$ swgrm export")]
        for line in lines:
            subprocess.run(["sh", "-c", line], cwd=folder, env=environment, check=True, capture_output=True)


if __name__ == "__main__":
    printed = {page.name: run_page(page, sys.argv[1]) for page in PAGES}
    for name, lines in printed.items():
        sys.stdout.write("".join(f"{name}: {line}\n" for line in lines))
    if not any(printed.values()):
        sys.exit("no tutorial has a block with MuJoCo")
