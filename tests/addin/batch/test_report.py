from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from lxml import html as lxml_html
from tests.full import IS_FULL

from swgrm_addin.batch.html_report import COLUMNS, html
from swgrm_addin.batch.records import BatchReport, DocumentResult, ExportSummary, Failure

FINDING = {"severity": "warning", "code": "mass-missing", "where": "link <b>", "message": "It has no mass & more."}
NASTY = "<script>document.title='pwned'</script> & \"quotes\" 'too' – ünï/b"
REPORT = BatchReport(
    version="1.2.3",
    folder=f"C:\\Robots\\{NASTY}",
    out="/out",
    started="2026-01-01T00:00:00+00:00",
    seconds=12.3456,
    documents=(
        DocumentResult(
            "a.SLDASM",
            "exported",
            "/out/a",
            1.25,
            ExportSummary("arm", 7, 6, (FINDING, {**FINDING, "severity": "note"})),
        ),
        DocumentResult(
            "b c.swcap", "unchanged", "/out/b c", 2.0, ExportSummary("b", 1, 0), (Failure("crash", "It died.", "Try."),)
        ),
        DocumentResult(NASTY, "failed", f"/out/{NASTY}", 0.5, failures=(Failure("FileError", NASTY, "Fix it."),)),
        DocumentResult("z.mock.json", "missing", "/out/z"),
    ),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> lxml_html.HtmlElement:
    """The page as a real browser has it after loading, scripts and all."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        assert not IS_FULL, "chromium is missing: the report must be seen by a browser before a change lands"
        pytest.skip("chromium is not here: install Debian's package `chromium`")
    folder = tmp_path_factory.mktemp("report")
    (folder / "batch.html").write_text(html(REPORT), "utf-8")
    options = ["--headless", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=2000"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")  # it refuses to run as root otherwise
    dumped = subprocess.run(
        [browser, *options, "--dump-dom", (folder / "batch.html").as_uri()],
        capture_output=True,
        timeout=180,
        check=True,
    )
    return lxml_html.fromstring(dumped.stdout.decode())


def test_a_browser_shows_the_content_of_the_json_report(page: lxml_html.HtmlElement) -> None:
    data = json.loads(msgspec.json.encode(REPORT))
    assert [cell.text_content() for cell in page.xpath("//thead//th")] == list(COLUMNS)
    rows = [[cell.text_content() for cell in row.xpath("td")] for row in page.xpath("//tbody/tr")]
    for row, result in zip(rows, data["documents"], strict=True):
        shown = dict(zip(COLUMNS, row, strict=True))
        summary, findings = result["summary"], result["summary"]["findings"]
        assert (shown["document"], shown["status"]) == (result["document"], result["status"])
        assert (shown["robot"], shown["links"], shown["joints"]) == (
            summary["robot"], str(summary["links"]), str(summary["joints"]),
        )  # fmt: skip
        for severity in ("error", "warning", "note"):
            assert shown[f"{severity}s"] == str(sum(finding["severity"] == severity for finding in findings))
        assert float(shown["seconds"]) == pytest.approx(result["seconds"], abs=0.051)
        for failure in result["failures"]:
            assert f"{failure['message']} {failure['remedy']}" in shown["details"]
        assert all(finding["message"] in shown["details"] for finding in findings)
    assert page.xpath("//p[@id='counts']")[0].text_content() == "1 exported, 1 unchanged, 1 failed, 1 missing"


def test_names_stay_text(page: lxml_html.HtmlElement) -> None:
    assert page.xpath("//title")[0].text_content() == f"swgrm batch: C:\\Robots\\{NASTY}"
    assert page.xpath("//script") == []


def test_the_page_is_self_contained(page: lxml_html.HtmlElement) -> None:
    assert page.xpath("//@src") == []
    assert page.xpath("//link") == []
    assert [link for link in page.xpath("//@href") if not link.startswith("./")] == []
    assert page.xpath("//tbody/tr/td[1]/a/@href") == ["./a/", "./b%20c/"]


def test_a_robot_that_was_exported_with_its_page_links_to_it(tmp_path: Path) -> None:
    (tmp_path / "b c").mkdir()
    (tmp_path / "b c" / "my_arm.html").touch()
    documents = [
        DocumentResult(f"{name}.SLDASM", "exported", str(tmp_path / name), 1.0, ExportSummary("my arm", 7, 6))
        for name in ("a", "b c")
    ]
    report = msgspec.structs.replace(REPORT, out=str(tmp_path), documents=tuple(documents))
    page: lxml_html.HtmlElement = lxml_html.fromstring(html(report))
    assert page.xpath("//tbody/tr/td[3]/a/@href") == ["./b%20c/my_arm.html"]
    assert [cell.text_content() for cell in page.xpath("//tbody/tr/td[3]")] == ["my arm", "my arm"]


def test_the_json_report_can_be_decoded(tmp_path: Path) -> None:
    (tmp_path / "batch.json").write_bytes(msgspec.json.encode(REPORT))
    assert msgspec.json.decode((tmp_path / "batch.json").read_bytes(), type=BatchReport) == REPORT
