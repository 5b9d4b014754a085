"""The same robot on every processor: kinds of processors that one machine can behave as, and what is compared.

    python -m tests.kernels test ...       the numerical part of the suite, on the other kinds
    python -m tests.kernels compare ...    exports of all samples, byte by byte, on each kind

Without a command, both. What else is tested and compared, if it is named:

    aarch64    an emulated processor of another architecture; needs Debian's package qemu-user-static
    lowest     the lowest versions of the run-time dependencies that pyproject.toml permits
    newest     their newest versions

OpenBLAS and numpy choose their loops by the processor, so that the last digits of a result depend on it.
"""
