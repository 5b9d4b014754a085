"""Locks of files between processes, which end with the process that has them, even if it is killed."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from swgrm.storage.interrupts import is_waiting

PERIOD = 0.1  # [s] between two attempts to lock a file

if sys.platform == "win32":
    import errno
    import msvcrt

    BEYOND = 1 << 40  # [bytes] the locked position, beyond the data: Windows denies others access to locked bytes

    def lock(file: int) -> bool:
        """Lock an open file until it is closed; False if another process has locked it."""
        os.lseek(file, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return error.errno != errno.EACCES  # other errors: the file system does not support locks
        return True

    def _is_at(_path: Path, _file: int) -> bool:
        """Whether an open file still has its name: always, because it cannot be removed."""
        return True

    def _release(path: Path, file: int) -> None:
        """Remove a file after it is closed: an open one cannot be removed, nor can one that another process has."""
        os.close(file)
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)

else:
    import fcntl

    def lock(file: int) -> bool:
        """Lock an open file until it is closed; False if another process has locked it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # the file system does not support locks
            return True
        return True

    def _is_at(path: Path, file: int) -> bool:
        """Whether an open file still has its name; who had the lock before has removed it."""
        try:
            return os.path.samestat(path.stat(), os.fstat(file))
        except OSError:
            return False

    def _release(path: Path, file: int) -> None:
        """Remove a file while it is locked: afterwards it may be the one of another process."""
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        os.close(file)


@contextlib.contextmanager
def locked(path: Path, patience: float) -> Iterator[bool]:
    """Lock a file that exists only for this; False if another process has it for longer than `patience` [s]."""
    file = _locked_file(path, time.monotonic() + patience)
    try:
        yield file is not None
    finally:
        if file is not None:
            _release(path, file)


def _locked_file(path: Path, until: float) -> int | None:
    while True:
        is_last = time.monotonic() > until or is_waiting()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = _opened(path)
        except FileNotFoundError:  # who had the lock before has removed a folder that it had made
            if is_last:
                raise
        else:
            if lock(file) and _is_at(path, file):
                return file
            os.close(file)
            if is_last:
                return None
        time.sleep(PERIOD)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:
        if not path.exists():
            raise
        return os.open(path, os.O_RDONLY)  # another user's, left by a process that was killed; a lock needs no more
