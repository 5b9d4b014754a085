"""`python -m swgrm_addin`, and the command `swgrm`: loads the command line, and runs it."""

import signal


def main() -> None:
    """Run the command; while it is being loaded, the system ends it at an interrupt: a library may catch exceptions."""
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_default:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from swgrm_addin.cli import main as run

    if is_default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
