"""`make bench`: every benchmark module's `run()`, in order; name some to run only those."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import tests.bench
from swgrm_addin.cli import keep_to_one_thread

keep_to_one_thread()  # as the command does
names = sys.argv[1:] or sorted(
    m.name for m in pkgutil.iter_modules(tests.bench.__path__) if m.name.startswith("bench_")
)
for name in names:
    module = import_module(f"tests.bench.{name}")
    sys.stdout.write(f"\n{(module.__doc__ or name).splitlines()[0]}\n")
    module.run()
    sys.stdout.flush()
