"""The main job: a source becomes a robot, and the robot a folder of files, put in place whole."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from swgrm.errors import FileError
from swgrm.findings import Finding, Findings
from swgrm.folders import safe_name, staged
from swgrm.model import Robot
from swgrm.settings import converted
from swgrm_addin.asking import Captured, capture
from swgrm_exporters.format import Target
from swgrm_exporters.formats import FORMATS, chosen, named

if TYPE_CHECKING:
    from swgrm.comparison import Comparison
    from swgrm_addin.sources import Understood

T = TypeVar("T")

Progress = Callable[[str, float], None]  # what is being done, and how much of it all is done (0 to 1); may raise


class ExportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """What a user may decide about the export."""

    folder: str = ""  # to write into, seen from the settings file


class Exported(NamedTuple):
    """The robot that was exported, the files that were written, and what there is to say."""

    robot: Robot
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    references: tuple[str, ...] = ()  # the files that SolidWorks read, where they are known
    changes: Comparison | None = None  # against what an earlier export left in the folder; None: nothing


def quiet(step: str, done: float) -> None:
    """Progress for those who do not want to know."""


def export(
    source: str,
    out: Path,
    *,
    formats: tuple[str, ...] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    settings: Path | None = None,
    ros2: bool = False,
    progress: Progress = quiet,
    seat: str = "",
    configuration: str = "",
) -> Exported:
    """Export a source into a folder, in the given formats (by default all); each format has its own options.

    `settings` is a settings file; without it the one beside the source counts, if there is one.

    With `ros2` the folder is a ROS 2 package, the URDF in it with `package://` names.
    A source that SolidWorks must open is captured by the one at `seat`, if that is given.
    """
    from swgrm.mass import MassOptions
    from swgrm_addin.changes import changes
    from swgrm_addin.sources import settings_for, understand

    decided = settings_for(source, settings)
    given = {**decided.sections, **(options or {})}
    names = formats or tuple(name for name, form in FORMATS.items() if form.by_default)
    written = [form for form in chosen((*names, "ros2") if ros2 else names) if form.can_write]
    for form in written:
        section(given, form.name, form.options)
    progress("reading", 0.0)
    with captured(source, seat, configuration) as (file, seated):
        understood = understand(file, section(given, "mass", MassOptions), decided)
    _check_configuration(source, understood, configuration)
    said = [*seated.findings, *understood.findings]
    with staged(out) as stage:
        dressed = _dressed(understood, Path(source).parent, stage, given, progress)
        robot, said = dressed.robot, [*said, *dressed.findings]
        files = [out / path.relative_to(stage) for path in dressed.files]
        for number, form in enumerate(written):
            progress(f"writing {form.title}", 0.6 + 0.4 * number / len(written))
            findings, target = Findings(format=form.name), Target(stage, safe_name(robot.name), final=out)
            contained = {name: section(given, name, named(name).options) for name in form.contains}
            made = form.write(robot, target, section(given, form.name, form.options), findings, contained)
            files += [out / file.relative_to(stage) for file in made]
            said += findings
        changed = changes(out, stage, [path.relative_to(stage).as_posix() for path in dressed.files])
        report = stage / f"{safe_name(robot.name)}.findings.json"
        report.write_bytes(msgspec.json.format(msgspec.json.encode([finding.plain() for finding in said]), indent=1))
        files.append(out / report.name)
    progress("done", 1.0)
    return Exported(robot, tuple(files), tuple(said), seated.references, changed)


def chosen_folder(source: str, settings: Path | None) -> Path | None:
    """The folder that the source's settings name, if they name one."""
    from swgrm_addin.sources import settings_file, settings_for

    file = settings_file(source, settings)
    folder = section(settings_for(source, settings).sections, "export", ExportOptions).folder
    return file.parent / folder if file and folder else None


def section(options: Mapping[str, Mapping[str, Any]], name: str, kind: type[T]) -> T:
    """A part of the options as its own type."""
    return converted(dict(options.get(name, {})), kind, name)


def _check_configuration(source: str, understood: Understood, wanted: str) -> None:
    """A capture holds one configuration: another one cannot be had from it."""
    held = understood.capture.source.configuration if understood.capture else wanted
    if wanted and held != wanted:
        raise FileError(
            source,
            f"it was captured in configuration `{held}`, not `{wanted}`",
            remedy="Capture it in that one, or leave it out by --pattern",
        )


class _Dressed(NamedTuple):
    robot: Robot
    files: tuple[Path, ...] = ()
    findings: tuple[Finding, ...] = ()


def _dressed(
    understood: Understood, folder: Path, stage: Path, options: Mapping[str, Mapping[str, Any]], progress: Progress
) -> _Dressed:
    """The robot with its meshes in the stage: made from the capture, or taken along from where it was read."""
    if understood.capture is None:
        from swgrm.meshes.carrying import carry

        carried = carry(understood.robot, folder, stage, findings := Findings())
        return _Dressed(carried.robot, carried.files, tuple(findings))
    from swgrm.meshes.building import add_meshes
    from swgrm.meshes.cache import Cache, default_folder
    from swgrm.meshes.options import MeshOptions

    meshed = add_meshes(
        understood.robot,
        understood.capture,
        stage,
        section(options, "meshes", MeshOptions),
        findings := Findings(),
        cache=Cache(default_folder()),
        progress=lambda step, done: progress(step, 0.1 + 0.5 * done),
    )
    return _Dressed(meshed.robot, meshed.files, tuple(findings))


@contextmanager
def captured(source: str, seat: str, configuration: str) -> Iterator[tuple[str, Captured]]:
    """A source that needs no SolidWorks, and what the seat that made it had to say."""
    if not seat:
        yield source, Captured()
        return
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        file = Path(folder) / "document.swcap"
        yield str(file), capture(seat, Path(source), configuration, file)
