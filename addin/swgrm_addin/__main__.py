"""`python -m swgrm_addin`: the command, for programs that start it with their own Python."""

from swgrm_addin.cli import main

main()
