"""Builds the set-up program for Windows, on Linux (with Wine, mingw and NSIS) or on Windows.

    python -m installer.setup               dist/swgrm-VERSION-setup.exe, and its hash and sizes
    python -m installer.setup again NAME    packs the same once more under the name of another version, to test upgrades

SWGRM_FAST=1 packs quickly instead of tightly, for tests.
SWGRM_WINDOWS_PYTHON names the vendor's embeddable zip, else the bench's Python is taken. SWGRM_CERTIFICATE names a
PKCS #12 file to sign with, SWGRM_CERTIFICATE_PASSWORD a file with its password, SWGRM_TIMESTAMP a server that attests
the time; without a certificate nothing is signed. SOURCE_DATE_EPOCH sets the times of all files, for builds that are
the same byte by byte.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from installer.combench import bench, native, parts, private_python
from installer.combench.parts import REPOSITORY, BenchError, log
from installer.setup import payload
from swgrm_addin.inside.identity import CLSID
from swgrm_addin.installation.keys import OWN, SHARED, values

HERE = Path(__file__).parent
PAYLOAD = REPOSITORY / "build" / "setup" / "payload"
EVERY_OPTION = 'meshes: {format: dae, collision: simplify, links: {"rack-*": decompose}}'  # each wants another library
ICONS = r"$INSTDIR\Lib\site-packages\swgrm_addin\inside\icons"


def registry_lines() -> str:
    """The registry's table as NSIS writes it: two macros, one that writes and one that removes."""
    lines = ["!macro WriteRegistry"]
    for value in values(r"$INSTDIR\_ctypes.pyd", ICONS):
        verb = "WriteRegDWORD" if isinstance(value.data, int) else "WriteRegStr"
        lines.append(f'  {verb} {value.hive} "{value.key}" "{value.name}" "{value.data}"')
    lines += ["!macroend", "!macro RemoveRegistry"]
    lines += [f'  DeleteRegKey {hive} "{key}"' for hive, key in OWN]
    lines += [f'  DeleteRegKey /ifempty {hive} "{key}"' for hive, key in SHARED]
    return "\n".join([*lines, "!macroend", ""])


def probe(folder: Path) -> None:
    """Compile the native program that creates the add-in's class, in a folder without Python's DLLs."""
    folder.mkdir()
    command = [native.tool("gcc"), "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-Os", "-s", "-static", "-mwindows"]
    libraries = ["-lole32", "-loleaut32", "-luuid", "-lshell32"]
    parts.run(
        [*command, str(HERE / "probe.c"), "-o", str(folder / "probe.exe"), *libraries], "Compiling the probe", 120
    )


def compile_all(folder: Path, prefix: Path | None) -> None:
    """Byte code for all of Python, valid whatever the files' times: users may not write where it is installed."""
    words = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder / "Lib")]
    with bench.windows_runner(prefix) as run:
        run([str(folder / "python.exe"), *words], 1200)


def try_out(folder: Path, prefix: Path | None) -> None:
    """Export a sample with what will be installed, every mesh option in use: nothing that is needed was left out."""
    with tempfile.TemporaryDirectory() as out, bench.windows_runner(prefix) as run:
        settings = Path(out) / "sample.grm.yaml"
        settings.write_text(EVERY_OPTION, "utf-8")
        words = ["-X", "utf8", "-X", "cpu_count=1"]  # a process pool was seen to hang under Wine
        words += ["-m", "swgrm_addin", "export", "mock:gripper", "-o", f"{out}/out"]
        if run([str(folder / "python.exe"), *words, "--settings", str(settings)], 900):
            raise BenchError(f"The private Python in {folder} does not export a sample; see above why.")


