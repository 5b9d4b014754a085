"""The settings file `NAME.grm.yaml`: found beside its source, and read into typed sections.

The sections are those of the model (`swgrm.settings`), `export`, `mass` and `meshes`, and one for each format, named
after it. OptionsBySection of the command line take precedence over the file, and the file over the user's own
defaults (`user_defaults`).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from swgrm.errors import FileError, SettingsError, SwgrmError, nearest
from swgrm.settings import JointSettings, Section, Settings, converted
from swgrm.storage.files import is_file

if TYPE_CHECKING:
    from swgrm_addin.user_defaults import UserDefaults

T = TypeVar("T")
OptionsBySection = Mapping[str, Mapping[str, Any]]  # by section

SUFFIX = ".grm.yaml"
ROBOT_SECTIONS = (  # of the model: they apply to robot files, too
    "robot", "joints", "sensors", "props", "materials", "poses", "actuators", "contacts",
)  # fmt: skip
OTHER_SECTIONS: Mapping[str, str] = {  # beside those of the model and of the formats
    "export": "swgrm_addin.settings_file:ExportOptions",
    "mass": "swgrm.mass.links:MassOptions",
    "meshes": "swgrm.meshes.options:MeshOptions",
}


class ExportOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The section `export`."""

    folder: str = ""  # to write into, relative to the settings file
    formats: tuple[str, ...] = ()  # to write; `default` stands for the usual ones


class SettingsFile(NamedTuple):
    """Settings that were read and checked: the model's, and the other sections by name, each of its own type."""

    model: Settings = Settings()
    sections: Mapping[str, msgspec.Struct] = {}
    path: Path | None = None
    text: str = ""  # of the file
    defaults: Path | None = None  # the user's own defaults, if they contain something

    def line(self, at: tuple[str, ...]) -> str:
        """The line of a setting, such as `line 7`, or an empty text where it is not in the file."""
        from swgrm_exporters.yamltext import key_line

        number = key_line(self.text, at) if self.text else None
        return f"line {number}" if number else ""

    def located(self, error: SettingsError) -> SettingsError:
        """The error with the file and the line of the setting that it is about."""
        place = ": ".join(filter(None, [str(self.path) if self.path else "", self.line(error.at)]))
        return SettingsError(f"{place}: {error}" if place else str(error), error.at)

    def section(self, name: str, kind: type[T]) -> T:
        """A section, or its defaults."""
        found = self.sections.get(name)
        return found if isinstance(found, kind) else kind()

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats to export, if the file names some."""
        return self.section("export", ExportOptions).formats

    @property
    def export_folder(self) -> Path | None:
        """The folder to export into, if the file names one."""
        folder = self.section("export", ExportOptions).folder
        return self.path.parent / folder if self.path and folder else None


def settings_for(source: str, given: Path | None = None, options: OptionsBySection | None = None) -> SettingsFile:
    """The settings of a source: the user's defaults, the given file or the one beside it, and the options."""
    from swgrm_addin.sources import is_capture
    from swgrm_addin.user_defaults import read_defaults

    is_assembly = is_capture(source)
    path = given or beside(source)
    defaults = read_defaults()
    if not is_assembly:
        kept = section_types().keys() - {"mass", "meshes"}
        defaults = defaults.for_robot_files((*ROBOT_SECTIONS, *kept))
    return settings_from_text(path, _text(path) if path else "", options, defaults)


def beside(source: str) -> Path | None:
    """The settings file that belongs to a source, if there is one."""
    path = settings_path(source)
    return path if path is not None and is_file(path) else None


def settings_path(source: str) -> Path | None:
    """The file that the settings of a source are in: NAME.grm.yaml beside it; None for a sample or no name.

    A robot file that was exported beside its document has settings of its own, such as arm.urdf.grm.yaml: those of the
    document are in it already, and a second `flip` would undo the first.
    """
    from swgrm_addin.sources import ENDINGS, MOCK, is_capture

    path = Path(source)
    if source.startswith(MOCK) or not path.name:
        return None
    if is_capture(source):
        return path.with_name(path.stem + SUFFIX)
    name = _name_without_suffix(path.name)
    if any(is_file(path.with_name(name + ending)) for lower in ENDINGS for ending in (lower, lower.upper())):
        name = path.name
    return path.with_name(name + SUFFIX)


