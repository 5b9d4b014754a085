"""Runs the command: every error is a sentence and an exit code, whatever is typed, printed to or interrupted."""

from __future__ import annotations

import _thread
import codecs
import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from types import FrameType

import click

from swgrm.errors import TRACEBACK, Cancelled, SwgrmError, explained, system_reason
from swgrm_addin.cli.printable import printable_output

PATIENCE = 3.0  # [s] after an interrupt until the process ends without cleaning up
RETRY = 0.05  # [s] after which a deferred interrupt is tried again
PLAIN = {  # for output in an encoding that does not have the character
    "├": "|", "│": "|", "└": "`", "─": "-", "←": "<-", "→": "->", "–": "-", "−": "-", "…": "...", "°": " deg",
    "×": "x", "·": "*", "∞": "inf", "◉": "o", "²": "2", "³": "3",
}  # fmt: skip

_interrupted = threading.Event()


def run(command: Callable[[], object]) -> int:
    """Run the command, and return its exit code; everything that it printed is written."""
    _use_plain_characters()
    _handle_interrupts()
    with printable_output():
        code = _ended(lambda: _code(command))
        return _ended(lambda: _flushed(code))


def _code(command: Callable[[], object]) -> int:
    try:
        command()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # the reader of our output has ended, as `| head` does
            return 0
        if end.code and _interrupted.is_set():  # click has another exit code for an interrupt while it reads arguments
            return Cancelled.exit_code
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _flushed(code: int) -> int:
    if sys.stdout is not None:  # `>&-`
        sys.stdout.flush()
    return code


def _ended(action: Callable[[], int]) -> int:
    """The exit code of an action; an error is printed as a sentence."""
    try:
        return action()
    except BrokenPipeError:
        _discard_output()
        return 0
    except (KeyboardInterrupt, SwgrmError, MemoryError) as error:
        return _failed(*explained(error))
    except OSError as error:
        if isinstance(error.filename, str):
            return _failed(*explained(error))
        _discard_output()  # it is about the output, which has no name
        return _failed(f"The output cannot be written: {system_reason(error)}.")
    except Exception as error:  # noqa: BLE001 - the user gets a sentence, whatever happens
        if _interrupted.is_set():  # a library has replaced the interrupt by an error of its own
            return Cancelled.exit_code
        if os.environ.get(TRACEBACK):
            traceback.print_exc()
        return _failed(*explained(error))


def _failed(sentence: str, code: int = SwgrmError.exit_code) -> int:
    with contextlib.suppress(OSError):
        click.echo(f"swgrm: {sentence}", err=True)
    return code


def _discard_output() -> None:
    """Let nothing fail any more that is still to be printed."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _use_plain_characters() -> None:
    """Print a similar character where the encoding does not have one, as on Windows in a file."""

    def plain(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(PLAIN.get(each, "?") for each in error.object[error.start : error.end]), error.end

    codecs.register_error("swgrm-plain", plain)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"  # then click prints UTF-8, so everything does
            reconfigure(errors="swgrm-plain", **{"encoding": "utf-8"} if is_ascii else {})


def _handle_interrupts() -> None:
    """End at Ctrl-C; a second one ends the process at once.

    While a module is imported the interrupt is deferred, because some libraries catch everything that is raised then.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    deferred = threading.Event()

    def again() -> None:
        deferred.set()
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # wakes it, too, if it waits

    def give_up() -> None:
        if signal.getsignal(signal.SIGINT) is interrupt:  # else the command ends in its own way, and in its own time
            os._exit(Cancelled.exit_code)

    def interrupt(_number: int, frame: FrameType | None) -> None:
        if _interrupted.is_set() and not deferred.is_set():
            os._exit(Cancelled.exit_code)
        if not _interrupted.is_set():
            _interrupted.set()
            _start_timer(PATIENCE, give_up)
        deferred.clear()
        if not _is_importing(frame):
            raise KeyboardInterrupt
        _start_timer(RETRY, again)

    signal.signal(signal.SIGINT, interrupt)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _start_timer(seconds: float, action: Callable[[], object]) -> None:
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    timer.start()
