"""The page of a self-test to read, report.html: conventions, then every check; self-contained, light and dark."""

from __future__ import annotations

from html import escape

from swgrm.errors import sentence
from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_addin.port import named
from swgrm_addin.selftest.judge.checks import Check, ConventionVerdict, Hypothesis, Verdict
from swgrm_addin.selftest.judge.report import Report
from swgrm_addin.selftest.results import Environment

STYLE = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { margin-bottom: .2rem; } h2 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884;
  overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: Canvas; }
col.verdict { width: 7.5rem; } col.name { width: 15rem; }
td.verdict { font-weight: 600; }
.confirmed { color: #1a7f37; } .refuted { color: #cf222e; } .undecided { color: #9a6700; } .measured { color: #57606a; }
@media (prefers-color-scheme: dark) {
  .confirmed { color: #3fb950; } .refuted { color: #f85149; } .undecided { color: #d29922; }
  .measured { color: #9198a1; }
}
p.note { padding: .6rem .8rem; border-left: 4px solid #d29922; background: #d2992218; }
ul { margin: 0; padding-left: 1.2rem; text-indent: -1.2rem; list-style: none; }
.seen { opacity: .75; white-space: pre-line; }
"""
MARKS = {True: "✓", False: "✗", None: "?"}


def page(report: Report) -> str:
    """The page as text."""
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in Verdict if report.count(verdict))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>swgrm self-test</title>
<style>{STYLE}</style>
</head>
<body>
<h1>swgrm self-test</h1>
<p>{escape(_where(report.environment))}<br>{len(report.checks)} checks: {counts}. {_steps(report)}</p>
{_stopped(report)}
<h2>Conventions</h2>
<p>What SolidWorks' API leaves open, and what this SolidWorks does.</p>
<table><colgroup><col class="name"><col class="verdict"><col><col></colgroup>
<thead><tr><th>convention</th><th>verdict</th><th>choices</th><th>seen</th></tr></thead>
<tbody>
{"".join(_convention(each) for each in report.conventions)}
</tbody></table>
<h2>Checks</h2>
<table><colgroup><col class="name"><col class="verdict"><col><col></colgroup>
<thead><tr><th>check</th><th>verdict</th><th>expected</th><th>seen</th></tr></thead>
<tbody>
{"".join(_check(each) for each in report.checks)}
</tbody></table>
</body>
</html>
"""


def _where(where: Environment) -> str:
    place = "The mock SolidWorks, not a real one" if where.mock else named(where.solidworks)
    how = "inside SolidWorks" if where.inside else "from another process"
    return f"{place}, {where.language or 'language unknown'}, {how}; swgrm {where.swgrm}, {where.date}"


def _steps(report: Report) -> str:
    return "Steps: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(report.steps.items())) + "."


def _stopped(report: Report) -> str:
    return f'<p class="note">The run ended early: {escape(sentence(report.stopped))}</p>' if report.stopped else ""


def _verdict(verdict: Verdict) -> str:
    return f'<td class="verdict {verdict}">{verdict}</td>'


def _convention(each: ConventionVerdict) -> str:
    choices = "".join(
        f"<li>{MARKS[choice in each.fitting if each.fitting else None]} <code>{escape(choice)}</code>"
        f"{' (built in)' if choice == each.default else ''}: {escape(meaning.removeprefix('that '))}</li>"
        for choice, meaning in CONVENTIONS[each.key].choices.items()
    )
    return (
        f'<tr><th scope="row"><code>{each.key}</code></th>{_verdict(each.verdict)}<td><ul>{choices}</ul></td>'
        f'<td class="seen">{escape(each.seen)}</td></tr>\n'
    )


def _check(check: Check) -> str:
    return (
        f'<tr><th scope="row">{escape(check.id)}<br><small>{escape(check.title)}</small></th>{_verdict(check.verdict)}'
        f"<td><ul>{''.join(map(_hypothesis, check.hypotheses))}</ul></td>"
        f'<td class="seen">{escape(check.seen)}</td></tr>\n'
    )


def _hypothesis(each: Hypothesis) -> str:
    return f"<li>{MARKS[each.fits]} {escape(each.text)}</li>"