def _name_without_suffix(name: str) -> str:
    """The name of a robot file without the endings of its format: `arm` for arm.grm.json and arm.urdf.xacro."""
    from swgrm_exporters.formats import FORMATS

    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    while suffix := next((each for each in suffixes if name.lower().endswith(each) and name.lower() != each), ""):
        name = name[: -len(suffix)]
    return name


def read_settings(path: Path | None, options: OptionsBySection | None = None) -> SettingsFile:
    """Read a settings file, if there is one, and combine it with options by section, which take precedence."""
    return settings_from_text(path, _text(path) if path else "", options)


def settings_from_text(
    path: Path | None, text: str, options: OptionsBySection | None = None, defaults: UserDefaults | None = None
) -> SettingsFile:
    """The settings in the text of a file, above the user's defaults and below options by section."""
    data = parsed(path, text) if path else {}
    below = defaults.sections if defaults else {}
    combined = layered(layered(below, data), options or {})
    file = SettingsFile(path=path, text=text)
    try:
        return _checked(combined)._replace(path=path, text=text, defaults=defaults.path if defaults and below else None)
    except SettingsError as error:
        raise FileError(path, str(error), place=file.line(error.at)) if path else error from None


def layered(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by section, where each key of `above` takes precedence."""
    found = {**below, **above}
    for name in below.keys() & above.keys():
        if isinstance(below[name], Mapping) and isinstance(above[name], Mapping | None):
            found[name] = {**below[name], **(above[name] or {})}
    return found


def section_types() -> dict[str, str]:
    """The sections beside the model's own: name, and `module:type` of its options."""
    from swgrm_exporters.formats import FORMATS

    return {**OTHER_SECTIONS, **{form.name: form.options_type for form in FORMATS.values()}}


def _text(path: Path) -> str:
    from swgrm.storage.files import decode_utf8, read_bytes

    return decode_utf8(path, read_bytes(path))


def parsed(path: Path, text: str) -> dict[Any, Any]:
    """The sections of a settings file."""
    from swgrm_exporters.yamltext import YamlProblem, parse

    try:
        data = parse(text)
    except YamlProblem as problem:
        raise FileError(path, problem.problem, place=problem.place) from None
    if not isinstance(data, dict | None):
        remedy = "Begin with `joints:` or another section"
        raise FileError(path, "a settings file consists of sections with names", remedy=remedy)
    if data and isinstance(data.get("props"), dict):
        data["props"] = _as_written(data["props"], parse(text, as_text=True)["props"])
    return data or {}


def _as_written(value: Any, written: Any) -> Any:  # noqa: ANN401 - any YAML values
    """The value with every number, boolean and date as the text that the user wrote: `0.20` stays `0.20`."""
    if isinstance(value, dict):
        pairs = zip(value.items(), written.values(), strict=True)
        return {key: _as_written(inner, text) for (key, inner), text in pairs}
    return value if isinstance(value, list | None) else written


def _checked(data: Mapping[Any, Any]) -> SettingsFile:
    own = [field.encode_name for field in msgspec.structs.fields(Settings)]
    others = section_types()
    for name in data:
        if name not in own and name not in others:
            raise SettingsError(f"There is no section `{name}`.{_hint(str(name), [*own, *others])}", (str(name),))
    sections = {}
    for name, reference in others.items():
        if data.get(name) is not None:
            module, _, kind = reference.partition(":")
            sections[name] = converted(data[name], getattr(import_module(module), kind), name)
    _check_formats(sections.get("export"))
    return SettingsFile(converted({name: value for name, value in data.items() if name in own}, Settings), sections)


def _check_formats(options: object) -> None:
    from swgrm_exporters.formats import chosen

    if isinstance(options, ExportOptions) and options.formats:
        try:
            chosen(options.formats)
        except SwgrmError as error:
            raise SettingsError(f"export, formats: {error}", ("export", "formats")) from None


def _hint(key: str, sections: list[str]) -> str:
    """What was meant by a section that does not exist: the line above it is missing, or its name is misspelt."""
    if key in (field.encode_name for field in msgspec.structs.fields(JointSettings)):
        return f" `{key}` belongs to a joint: write it, indented, below `joints:` and the name of the joint."
    for section in msgspec.structs.fields(Settings):
        kind = section.type if isinstance(section.type, type) and issubclass(section.type, Section) else None
        if kind and key in (field.encode_name for field in msgspec.structs.fields(kind)):
            return f" `{key}` belongs to `{section.encode_name}:`: write it, indented, below that line."
    return nearest(key, sections) or f" Sections: {', '.join(sections)}."
