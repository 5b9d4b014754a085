"""`python -m swgrm_addin`, and the command `swgrm`: loads the command line, and runs it."""

import os
import signal


def main() -> None:
    """Run the command; an interrupt while it is being loaded ends it at once."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # it is not raised: what is being imported may catch it
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from swgrm_addin.cli import main as run

    signal.signal(signal.SIGINT, before)
    run()


if __name__ == "__main__":
    main()
