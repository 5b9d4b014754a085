"""Prints the requirements of pyproject.toml with the named extras, one per line, for pip."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))["project"]
extras = project["optional-dependencies"]
wanted = project["dependencies"] + [line for name in sys.argv[1:] for line in extras[name]]
sys.stdout.write("".join(f"{line}\n" for line in wanted))
