"""Exports of all samples on one kind of processor: `python -m tests.kernels.exports CAPTURES OUT`.

It runs in a child process, because the libraries choose their kernels when they are loaded.
"""

from __future__ import annotations

import sys
from pathlib import Path

from swgrm_addin.pipeline import export
from swgrm_exporters.formats import FORMATS
from tests.kernels.kinds import describe_kernels


def export_all(captures: Path, out: Path) -> None:
    """Export each capture of a folder into all formats, with an empty cache of meshes and without processes."""
    for capture in sorted(captures.iterdir()):
        export(str(capture), out / capture.stem, formats=tuple(FORMATS))


if __name__ == "__main__":
    sys.stdout.write(f"{describe_kernels()}\n")
    export_all(Path(sys.argv[1]), Path(sys.argv[2]))
