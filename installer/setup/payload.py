"""The content of the set-up program: a flat private Python with swgrm, and the licences, without unneeded files."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from installer.combench import private_python

# Beyond what the private Python leaves out already: tests, headers, stubs, documentation, pywin32's editor, demos.
UNNEEDED = (
    "Lib/site-packages/**/tests",
    "Lib/site-packages/Cython",  # python-fcl names it, but it was needed to build it only
    "Lib/site-packages/pyximport",
    "Lib/site-packages/fcl/*.cpp",
    "Lib/site-packages/**/include",
    "Lib/site-packages/**/*.pyi",
    "Lib/site-packages/**/*.pyx",
    "Lib/site-packages/**/*.pxd",
    "Lib/site-packages/**/*.pxi",
    "Lib/site-packages/**/*.lib",
    "Lib/site-packages/**/*.h",
    "Lib/site-packages/**/*.chm",
    "Lib/site-packages/**/Demos",
    "Lib/site-packages/**/demos",
    "Lib/site-packages/pythonwin",
    "Lib/site-packages/isapi",
    "Lib/site-packages/adodbapi",
    "Lib/site-packages/win32/test",
    "Lib/site-packages/win32com/test",
    "Lib/site-packages/win32comext/[!s]*",
    "Lib/site-packages/numpy/f2py/src",
    "Lib/site-packages/comtypes/test",
    "Lib/site-packages/tzdata",
    "Lib/pydoc_data",
    "Lib/test",
    "Lib/venv",
    "Lib/curses",
    "Lib/dbm",
    "Lib/wsgiref",
    "Lib/xmlrpc",
    "_ctypes_test.pyd",
    # OpenSSL: nothing here speaks to a network, and Python's hashes do without.
    "libcrypto-3*.dll",
    "libssl-3*.dll",
    "_ssl.pyd",
    "_hashlib.pyd",
    "sqlite3.dll",
    "_sqlite3.pyd",
    "Lib/sqlite3",
)
WITH_PYTHON = b"""Python for Windows brings these along, under licences of their own:
zlib (zlib licence), bzip2 (BSD), liblzma (0BSD), Expat (MIT), libffi (MIT), libmpdec (BSD), HACL* (MIT);
vcruntime140*.dll are Microsoft's, and may be passed on with what was built with Visual C++.
Their texts are in the documentation of Python: History and License.
"""
EXTRAS = ("meshes", "moveit")  # of pyproject.toml, whose libraries are contained
LICENCE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
COMMAND = '@"%~dp0python.exe" -X utf8 -m swgrm_addin %*\r\n'


def lay_down(archive: Path, wheels: list[Path], licences: Mapping[str, bytes], folder: Path) -> None:
    """Write everything but the compiled code and the probe."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    private_python.lay_down(archive, wheels, folder)
    for pattern in UNNEEDED:
        for path in list(folder.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (folder / "swgrm.cmd").write_text(COMMAND, "utf-8", newline="")
    _gather_licences(folder, licences, [archive, *wheels])


def _gather_licences(folder: Path, licences: Mapping[str, bytes], parts: list[Path]) -> None:
    """The licence of every part in one folder, beside the list of the parts with their hashes."""
    target = folder / "licences"
    target.mkdir()
    for name, text in licences.items():
        (target / f"{name}.txt").write_bytes(text)
    for information in sorted((folder / "Lib" / "site-packages").glob("*.dist-info")):
        name = information.name.partition("-")[0]
        for number, file in enumerate(sorted(path for path in information.rglob("*") if _is_licence(path))):
            shutil.copy2(file, target / f"{name}{f'-{number}' if number else ''}.txt")
    made_of = [f"{private_python.fingerprint(part)} {part.name}\n" for part in parts]
    (target / "made-of.txt").write_text("".join(made_of), "utf-8")


def _is_licence(path: Path) -> bool:
    return path.is_file() and (LICENCE.match(path.name) is not None or path.parent.name == "licenses")


def without_licence(folder: Path) -> list[str]:
    """The parts without a licence text; their metadata names the licence."""
    there = {path.stem for path in (folder / "licences").iterdir()}
    names = {path.name.partition("-")[0] for path in (folder / "Lib" / "site-packages").glob("*.dist-info")}
    return sorted(names - there)


def size(folder: Path) -> int:
    """The bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
