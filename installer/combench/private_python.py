"""A private Python for Windows in the flat lay-out that a foreign process can load: all DLLs in one folder."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from installer.combench import native
from installer.combench.parts import PYTHON_VERSION, BenchError, kept, log

SITE_PACKAGES = "Lib/site-packages"
DIGITS = PYTHON_VERSION.replace(".", "")
# Wine cannot answer _wmi's queries, and `platform` works without it; a private Python does not need the others.
UNWANTED_FILES = {
    "_wmi.pyd",
    "pyshellext.dll",
    "jnipython.dll",
    "_tkinter.pyd",
    "tcl86t.dll",
    "tk86t.dll",
    "winsound.pyd",
}
UNWANTED_FOLDERS = {"idlelib", "ensurepip", "turtledemo", "tkinter", "pip", "test", "tests", "lib2to3", "site-packages"}
BINARIES = {".pyd", ".dll", ".exe"}


def build(folder: Path, archive: Path, wheels: Path, finish: Callable[[Path], None]) -> Path:
    """The folder of the cache with the archive's Python and the wheels, laid down and finished once."""

    def make(target: Path) -> None:
        lay_down(archive, sorted(wheels.glob("*.whl")), target)
        finish(target)

    made_of = [fingerprint(path) for path in (archive, Path(__file__), Path(native.__file__))]
    made_of += sorted(wheel.name for wheel in wheels.glob("*.whl"))
    return kept(folder, "python", "\n".join(made_of).encode(), make)


def lay_down(archive: Path, wheels: list[Path], target: Path) -> None:
    """The archive's Python and the wheels in a new folder."""
    log("laying down Windows' Python")
    target.mkdir()
    lay_down_python(archive, target)
    if not (target / "python3.dll").exists():
        native.stable_interface(target, DIGITS)
    for wheel in wheels:
        unpack_wheel(wheel, target / SITE_PACKAGES)
    # A host that starts from pythoncom's DLL, as it does for pywin32's in-process servers, must find it here too.
    for library in (target / SITE_PACKAGES / "pywin32_system32").glob("*.dll"):
        library.replace(target / library.name)


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lay_down_python(archive: Path, folder: Path) -> None:
    """Unpack the vendor's embeddable zip or the Maven artifact, whichever it is, flat."""
    with zipfile.ZipFile(archive) as file:
        roots = [PurePosixPath(name).parent for name in file.namelist() if name.endswith(f"python{DIGITS}.dll")]
        if not roots:
            raise BenchError(
                f"{archive} holds no python{DIGITS}.dll: give CPython {PYTHON_VERSION} for 64-bit Windows."
            )
        for entry in file.infolist():
            target = None if entry.is_dir() else flat_place(PurePosixPath(entry.filename), roots[0])
            if target is not None:
                (folder / target).parent.mkdir(parents=True, exist_ok=True)
                (folder / target).write_bytes(file.read(entry))
    (folder / f"python{DIGITS}._pth").write_text(search_path(), "utf-8")
    (folder / SITE_PACKAGES).mkdir(parents=True, exist_ok=True)


def flat_place(name: PurePosixPath, root: PurePosixPath) -> PurePosixPath | None:
    """Where a file of the archive goes: binaries beside python.exe, the standard library under Lib, else nowhere."""
    if not name.is_relative_to(root) or name.name in UNWANTED_FILES:
        return None
    inside = name.relative_to(root)
    if UNWANTED_FOLDERS & set(inside.parts[:-1]) or inside.name.startswith(("_test", "xxlimited")):
        return None
    if inside.suffix in BINARIES:
        return PurePosixPath(inside.name)
    if inside.parts[0].lower() == "lib":
        return PurePosixPath("Lib", *inside.parts[1:])
    return PurePosixPath(inside.name) if inside.suffix == ".zip" else None


def search_path() -> str:
    """The ._pth file: sys.path in whatever process loads the DLL; `import site` lets pywin32 find its DLLs."""
    return "\n".join([f"python{DIGITS}.zip", ".", "Lib", "Lib/site-packages", "import site"]) + "\n"


def unpack_wheel(wheel: Path, site_packages: Path) -> None:
    """Install a wheel as pip would, without scripts."""
    with zipfile.ZipFile(wheel) as file:
        for entry in file.infolist():
            place = PurePosixPath(entry.filename)
            if place.parts[0].endswith(".data"):
                if place.parts[1] not in ("purelib", "platlib"):
                    continue
                place = PurePosixPath(*place.parts[2:])
            if not entry.is_dir():
                (site_packages / place).parent.mkdir(parents=True, exist_ok=True)
                (site_packages / place).write_bytes(file.read(entry))
