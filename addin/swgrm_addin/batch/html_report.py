"""The HTML report of a batch: one self-contained page with a row per document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from os.path import relpath
from pathlib import Path
from urllib.parse import quote

from swgrm.findings import Severity
from swgrm.storage.folders import safe_name
from swgrm_addin.batch.records import COMPLETE, BatchReport, DocumentResult
from swgrm_exporters.html import SUFFIX

COLUMNS = (
    "document",
    "status",
    "robot",
    "links",
    "joints",
    "errors",
    "warnings",
    "notes",
    "attempts",
    "seconds",
    "details",
)
SEVERITIES = [severity.name.lower() for severity in sorted(Severity, reverse=True)]
STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
thead th { position: sticky; top: 0; background: Canvas; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.status { font-weight: 600; }
tr.exported td.status, tr.unchanged td.status { color: #1a7f37; }
tr.errors td.status { color: #bf5700; }
tr.failed td.status, tr.missing td.status { color: #cf222e; }
td.details p { margin: 0 0 .4rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
"""


def html(report: BatchReport) -> str:
    """The page as text."""
    counts = ", ".join(f"{count:,} {status}" for status, count in report.counts.items() if count)
    head = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
    rows = "\n".join(_row(result, report.out) for result in report.documents)
    title = f"swgrm batch: {escape(report.folder)}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p id="counts">{counts}</p>
<p>{len(report.documents):,} documents, started {report.started}, {report.seconds:,.1f} s, swgrm {report.version}.</p>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""


def cells(result: DocumentResult) -> dict[str, str]:
    """The text of every column except `details`."""
    summary, severities = result.summary, Counter(finding["severity"] for finding in result.summary.findings)
    attempts = len(result.failures) + (result.status in COMPLETE)
    numbers = [summary.links, summary.joints, *(severities[severity] for severity in SEVERITIES), attempts]
    shown = [result.document, result.outcome, summary.robot, *map(str, numbers), f"{result.seconds:.1f}"]
    return dict(zip(COLUMNS, shown, strict=False))


def _row(result: DocumentResult, out: str) -> str:
    plain = cells(result)
    link = quote(relpath(result.folder or out, out).replace("\\", "/"))
    shown = {name: escape(value) for name, value in plain.items()}
    if result.status in COMPLETE:
        shown["document"] = f'<a href="./{link}/">{shown["document"]}</a>'
        page = f"{safe_name(result.summary.robot)}{SUFFIX}"
        if Path(result.folder, page).is_file():  # in 3D
            shown["robot"] = f'<a href="./{link}/{quote(page)}">{shown["robot"]}</a>'
    classes = {name: "number" if value.replace(".", "").isdigit() else name for name, value in plain.items()}
    columns = "".join(f'<td class="{classes[name]}">{value}</td>' for name, value in shown.items())
    kind = "errors" if result.outcome != result.status else result.status
    return f'<tr class="{kind}">{columns}<td class="details">{"".join(_details(result))}</td></tr>'


def _details(result: DocumentResult) -> Iterable[str]:
    """Paragraphs with the failures and their remedies, without repetitions; then the findings, collapsed."""
    for text in dict.fromkeys(f"{failure.message} {failure.remedy}".strip() for failure in result.failures):
        yield f"<p>{escape(text)}</p>"
    if findings := result.summary.findings:
        items = "".join(f"<li>{escape('{severity} {code} at {where}: {message}'.format(**it))}</li>" for it in findings)
        yield f"<details><summary>{len(findings):,} findings</summary><ul>{items}</ul></details>"
