"""Writes a sample and its expected export, on the machine that runs the bench, for its tests to compare with.

python -m tests.com.prepare FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from swgrm.capture import save

NAME = "arm"
DOCUMENTS = "C:\\Röböter der Größe 1\\"  # spaces, and letters beyond ASCII


def main(folder: Path) -> None:
    """Write NAME.swcap, as read in DOCUMENTS, and the folder `expected`."""
    from swgrm_addin.pipeline import export
    from swgrm_mocks import builder
    from swgrm_mocks.samples import sample

    builder.FOLDER = DOCUMENTS
    save(sample(NAME), folder / f"{NAME}.swcap")
    export(str(folder / f"{NAME}.swcap"), folder / "expected")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
