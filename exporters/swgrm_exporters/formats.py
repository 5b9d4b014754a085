"""The table of formats, and reading and writing of files by their endings."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swgrm.errors import FileError, SwgrmError, nearest
from swgrm.storage.files import check_not_folder
from swgrm_exporters.format import Format, Target

if TYPE_CHECKING:
    import msgspec

    from swgrm.findings import Findings
    from swgrm.model import Robot

MODULES = (  # one line per format; the module has its declaration, FORMAT
    "swgrm_exporters.grm",
    "swgrm_exporters.urdf",
    "swgrm_exporters.robotinfo",
    "swgrm_exporters.ros2",
    "swgrm_exporters.moveit",  # after ros2, to whose package it refers
    "swgrm_exporters.mjcf",
    "swgrm_exporters.sdf",
    "swgrm_exporters.usd",
    "swgrm_exporters.html",  # last: it shows the findings of the others
)
FORMATS: dict[str, Format] = {form.name: form for form in (import_module(module).FORMAT for module in MODULES)}
ROOT_ELEMENTS = {"robot": "urdf", "mujoco": "mjcf", "sdf": "sdf"}  # the first element of a file that ends in .xml
SETTINGS_SUFFIXES = (".grm.yaml", ".grm.yml")  # YAML too, but settings instead of a robot


def named(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise SwgrmError(f"There is no format `{name}`.{nearest(name, list(FORMATS))} Known: {', '.join(FORMATS)}.")
    return FORMATS[name]


def chosen(names: tuple[str, ...]) -> list[Format]:
    """The named formats and those that they need, in the table's order, without those that another one contains.

    `default`, or no name, stands for the usual ones.
    """
    wanted: list[Format] = []
    for name in names or ("default",):
        usual = [form for form in FORMATS.values() if form.by_default]
        wanted += [form for form in (usual if name == "default" else [named(name)]) if form not in wanted]
    wanted += [named(name) for form in tuple(wanted) for name in form.needs]
    contained = {name for form in wanted for name in form.contains}
    return [form for form in FORMATS.values() if form in wanted and form.name not in contained]


def of_file(path: Path | str, *, others: str = "") -> Format:
    """The format that a file's ending names; `others` are what else the user may name, for the error."""
    if str(path).lower().endswith(SETTINGS_SUFFIXES):
        raise FileError(path, "this is a settings file, not a robot", remedy="Name the robot that it belongs to")
    for form in FORMATS.values():
        if form.suffixes and str(path).lower().endswith(form.suffixes):
            return form
    check_not_folder(Path(path))
    endings = ", ".join(suffix for form in FORMATS.values() if form.can_read or not others for suffix in form.suffixes)
    remedy = f"Name a robot file ({endings}), {others}" if others else f"Use one of: {endings}"
    raise FileError(path, "no known format has this ending", remedy=remedy)


def of_content(path: Path | str) -> Format:
    """The format of a file that exists: by its ending, and by its first element where that is `.xml`."""
    form = of_file(path)
    if not str(path).lower().endswith(".xml") or not Path(path).is_file():
        return form
    from swgrm_exporters.xmltext import XmlProblem, parse, qualified, read_xml

    try:
        tag = qualified(parse(read_xml(path)))
    except XmlProblem as problem:
        raise problem.at(path) from None
    name = ROOT_ELEMENTS.get(tag, "")
    if name not in FORMATS:
        known = ", ".join(f"<{root}>" for root, known in ROOT_ELEMENTS.items() if known in FORMATS)
        raise FileError(path, f"its first element is <{tag}>", remedy=f"The robots that swgrm reads begin with {known}")
    return FORMATS[name]


def read(path: Path | str, findings: Findings | None = None) -> Robot:
    """The robot in a file of any format that can be read."""
    form = of_content(path)
    if not form.can_read:
        raise FileError(path, f"the format {form.name} can be written, but not read")
    return form.read(Path(path), _collector(findings))


def write(
    robot: Robot,
    path: Path | str,
    options: msgspec.Struct | Mapping[str, Any] | None = None,
    findings: Findings | None = None,
) -> list[Path]:
    """Write a robot in the format that the file's ending names, and return the files.

    Options are those of the format, also as plain data: `{"precision": 9}`.
    """
    form, path = of_file(path), Path(path)
    if not form.can_write:
        raise FileError(path, f"the format {form.name} can be read, but not written")
    suffix = next(suffix for suffix in form.suffixes if path.name.lower().endswith(suffix))
    target = Target(path.parent, path.name[: -len(suffix)], path.name[-len(suffix) :])
    if isinstance(options, Mapping):
        from swgrm.settings import converted

        options = converted(options, form.options, form.name)
    return form.write(robot, target, options, _collector(findings))


def _collector(findings: Findings | None) -> Findings:
    from swgrm import findings as module

    return module.Findings() if findings is None else findings
