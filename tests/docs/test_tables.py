"""Tables in the documentation come from the data that the code uses; `python -m tests.docs.test_tables` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.docs.reference import command_line, python_names, settings_keys

from swgrm.findings.codes import CODES
from swgrm.model import CompositeType, JointType
from swgrm.precision import QUANTITIES
from swgrm.solidworks.conventions import conventions_table
from swgrm_addin.batch.discovery import KINDS
from swgrm_addin.selftest.assemblies import ASSEMBLIES, UNSETTLED
from swgrm_addin.selftest.specs import AssemblySpec
from swgrm_exporters.formats import FORMATS
from swgrm_exporters.lowering import Capabilities, Feature

ROOT = Path(__file__).parents[2]


def findings_table() -> str:
    rows = [
        f"| `{code}` | {kind.severity.name.lower()} | {escaped(kind.sentence)} | {in_cell(kind.remedy)} |"
        for code, kind in sorted(CODES.items())
    ]
    return "\n".join(["| code | severity | sentence | remedy |", "|---|---|---|---|", *rows])


def escaped(text: str) -> str:
    """A template in a table's cell, its fields in italics."""
    return in_cell(re.sub(r"\{(\w+)[^}]*\}", r"*\1*", text))


def in_cell(text: str) -> str:
    return text.replace("|", "\\|")


def formats_table() -> str:
    yes = {True: "yes", False: "–"}
    none = "none: it has no geometry"
    rows = [
        f"| `{form.name}` | {form.title} | {', '.join(f'`{each}`' for each in form.suffixes) or 'a folder'} | "
        f"{yes[form.can_read]} | {yes[form.can_write]} | {yes[form.by_default]} | {form.mesh_uris or none} |"
        for form in FORMATS.values()
    ]
    head = "| name | format | files | read | written | by default | mesh files are named |"
    return "\n".join([head, "|---|---|---|---|---|---|---|", *rows])


def features_table() -> str:
    """What each format holds, from its capabilities."""
    columns = [form for form in FORMATS.values() if (form.capabilities_of or form.name == "grm") and not form.contains]
    found = [form.capabilities for form in columns]

    def row(what: str, cells: Callable[[Capabilities], str]) -> str:
        return f"| {what} | {' | '.join(cells(each) for each in found)} |"

    def yes(is_held: object, other: str = "–") -> str:
        return "yes" if is_held else other

    lines = [f"| | {' | '.join(f'`{form.name}`' for form in columns)} |", f"|---|{'---|' * len(columns)}"]
    split = {JointType.BALL: "3 joints", JointType.SCREW: "2 joints, coupled"}
    lines += [row(f"{kind} joint", lambda c, k=kind: yes(k in c.joints, split.get(k, "–"))) for kind in JointType]  # type: ignore[misc]
    chains = [each for each in CompositeType if each not in (CompositeType.BALL, CompositeType.SCREW)]
    lines += [row(f"{each} joint", lambda c, k=each: yes(k in c.composites, "chain")) for each in chains]  # type: ignore[misc]
    lines += [
        row("loops", lambda c: yes(c.loops, "cut")),
        row("joints that follow others", lambda _: "yes"),
        row("chains of followers", lambda c: yes(c.coupling_chains, "resolved")),
        row("relations of several joints", lambda c: yes(c.relations, "of two joints")),
        row("several links on a frame", lambda c: yes(c.several_links, "one link")),
        row("frames without links", lambda c: "as links" if c.frames_are_links else "yes"),
        row("capsules", lambda c: yes(c.capsules, "3 shapes") if Feature.COLLISIONS in c.holds else "–"),
        row("mass without a tensor", lambda c: yes(c.tensors_optional, "assumed")),
    ]
    lines += [row(words, lambda c, k=key: yes(k in c.simulation)) for key, words in SIMULATION_WORDS.items()]  # type: ignore[misc]
    lines += [row(each.words(2), lambda c, k=each: yes(k in c.holds)) for each in Feature]  # type: ignore[misc]
    return "\n".join(lines)


SIMULATION_WORDS = {
    "mount": "floating base",
    "poses": "named poses",
    "actuators": "actuators",
    "contacts": "contacts to leave out",
    "armature": "armatures",
}


def kinds_table() -> str:
    rows = [
        f"| `{kind.suffix}` | {kind.instance_kind or '–'} | {'yes' if kind.by_default else 'no'} |" for kind in KINDS
    ]
    return "\n".join(["| ending | SolidWorks instance | found without `--pattern` |", "|---|---|---|", *rows])


def motions(spec: AssemblySpec) -> int:
    """How often an assembly is moved."""
    return sum(len(drive.values) for drive in spec.drives) + len(spec.trials)


def selftest_table() -> str:
    rows = [
        f"| {spec.id} | {spec.title} | {len(spec.mates)} | {motions(spec)} | "
        f"{', '.join(f'`{key}`' for key in spec.conventions)} |"
        for spec in sorted(ASSEMBLIES, key=lambda spec: (spec.id[0], int(spec.id[1:].split(".")[0])))
    ]
    rows += [f"| {each.id} | {each.title}: not settled, {each.reason} | – | – | |" for each in UNSETTLED]
    return "\n".join(["| assembly | what it shows | mates | motions | conventions |", "|---|---|---|---|---|", *rows])


def precision_table() -> str:
    rows = []
    for quantity, (precision, unit) in QUANTITIES.items():
        step = f"{precision.digits} digits" if precision.is_relative else f"1e-{precision.digits} {unit}".strip()
        rows.append(f"| {quantity} | {step} | {precision.reason} |")
    return "\n".join(["| quantity | step | why |", "|---|---|---|", *rows])


TABLES: Mapping[tuple[str, str], Callable[[], str]] = {
    ("docs/findings.md", "findings"): findings_table,
    ("docs/formats.md", "formats"): formats_table,
    ("docs/formats.md", "features"): features_table,
    ("docs/settings.md", "conventions"): conventions_table,
    ("docs/settings.md", "keys"): settings_keys,
    ("docs/command-line.md", "commands"): command_line,
    ("docs/python.md", "python"): python_names,
    ("docs/batch.md", "kinds"): kinds_table,
    ("docs/selftest.md", "selftest"): selftest_table,
    ("docs/precision.md", "precision"): precision_table,
}


def with_table(text: str, name: str, table: str) -> str:
    """The page with the table between its two marks."""
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    assert marks.search(text), f"no place for the table {name}"
    return marks.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


@pytest.mark.docs
@pytest.mark.parametrize(("page", "name"), TABLES)
def test_tables_are_up_to_date(page: str, name: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert with_table(text, name, TABLES[page, name]()) == text, "run: python -m tests.docs.test_tables"


if __name__ == "__main__":
    for (page, name), table in TABLES.items():
        path = ROOT / page
        path.write_text(with_table(path.read_text("utf-8"), name, table()), "utf-8")
