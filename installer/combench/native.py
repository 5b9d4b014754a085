"""Compiles what the bench needs: the host program, and two DLLs that Windows has and Wine or the artifact lacks."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

from installer.combench.parts import COMPILER, BenchError, run

HERE = Path(__file__).parent


def tool(name: str) -> str:
    """A tool of MinGW-w64: its cross compiler's on Linux, plain on Windows."""
    found = shutil.which(COMPILER.replace("gcc", name)) or shutil.which(name)
    if found is None:
        raise BenchError(f"The bench needs MinGW-w64, and there is no {name} of it here: install it.")
    return found


def compile_if_older(source: str, target: Path, *options: str) -> None:
    """Compile a source beside this file, unless the target is newer."""
    path = HERE / source
    if not target.exists() or target.stat().st_mtime < path.stat().st_mtime:
        strict = ["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-O2", "-static"]
        run([tool("gcc"), *strict, str(path), "-o", str(target), *options], f"Compiling {source}", 120)


def host(folder: Path) -> Path:
    """The program that loads add-ins as SolidWorks does; named after its source, since checkouts share the folder."""
    digest = hashlib.sha256((HERE / "host.c").read_bytes()).hexdigest()[:16]
    target = folder / f"host-{digest}.exe"
    if not target.exists():
        part = folder / "host-part.exe"
        compile_if_older("host.c", part, "-lole32", "-loleaut32", "-luuid")
        part.replace(target)
    return target


def random_numbers(target: Path) -> None:
    """Compile bcryptprimitives.dll, which extension modules in Rust need and Wine 8 does not have."""
    compile_if_older("bcryptprimitives.c", target, "-shared", "-ladvapi32")


def stable_interface(folder: Path, digits: str) -> None:
    """Make python3.dll, which the Maven artifact lacks: it forwards every function to python3XX.dll."""
    listing = [tool("objdump"), "-p", str(folder / f"python{digits}.dll")]
    printed = subprocess.run(listing, capture_output=True, text=True, timeout=60, check=True).stdout
    exported = printed.partition("[Ordinal/Name Pointer] Table")[2].partition("\n\n")[0]
    names = re.findall(r"\b(_?Py\w+)$", exported, re.MULTILINE)
    definitions = folder / "python3.def"
    definitions.write_text("EXPORTS\n" + "".join(f"{name}=python{digits}.{name}\n" for name in names), "utf-8")
    options = ["-shared", "-nostdlib", "-Wl,-e,0", "-o", str(folder / "python3.dll")]
    run([tool("gcc"), *options, str(definitions)], "Making python3.dll", 60)
    definitions.unlink()