def set_times(folder: Path) -> None:
    """Give all files one time, where SOURCE_DATE_EPOCH sets it, so that equal content is packed to equal bytes."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        for path in folder.rglob("*"):
            os.utime(path, (int(epoch), int(epoch)))


def make_program(version: str, folder: Path, program: Path) -> None:
    """Have NSIS pack the folder."""
    parts.ensure_debian_packages({"makensis": "nsis"})
    (folder.parent / "registry.nsh").write_text(registry_lines(), "utf-8")
    set_times(folder)
    compiler = shutil.which("makensis")
    if compiler is None:
        raise BenchError("The set-up program needs NSIS: install it, with makensis on the PATH.")
    numbers = ".".join([*version.split("+")[0].split("."), "0", "0", "0"][:4])
    icon = REPOSITORY / "addin" / "swgrm_addin" / "inside" / "icons" / "swgrm.ico"
    defines = {"VERSION": version, "NUMBERS": numbers, "PAYLOAD": folder, "PROGRAM": program, "CLSID": CLSID,
               "REGISTRY": folder.parent / "registry.nsh", "ICON": icon,
               "KILOBYTES": payload.size(folder) // 1024}  # fmt: skip
    command = [compiler, "-V2", "-INPUTCHARSET", "UTF8", *(f"-D{key}={value}" for key, value in defines.items())]
    fast = ["-DFAST"] if os.environ.get("SWGRM_FAST") else []
    parts.run([*command, *fast, str(HERE / "setup.nsi")], "NSIS", 1800)


def sign(program: Path) -> bool:
    """Sign it, if there is a certificate."""
    certificate = os.environ.get("SWGRM_CERTIFICATE")
    if not certificate:
        return False
    signed = program.with_suffix(".signed")
    password = os.environ.get("SWGRM_CERTIFICATE_PASSWORD")
    command = ["osslsigncode", "sign", "-h", "sha256", "-pkcs12", certificate]
    command += ["-readpass", password] if password else []
    command += ["-ts", server] if (server := os.environ.get("SWGRM_TIMESTAMP")) else []
    parts.run([*command, "-n", "swgrm", "-in", str(program), "-out", str(signed)], "Signing", 120)
    signed.replace(program)
    return True


def program_of(version: str) -> Path:
    """Where the set-up program of a version goes."""
    return REPOSITORY / "dist" / f"swgrm-{version}-setup.exe"


def main(version: str) -> None:
    """Build the set-up program, and print its size and hash."""
    cache = parts.cache_folder()
    prefix = bench.prepare(cache).prefix
    folder = PAYLOAD
    with parts.locked(cache):
        archive = parts.python_archive(cache)
        wheels = [*sorted(parts.wheels(cache, payload.EXTRAS).glob("*.whl")), bench.our_wheel()]
        licences = {
            "swgrm": (REPOSITORY / "LICENSE").read_bytes(),
            "Python": parts.python_licence(cache, archive),
            "with-Python": payload.WITH_PYTHON,
        }
    payload.lay_down(archive, wheels, licences, folder)
    log("compiling it")
    compile_all(folder, prefix)
    log("exporting a sample with it")
    try_out(folder, prefix)
    probe(folder / "probe")
    log("packing it")
    program = program_of(version)
    make_program(version, folder, program)
    signed = sign(program)
    without = payload.without_licence(folder)
    how = "signed" if signed else "not signed"
    sys.stdout.write(
        f"{program.relative_to(REPOSITORY)}: {program.stat().st_size / 1e6:.1f} MB, {how}\n"
        f"SHA-256 {private_python.fingerprint(program)}\n"
        f"installed: {payload.size(folder) / 1e6:.1f} MB in {sum(1 for _ in folder.rglob('*')):,} files and folders\n"
        + (f"no licence text came with: {', '.join(without)}\n" if without else "")
    )


if __name__ == "__main__":
    from swgrm import __version__

    signal.signal(signal.SIGTERM, lambda *_: sys.exit("setup: ended by a signal"))  # so that clean-up happens
    try:
        if sys.argv[1:2] == ["again"]:
            make_program(sys.argv[2], PAYLOAD, program_of(sys.argv[2]))
        else:
            main(__version__)
    except BenchError as error:
        sys.exit(f"setup: {error}")
