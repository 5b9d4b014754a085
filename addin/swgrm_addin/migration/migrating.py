"""From another exporter's robot and an assembly to the text of a settings file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swgrm.errors import FileError
from swgrm.findings import Finding, Findings
from swgrm.settings import settings_from
from swgrm_addin.migration.assembly_view import AssemblyView
from swgrm_addin.migration.classic_csv import read_csv
from swgrm_addin.migration.drafting import draft_settings, mass_settings
from swgrm_addin.migration.joints_yaml import read_joints_yaml
from swgrm_addin.migration.matching import match_links
from swgrm_addin.migration.old_robot import OldRobot, without_empty_root
from swgrm_addin.migration.old_urdf import read_urdf
from swgrm_addin.migration.placing import OldFrames
from swgrm_addin.migration.structure import Sections, structure_settings
from swgrm_addin.pipeline import Understanding, understand
from swgrm_addin.settings_edit import add_lines, set_value
from swgrm_addin.settings_file import settings_from_text
from swgrm_addin.sources import Source
from swgrm_exporters.yamltext import dump_inline, parse

SAVED = "saved"  # instead of a file: the configuration inside the assembly
READERS: Mapping[str, Callable[[Path], OldRobot]] = {
    ".urdf": read_urdf,
    ".xacro": read_urdf,
    ".csv": read_csv,
    ".yaml": read_joints_yaml,
    ".yml": read_joints_yaml,
}
BY_LINK = (("links", "rename"), ("mass", "links"))  # maps whose entries are settings of their own


class Migration(NamedTuple):
    """The text of a settings file, how many links and joints it has of the old robot, and what was found."""

    text: str
    links: int
    joints: int
    findings: tuple[Finding, ...]


def read_old(path: Path) -> OldRobot:
    """The robot of another exporter in a file."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        kinds = "a URDF (.urdf), the classic exporter's table (.csv) or sw2robot's settings (.joints.yaml)"
        raise FileError(path, "its ending is not that of another exporter's file", remedy=f"Name {kinds}, or `{SAVED}`")
    return reader(path)


def migrate(
    old: OldRobot, source: Source, *, masses: bool = False, text: str = "", path: Path | None = None
) -> Migration:
    """The settings that give the assembly of a source the old robot; with a text, what that does not set is added."""
    findings = Findings()
    old, empty_root = without_empty_root(old)
    plain = _view(understand(source))
    matches = match_links(old, plain, findings)
    if not matches:
        raise _not_of_this(old, plain)
    structure = structure_settings(old, matches, plain, OldFrames(old, matches, plain, Findings()), findings)
    view = _view(understand(source, settings_from(_with_frames(structure))))
    placement = OldFrames(old, matches, view, findings)
    draft = draft_settings(old, matches, view, placement, structure, findings)
    sections = draft.sections
    weights = mass_settings(old, matches, view, placement, draft, findings)
    if masses and weights:
        sections["mass"] = {"links": weights}
    if empty_root:
        sections["urdf"] = {"dummyRoot": empty_root}
    new = merged(text, sections, findings) if text else drafted(sections, old, source.name, findings)
    understand(source, settings_from_text(path or Path("settings"), new))  # a mistake is an error before writing
    return Migration(new, len(matches), len(sections["joints"]), tuple(findings))


def _not_of_this(old: OldRobot, view: AssemblyView) -> FileError:
    """The error for a robot of which no link is in the assembly."""
    wanted = [name for link in old.links for name in link.components or (link.name,)]
    kind = "components" if old.knows_components else "links"
    names = f"its {kind} are {', '.join(wanted[:8])}; the assembly has {', '.join(view.parts[:8])}"
    remedy = "Name the file that was made from this assembly, or write the present names of the components into it"
    return FileError(old.source, f"none of its links is in the assembly: {names}", remedy=remedy)


def _view(done: Understanding) -> AssemblyView:
    if done.inference is None:
        remedy = "Name the assembly or a capture of it"
        raise FileError(done.source.name, "it is a robot file, which has no components", remedy=remedy)
    return AssemblyView(done, done.inference)


def _with_frames(structure: Sections) -> Sections:
    """The structure with a frame for each fixed joint, so that its child is a link of its own."""
    joints = {
        name: {**entry, "frame": {}} if entry.get("type") == "fixed" else entry
        for name, entry in structure["joints"].items()
    }
    return {**structure, "joints": joints}


# ---- the text


def drafted(sections: Sections, old: OldRobot, source: str, findings: Findings) -> str:
    """A new settings file; findings about a joint or link are comments at it."""
    lines = [
        f"# Settings of swgrm for {Path(source).name}, made from {Path(old.source).name}.",
        "# Numbers are in SI units or have a unit: 90 deg, 120 mm. `swgrm settings --complete` adds all other keys.",
    ]
    for section, content in sections.items():
        if content:
            lines += ["", f"{section}:", *_section_lines(section, content, findings)]
    return "".join(f"{line}\n" for line in lines)


def _section_lines(section: str, content: Mapping[str, Any], findings: Findings) -> Iterator[str]:
    for key, value in content.items():
        if section == "joints":
            yield from _joint_lines(key, value, findings)
        elif (section, key) in BY_LINK:
            yield f"  {key}:"
            for name, inner in value.items():
                yield from (f"    # {each}" for each in _remarks(f"link {name}", findings))
                yield f"    {dump_inline(name)}: {dump_inline(inner)}"
        else:
            yield f"  {key}: {dump_inline(value)}"


def _joint_lines(key: str, entry: Mapping[str, Any], findings: Findings) -> Iterator[str]:
    yield f"  {dump_inline(key)}:"
    yield from (f"    # {each}" for each in _remarks(f"joint {entry.get('name', key)}", findings))
    yield from (f"    {name}: {dump_inline(value)}" for name, value in entry.items())


def _remarks(where: str, findings: Findings) -> list[str]:
    return list(dict.fromkeys(" ".join(each.message.split()) for each in findings if each.where == where))


def merged(text: str, sections: Sections, findings: Findings) -> str:
    """The text of the user's settings file with what it does not set; its own lines are kept."""
    for path, value in _settings(sections):
        present = _at(parse(text) or {}, path)
        if present is None:
            if path[0] == "joints" and _at(parse(text) or {}, path[:2]) is None:
                text = add_lines(text, "joints", list(_joint_lines(path[1], sections["joints"][path[1]], findings)))
            else:
                text = set_value(text, path, value)
        elif not _is_same(present, value):
            facts = {"own": dump_inline(present), "old": dump_inline(value)}
            findings.add("old-setting-kept", f"setting {'.'.join(path)}", **facts)
    return text


def _settings(sections: Sections) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every setting with the keys down to it; a joint has several, and links have one each."""
    for section, content in sections.items():
        for key, value in content.items():
            if section == "joints" or (section, key) in BY_LINK:
                yield from (((section, key, inner), each) for inner, each in value.items())
            else:
                yield (section, key), value


def _at(data: Any, path: tuple[str, ...]) -> Any:  # noqa: ANN401 - YAML data
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _is_same(first: Any, second: Any) -> bool:  # noqa: ANN401 - YAML data
    return bool(parse(dump_inline({"x": first})) == parse(dump_inline({"x": second})))
