"""The pipeline: a source is read, understood and written.

    read         an assembly, capture, sample or robot file          → Source
    understand   infer the joints, apply the settings, weigh, check  → Understanding
    write        meshes, then each format, into one folder           → Export

Every command, the batch and the add-in's subprocess use these three functions; `export` is all of them in a row.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from swgrm.errors import EditedFilesError, ModelError, SettingsError
from swgrm.findings import Finding, Findings
from swgrm.model import Robot
from swgrm.settings import Settings
from swgrm.storage.files import check_new, write_bytes
from swgrm.storage.folders import FilePlacement, placement, safe_name, staged
from swgrm_addin.settings_file import ROBOT_SECTIONS, OptionsBySection, SettingsFile, settings_for
from swgrm_addin.sources import Source, read
from swgrm_exporters.format import Format, Target
from swgrm_exporters.formats import chosen, of_file

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm.inference import Inference
    from swgrm.mass.links import WeighedParts
    from swgrm.meshes.carrying import Meshed
    from swgrm.model.comparison import Comparison

__all__ = ["Export", "Source", "Understanding", "export", "read", "understand", "write"]

NOT_COMPUTABLE = frozenset({"frame-duplicate", "too-large"})  # findings of robots that cannot be written
Edited = Literal["keep", "replace", "refuse"]  # what is done with files of the user in the way of new ones
Progress = Callable[[str, float], None]  # the step that begins, and the share of all work done (0 to 1); may raise


class Understanding(NamedTuple):
    """A robot with all findings so far, and what it was understood from."""

    robot: Robot
    findings: tuple[Finding, ...]
    source: Source
    settings: SettingsFile
    capture: Capture | None = None  # of an assembly; None for a robot file
    inference: Inference | None = None
    weighed: WeighedParts | None = None

    @property
    def document(self) -> str:
        """The name of what the robot was made from: that of the document or file without its endings."""
        name = self.capture.source.name if self.capture else Path(self.source.name).name.partition(".")[0]
        return name or self.robot.name


class Export(NamedTuple):
    """An export: the robot, the files that were written, all findings, and what changed."""

    robot: Robot
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    references: tuple[str, ...] = ()  # the files that SolidWorks read, where they are known
    changes: Comparison | None = None  # against an earlier export into the folder; None: there was none
    same: tuple[Path, ...] = ()  # the files that were there already, with the same content
    reading: str = ""  # in which way and how long an instance of SolidWorks read the document


def no_progress(step: str, done: float) -> None:
    """The default for callers that do not show progress."""


def understand(
    source: Source | Capture | Robot,
    settings: SettingsFile | Settings | None = None,
    before: Understanding | None = None,
) -> Understanding:
    """The robot of a source: joints inferred from the mates, the settings applied, weighed and checked.

    `before` is an earlier understanding of the same source: its inference is used again if the settings permit that,
    and its parts are not weighed again.
    """
    source = _as_source(source)
    decided = settings if isinstance(settings, SettingsFile) else SettingsFile(settings or Settings())
    with _located(decided):
        return _understood(source, decided, before)


@contextmanager
def _located(settings: SettingsFile) -> Iterator[None]:
    """Errors in the settings name their file and line."""
    try:
        yield
    except SettingsError as error:
        raise settings.located(error) from None


def _understood(source: Source, decided: SettingsFile, before: Understanding | None) -> Understanding:
    from swgrm.settings import apply, apply_document_properties
    from swgrm.validation import check

    findings = Findings(source.findings)
    if decided.defaults is not None:
        findings.add("defaults-used", f"file {decided.defaults.name}", path=decided.defaults)
    if source.robot is not None:
        robot = apply(source.robot, decided.model, findings)
        robot = msgspec.structs.replace(robot, name=decided.model.robot.name or robot.name)
        if unused := _only_for_assemblies(decided):
            findings.add("settings-unused", f"robot {robot.name}", sections=", ".join(unused))
        findings.extend(check(robot, source.folder))
        return Understanding(robot, tuple(findings), source, decided)
    from swgrm.inference import as_assembly, infer
    from swgrm.inference.keeping import kept
    from swgrm.mass.links import MassOptions, weigh
    from swgrm.meshes.cache import Cache, default_folder
    from swgrm.precision import numbers_of, rounded

    assert source.capture is not None  # noqa: S101 - a source has a robot or a capture
    capture = as_assembly(source.capture)
    inference = kept(before.inference, before.settings.model, decided.model) if before and before.inference else None
    inference = inference or infer(capture, decided.model)
    findings.extend(inference.findings)
    robot = apply_document_properties(inference.robot, findings)
    robot = apply(robot, inference.settings, findings)
    weighed = {} if before is None or before.weighed is None else before.weighed
    robot = weigh(robot, capture, decided.section("mass", MassOptions), findings, weighed, Cache(default_folder()))
    # Only numbers that were computed are rounded: those of the settings and of custom properties stay as they are.
    given = numbers_of(decided.model, decided.sections.get("mass"), _props(inference.robot))
    robot = rounded(robot, given)
    findings.extend(check(robot))
    return Understanding(robot, tuple(findings), source, decided, capture, inference, weighed)


def checked(understanding: Understanding) -> tuple[Finding, ...]:
    """All findings about a robot; the mesh files of a robot file are compared with its inertias, too."""
    if understanding.inference is not None:
        return understanding.findings
    from swgrm.meshes.agreement import check_meshes

    return (*understanding.findings, *check_meshes(understanding.robot, understanding.source.folder))


def write(
    understanding: Understanding,
    out: Path | str,
    formats: tuple[str, ...] = (),
    progress: Progress = no_progress,
    *,
    edited: Edited = "keep",
) -> Export:
    """Write a robot with its meshes into a folder, in the given formats.

    By default, these are the formats that the settings name, or else those that declare so.

    The folder is complete or unchanged: files are written beside it and moved in at the end. `edited` decides about
    files in their way that swgrm did not write or that were edited since: keep a copy, replace them, or refuse.
    """
    from swgrm_addin.changes import changes, report_outdated

    out = Path(out)
    _check_computable(understanding)
    forms = chosen(formats or understanding.settings.formats)
    findings = Findings(understanding.findings)
    with (
        staged(out, force=edited == "replace", owner=understanding.document) as stage,
        _located(understanding.settings),
    ):
        findings = findings.in_stage(stage)
        robot, meshes, files = _write_all(understanding, forms, stage, out, findings, progress)
        changed = changes(out, stage, [path.relative_to(stage).as_posix() for path in meshes])
        report = f"{safe_name(robot.name)}.findings.json"
        own = () if edited == "replace" else [pattern for form in forms for pattern in form.users_own]
        placed = placement(stage, out, own, [report])
        _report_placement(placed, out, edited, findings)
        report_outdated(placed.offered, forms, stage, out, findings)
        files.append(_write_findings(findings, stage / report))
        names = [file.relative_to(stage).as_posix() for file in files]
        same = placed.same | {name for name in [report] if _contains(out / name, (stage / name).read_bytes())}
    progress("done", 1.0)
    return Export(
        robot,
        tuple(out / placed.offered.get(name, name) for name in names),
        tuple(findings),
        understanding.source.references,
        changed,
        tuple(out / name for name in names if name in same),
        understanding.source.reading,
    )


def write_file(
    understanding: Understanding, path: Path | str, *, force: bool = False, progress: Progress = no_progress
) -> Export:
    """Write a robot as one file, in the format that its ending names, with its mesh files beside it.

    A file that exists with another content is an error before anything is written, unless `force` is set.
    """
    path = Path(path)
    _check_computable(understanding)
    form, findings = of_file(path), Findings(understanding.findings)
    beside = understanding.source.robot is not None and understanding.source.folder.resolve() == path.parent.resolve()
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder, _located(understanding.settings):
        stage = Path(folder)
        findings = findings.in_stage(stage)
        robot, meshes, store = understanding.robot, tuple[Path, ...](), None
        if form.mesh_uris and not beside:
            robot, meshes, store, *_ = meshed(understanding, [form], stage, findings, progress)
        suffix = next(each for each in form.suffixes if path.name.lower().endswith(each))
        target = Target(stage, path.name[: -len(suffix)], path.name[-len(suffix) :], path.parent, store)
        files = _write_format(robot, form, target, understanding, findings)
        shared = {path.parent / file.relative_to(stage): file.read_bytes() for file in meshes}
        placed = {path.parent / file.relative_to(stage): file.read_bytes() for file in files}
    for file in () if force else (*placed, *(file for file, data in shared.items() if not _contains(file, data))):
        check_new(file)
    for file, data in (shared | placed).items():
        write_bytes(file, data)
    progress("done", 1.0)
    return Export(robot, (*shared, *placed), tuple(findings), understanding.source.references)


def _check_computable(understanding: Understanding) -> None:
    """Raises ModelError for a robot of a file that nothing can be computed of."""
    for finding in understanding.findings:
        if finding.code in NOT_COMPUTABLE or (finding.code == "name-empty" and finding.where == "frame"):
            raise ModelError(f"{understanding.source.name}: {finding.where}: {finding.message} {finding.remedy}")


def _contains(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data


def export(
    source: str,
    out: Path | str,
    *,
    formats: tuple[str, ...] = (),
    settings: SettingsFile | Path | str | None = None,
    options: OptionsBySection | None = None,
    configuration: str = "",
    instance: str = "",
    progress: Progress = no_progress,
    edited: Edited = "keep",
) -> Export:
    """Read, understand and write a source in one call.

    `settings` is a settings file; by default the one beside the source, if there is one. `options` are settings by
    section, which take precedence. `configuration` and `instance` are those of `read`, `edited` is that of `write`.
    """
    if not isinstance(settings, SettingsFile):
        settings = settings_for(source, Path(settings) if settings else None, options)
    chosen(formats)  # an unknown format is an error before the long work, not after it
    progress("reading", 0.0)
    understanding = understand(read(source, configuration, instance=instance), settings)
    return write(understanding, out, formats, progress, edited=edited)


def _props(robot: Robot) -> list[Mapping[str, str]]:
    """The custom properties of the documents that a robot was inferred from."""
    holders = [robot.props]
    for frame in robot.frames:
        holders += [frame.props, *(link.props for link in frame.links)]
    return holders


def _only_for_assemblies(settings: SettingsFile) -> list[str]:
    """The sections of the settings that are given and have no effect on a robot file."""
    model, replace = settings.model, msgspec.structs.replace
    others = replace(model, base=replace(model.base, mount=None), links=replace(model.links, rename={}))
    given = [
        field.encode_name
        for field in msgspec.structs.fields(Settings)
        if field.name not in ROBOT_SECTIONS and getattr(others, field.name) != getattr(Settings(), field.name)
    ]
    return [*given, *(name for name in ("mass", "meshes") if name in settings.sections)]


def _as_source(source: Source | Capture | Robot) -> Source:
    if isinstance(source, Source):
        return source
    return Source("", robot=source) if isinstance(source, Robot) else Source("", source)


# ---- the steps of writing


def meshed(
    understanding: Understanding, forms: Sequence[Format], stage: Path, findings: Findings, progress: Progress
) -> Meshed:
    """The robot with its mesh files in the stage: made from the capture, or copied from beside the robot file."""
    if understanding.capture is None:
        from swgrm.meshes.carrying import carry

        complete = any(form.self_contained for form in forms)
        return carry(understanding.robot, understanding.source.folder, stage, findings, with_schemes=complete)
    from swgrm.meshes.building import add_meshes
    from swgrm.meshes.cache import Cache, default_folder
    from swgrm.meshes.options import MeshOptions

    parts = understanding.weighed or {}
    return add_meshes(
        understanding.robot,
        understanding.capture,
        stage,
        understanding.settings.section("meshes", MeshOptions),
        findings,
        cache=Cache(default_folder()),
        welded={key: part.surface for key, part in parts.items() if part.surface is not None},
        fasteners=() if understanding.inference is None else understanding.inference.fasteners,
        progress=lambda step, done: progress(step, 0.1 + 0.5 * done),
    )


def _write_all(
    understanding: Understanding,
    forms: Sequence[Format],
    stage: Path,
    out: Path,
    findings: Findings,
    progress: Progress,
) -> tuple[Robot, tuple[Path, ...], list[Path]]:
    """Write the mesh files and each format; returns the robot as seen from the stage, the meshes, and all files.

    A format with a folder of its own has the mesh files there, and the other formats name them there. Where no format
    names or contains meshes, none are made, and the robot has no materials that the settings could change.
    """
    from swgrm.meshes.carrying import seen_from
    from swgrm.settings import with_materials

    inner = next((name for form in forms if form.mesh_uris and (name := form.folder(understanding.robot.name))), "")
    robot, meshes, store = understanding.robot, tuple[Path, ...](), None
    if any(form.mesh_uris for form in forms):
        robot, meshes, store, *_ = meshed(understanding, forms, stage / inner, findings, progress)
        robot = with_materials(robot, understanding.settings.model.materials)
    files = list(meshes)
    for number, form in enumerate(forms):
        progress(f"writing {form.title}", 0.6 + 0.4 * number / len(forms))
        name = form.folder(robot.name)
        target = Target(stage / name, safe_name(robot.name), final=out / name, store=store)
        seen = seen_from(robot, meshes, stage / inner, stage / name)
        files += _write_format(seen, form, target, understanding, findings)
    return seen_from(robot, meshes, stage / inner, stage), meshes, files


def _write_format(
    robot: Robot, form: Format, target: Target, understanding: Understanding, findings: Findings
) -> list[Path]:
    sections = understanding.settings.sections
    before = len(findings)
    files = form.write(robot, target, sections.get(form.name), findings.of_format(form.name), sections)
    findings.fold(before)
    return files


def _report_placement(placed: FilePlacement, out: Path, edited: Edited, findings: Findings) -> None:
    if placed.backups and edited == "refuse":
        raise EditedFilesError(out, tuple(placed.backups))
    for name, new in placed.offered.items():
        findings.add("file-kept", f"file {name}", new=new)
    for name, backup in placed.backups.items() if edited == "keep" else ():
        findings.add("file-backed-up", f"file {name}", backup=backup)


def _write_findings(findings: Findings, path: Path) -> Path:
    path.write_bytes(msgspec.json.format(msgspec.json.encode([finding.plain() for finding in findings]), indent=1))
    return path
