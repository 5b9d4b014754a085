"""`python -m swgrm_addin`, and the command `swgrm`: loads the command line, and runs it."""

import os
import signal


def main() -> None:
    """Run the command; an interrupt while it is being loaded ends it at once."""
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_default:  # nothing is raised, because what is being imported may catch it
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from swgrm_addin.cli import main as run

    if is_default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
