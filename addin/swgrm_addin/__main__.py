"""`python -m swgrm_addin`, and the command `swgrm`: loads the command line, and runs it."""

import os


def main() -> None:
    """Run the command; an interrupt while it is being loaded ends it without a traceback."""
    try:
        from swgrm_addin.cli import main as run
    except KeyboardInterrupt:
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
