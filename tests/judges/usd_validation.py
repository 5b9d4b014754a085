"""Runs in the environment of usd-core: `usd_validation.py FILE…` prints how many validators found which errors."""

from __future__ import annotations

import json
import sys


def main() -> None:
    from pxr import Usd, UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = {}
    for file in sys.argv[1:]:
        errors = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(file))
        found[file] = [f"{error.GetName()}: {error.GetMessage()}" for error in errors]
    sys.stdout.write(json.dumps({"validators": len(validators), "errors": found}) + "\n")


if __name__ == "__main__":
    main()
