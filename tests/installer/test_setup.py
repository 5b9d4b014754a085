"""The set-up program's build: its contents and its signature. tests/setup/ tests what it installs."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from installer.combench import parts
from installer.setup import __main__ as setup

from swgrm_addin.installation.keys import OWN, values


def test_the_licence_is_that_of_the_python_in_the_archive(tmp_path: Path) -> None:
    archive = tmp_path / "python-3.13.5-embed-amd64.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("Lib/site-packages/pip/LICENSE.txt", b"another's")
        file.writestr("LICENSE.txt", b"Python's own")
    assert parts.python_licence(tmp_path, archive) == b"Python's own"


def test_every_registry_value_that_is_written_is_removed() -> None:
    write, _, remove = setup.registry_lines().partition("!macroend")
    assert len(write.splitlines()) == 1 + len(values("", ""))
    for hive, key in OWN:
        assert f'DeleteRegKey {hive} "{key}"' in remove
    for line in write.splitlines()[1:]:
        assert any(f'{hive} "{key}' in line for hive, key in OWN), line


def test_without_a_certificate_nothing_is_signed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SWGRM_CERTIFICATE", raising=False)
    assert not setup.sign(tmp_path / "none.exe")


@pytest.mark.skipif(not (shutil.which("osslsigncode") and shutil.which("x86_64-w64-mingw32-gcc")), reason="needs both")
def test_with_a_certificate_the_program_is_signed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    setup.probe(tmp_path / "probe")
    program = tmp_path / "probe" / "probe.exe"
    (tmp_path / "password").write_text("secret")
    purpose = "-subj /CN=swgrm-test -addext extendedKeyUsage=codeSigning"
    for line in (
        f"req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 {purpose}",
        "pkcs12 -export -inkey key.pem -in cert.pem -out cert.p12 -passout file:password",
    ):
        subprocess.run(["openssl", *line.split()], check=True, capture_output=True, timeout=60)
    monkeypatch.setenv("SWGRM_CERTIFICATE", str(tmp_path / "cert.p12"))
    monkeypatch.setenv("SWGRM_CERTIFICATE_PASSWORD", str(tmp_path / "password"))
    assert setup.sign(program)
    verify = ["osslsigncode", "verify", "-CAfile", "cert.pem", "-in", str(program)]
    done = subprocess.run(verify, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "Subject: /CN=swgrm-test" in done.stdout
