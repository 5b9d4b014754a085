"""The report for people: one page without anything from elsewhere, a row per document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from os.path import relpath
from urllib.parse import quote

from swgrm.findings import Severity
from swgrm_addin.batch.records import Outcome, Report

COLUMNS = (
    "document",
    "result",
    "robot",
    "links",
    "joints",
    "errors",
    "warnings",
    "notes",
    "attempts",
    "seconds",
    "said",
)
SEVERITIES = [severity.name.lower() for severity in sorted(Severity, reverse=True)]
STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
thead th { position: sticky; top: 0; background: Canvas; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.result { font-weight: 600; }
tr.exported td.result, tr.unchanged td.result { color: #1a7f37; }
tr.failed td.result, tr.missing td.result { color: #cf222e; }
td.said p { margin: 0 0 .4rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
"""


def html(report: Report) -> str:
    """The page."""
    counts = ", ".join(f"{count:,} {result}" for result, count in report.counts.items() if count)
    head = "".join(f'<th scope="col">{name}</th>' for name in COLUMNS)
    rows = "\n".join(_row(outcome, report.out) for outcome in report.documents)
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
<p>{len(report.documents):,} documents, begun {report.started}, {report.seconds:,.1f} s, swgrm {report.version}.</p>
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</body>
</html>
"""


def cells(outcome: Outcome) -> dict[str, str]:
    """What the columns but the last show of a document."""
    summary, severities = outcome.summary, Counter(finding["severity"] for finding in outcome.summary.findings)
    attempts = len(outcome.failures) + (outcome.result in ("exported", "unchanged"))
    numbers = [summary.links, summary.joints, *(severities[severity] for severity in SEVERITIES), attempts]
    shown = [outcome.document, outcome.result, summary.robot, *map(str, numbers), f"{outcome.seconds:.1f}"]
    return dict(zip(COLUMNS, shown, strict=False))


def _row(outcome: Outcome, out: str) -> str:
    plain = cells(outcome)
    link = quote(relpath(outcome.folder or out, out).replace("\\", "/"))
    shown = {name: escape(value) for name, value in plain.items()}
    if outcome.result in ("exported", "unchanged"):
        shown["document"] = f'<a href="./{link}/">{shown["document"]}</a>'
    classes = {name: "number" if value.replace(".", "").isdigit() else name for name, value in plain.items()}
    columns = "".join(f'<td class="{classes[name]}">{value}</td>' for name, value in shown.items())
    return f'<tr class="{outcome.result}">{columns}<td class="said">{"".join(_said(outcome))}</td></tr>'


def _said(outcome: Outcome) -> Iterable[str]:
    """Why it failed and what to do, once if it failed twice so; then the findings, to be unfolded."""
    for words in dict.fromkeys(f"{failure.message} {failure.remedy}".strip() for failure in outcome.failures):
        yield f"<p>{escape(words)}</p>"
    if findings := outcome.summary.findings:
        items = "".join(f"<li>{escape('{severity} {code} at {where}: {message}'.format(**it))}</li>" for it in findings)
        yield f"<details><summary>{len(findings):,} findings</summary><ul>{items}</ul></details>"
