"""Compares what this work tree and another one write: `python -m tests.bench.same_bytes FOLDER`.

    git worktree add /tmp/before COMMIT
    python -m tests.bench.same_bytes /tmp/before

Both export all samples in all formats, with an empty cache of meshes and again with a filled one. Files that differ,
or that only one of them writes, are listed; then the exit code is 1. The environment needs the libraries of both.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from swgrm.capture import encode
from swgrm_mocks.samples import SAMPLES, sample
from tests.bench.compare import HERE, Tree

EXPORT = """
import sys
from pathlib import Path
from swgrm_addin.pipeline import export
from swgrm_exporters.formats import FORMATS
for when in ("empty cache", "filled cache"):
    for capture in sorted(Path(sys.argv[1]).iterdir()):
        export(str(capture), Path(sys.argv[2], when, capture.stem), formats=tuple(FORMATS))
"""


def written(tree: Tree, captures: Path) -> dict[str, bytes]:
    """The files that a tree writes for all captures, by their places."""
    out = tree.folder / "out"
    tree.run("-c", EXPORT, str(captures), str(out))
    return {str(file.relative_to(out)): file.read_bytes() for file in out.rglob("*") if file.is_file()}


def main(other: Path) -> int:
    """Print the files that differ, and the number of files."""
    with tempfile.TemporaryDirectory() as name:
        captures = Path(name, "captures")
        captures.mkdir()
        for each in SAMPLES:
            (captures / f"{each}.swcap").write_bytes(encode(sample(each)))
        before = written(Tree(other, Path(name, "before")), captures)
        after = written(Tree(HERE, Path(name, "after")), captures)
    places = sorted(before | after)
    different = [place for place in places if before.get(place) != after.get(place)]
    sys.stdout.write("".join(f"{place}\n" for place in different))
    sys.stdout.write(f"{len(places):,} files, of which {len(different):,} differ\n")
    return 1 if different else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).absolute()))
