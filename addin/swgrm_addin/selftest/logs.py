"""The log of a self-test, in the folder of its run."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from swgrm_addin.selftest.results import LOG


@contextmanager
def logged(folder: Path) -> Iterator[None]:
    """A context in which the steps are logged into the folder of a run."""
    logger = logging.getLogger("swgrm.selftest")
    handler = logging.FileHandler(folder / LOG, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
        logger.level, logger.propagate = before
