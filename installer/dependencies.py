"""Prints the requirements of pyproject.toml with the named extras, for pip; `--only`: those of the extras alone."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]
extras = project["optional-dependencies"]
named = [name for name in sys.argv[1:] if name != "--only"]
wanted = [] if "--only" in sys.argv else project["dependencies"]
wanted = wanted + [line for name in named for line in extras[name]]
sys.stdout.write("".join(f"{line}\n" for line in wanted))
