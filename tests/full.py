"""How much the tests do: what is quick, or all that a change must pass before it lands."""

import os

IS_FULL = bool(os.environ.get("SWGRM_FULL"))  # .ci/run asks for it
