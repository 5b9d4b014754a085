"""The COM bench: runs tests over real COM between Windows programs, on Windows or through Wine on Linux."""
