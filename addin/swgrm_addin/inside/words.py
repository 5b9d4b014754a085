"""What the add-in tells its user, in plain words: pure functions from what a child process said to text."""

from __future__ import annotations

import ntpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from swgrm import __version__
from swgrm.findings import Finding, by_kind, more_like_it, problems
from swgrm.mesh_uris import MESHES
from swgrm_addin.inside.places import Places

SHOWN = 6  # kinds of findings in a message; the rest is counted

Data = Mapping[str, Any]


def exported(data: Data, folder: str) -> str:
    """The summary of an export, from what `swgrm export --json` wrote."""
    parts = [
        f"{data['robot']} was exported.",
        robot(data),
        needs_a_look(data["findings"]),
        files(data["files"], folder),
    ]
    return "\n\n".join(part for part in parts if part)


def robot(data: Data) -> str:
    """Links, joints and mass in one sentence."""
    frames = data["frames"]
    links = sum(len(frame["links"]) for frame in frames)
    kinds = Counter(frame["joint"]["type"] for frame in frames if frame["joint"])
    kinds.pop("fixed", None)
    each = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    joints = f"{counted(kinds.total(), 'moving joint')} ({each})" if kinds else "no moving joints"
    sensors = sum(len(frame["sensors"]) for frame in frames)
    more = f", {counted(sensors, 'sensor')}" if sensors else ""
    return f"It has {counted(links, 'link')}, {joints}{more}, and weighs {data['mass']:.4g} kg."


def checked(findings: Sequence[Data], title: str) -> str:
    """The result of a check."""
    return f"{title}: {needs_a_look(findings) or 'nothing needs a look.'}"


def needs_a_look(findings: Iterable[Data]) -> str:
    """The findings that are more than notes, worst first; of several of one kind, one and where the others are."""
    serious = problems(map(Finding.from_plain, findings))
    if not serious:
        return ""
    verb = "thing needs" if len(serious) == 1 else "things need"
    lines = [f"{len(serious)} {verb} a look:"]
    kinds = by_kind(serious)
    for first, *others in kinds[:SHOWN]:
        lines.append(f"• {first.where}: {first.message}{f' ({more_like_it(others)})' if others else ''}")
    if rest := sum(map(len, kinds[SHOWN:])):
        lines.append(f"• and {rest} more, in the file that ends in .findings.json")
    return "\n".join(lines)


def files(paths: Sequence[str], folder: str) -> str:
    """Where the files are: the meshes are counted, the others named."""
    names = [ntpath.basename(path) for path in paths]
    main = [name for name in names if ntpath.splitext(name.lower())[1] not in MESHES]
    meshes = [counted(len(names) - len(main), "mesh")] if len(main) < len(names) else []
    return f"The files are in {folder}:\n{', '.join([*main, *meshes])}"


def child_failed(doing: str, code: int, said: str, places: Places) -> str:
    """Why a child process did not do its work: its own sentence if it had one, else what is known."""
    own = next((line.removeprefix("swgrm: ") for line in reversed(said.splitlines()) if line.startswith("swgrm: ")), "")
    reason = own or f"The program that does the work ended unexpectedly (exit code {code})."
    kept = f"What swgrm had read was kept in {places.failed}; send it with a report." if places.failed.exists() else ""
    return "\n\n".join(part for part in (f"{doing} failed.", reason, kept, where_the_log_is(places)) if part)


def child_hung(doing: str, step: str, seconds: float, places: Places) -> str:
    """A child process that gave no sign of life."""
    return (
        f"{doing} failed.\n\nThe program that does the work said nothing for {seconds / 60:.0f} minutes "
        f"(its last step: {step}), so swgrm ended it.\n\n{where_the_log_is(places)}"
    )


def unexpected(doing: str, error: BaseException, places: Places) -> str:
    """Something that nobody thought of went wrong."""
    return (
        f"{doing} failed: swgrm met an error that it did not expect ({type(error).__name__}: {error}).\n"
        f"Your document was not changed. Please report it, with the log.\n\n{where_the_log_is(places)}"
    )


def where_the_log_is(places: Places) -> str:
    """Where to look for more."""
    return f"More is in the log: {places.log}"


def help_text(places: Places) -> str:
    """What Help shows."""
    return (
        f"swgrm {__version__} turns this assembly into a robot.\n\n"
        "Export GRM reads the assembly, infers the joints from its mates, and writes GRM, URDF with meshes and "
        "RobotInfo into a folder beside the document. Settings says how; it is a text file beside the document.\n\n"
        "To report a problem, press Save capture for support and attach the file that it makes: it holds what "
        "swgrm read, if you wish without names and shapes.\n\n"
        f"{where_the_log_is(places)}"
    )


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    ending = "" if count == 1 else "es" if noun.endswith("sh") else "s"
    return f"{count:,} {noun}{ending}"
