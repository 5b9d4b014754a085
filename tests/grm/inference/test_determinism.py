"""The same bytes whatever the hash seed."""

import os
import subprocess
import sys

import pytest

CODE = """
from swgrm import dumps
from swgrm.inference import infer
from swgrm_mocks.samples import SAMPLES, sample
import hashlib
for name in sorted(SAMPLES):
    seen = infer(sample(name))
    text = dumps(seen.robot) + "".join(map(str, seen.findings)).encode()
    print(name, hashlib.sha256(text).hexdigest())
"""


@pytest.mark.trap("R32")
def test_the_hash_seed_does_not_change_a_byte() -> None:
    def digests(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = digests("0")
    assert len(first.splitlines()) >= 7
    assert digests("1") == first == digests("4242")
