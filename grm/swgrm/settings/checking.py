"""Plain data of a settings file as typed sections: units converted, mistakes answered with the place and the form."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
import msgspec.inspect as inspect

from swgrm.errors import SettingsError, nearest
from swgrm.settings.units import quantity

T = TypeVar("T")
Place = tuple[str, ...]  # the keys from the section on, such as ("joints", "elbow", "lower")


@cache  # 20 ms for all settings
def _type_info(kind: Any) -> inspect.Type:  # noqa: ANN401 - a type
    return inspect.type_info(kind)


def checked(data: object, kind: type[T], at: Place = ()) -> T:
    """The data as that type, numbers with units in SI; `at` is the place of the data in the file."""
    plain = _checked(data, _type_info(cast("Hashable", kind)), at)
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:  # a bound, such as the least precision
        raise _error(at, f"{error}.") from None


def _error(at: Place, problem: str) -> SettingsError:
    return SettingsError(f"{', '.join(at)}: {problem}" if at else problem, at)


def _checked(value: Any, info: inspect.Type, at: Place) -> Any:  # noqa: ANN401 - data of a file
    if isinstance(info, inspect.Metadata):
        extra = info.extra or {}
        if extra.get("prop") and isinstance(value, dict | list | None):
            forms = "A prop is text, a number, true or false"
            raise _error(at, f'`{_shown(value)}` is not one value. {forms}; write several numbers as text: "0 0.5 1".')
        kind = extra.get("quantity")
        is_number = isinstance(value, int | float | str) and not isinstance(value, bool)
        return _checked(quantity(value, kind, at) if kind and is_number else value, info.type, at)
    check = _CHECKS.get(type(info))
    return check(value, info, at) if check else value


def _union(value: Any, info: Any, at: Place) -> Any:  # noqa: ANN401 - data of a file
    options = [each for each in info.types if not isinstance(each, inspect.NoneType)]
    if value is None and len(options) < len(info.types):
        return None
    fitting = [each for each in options if isinstance(value, _SHAPES.get(type(each), object))]
    return _checked(value, (fitting or options)[0], at)


def _struct(value: Any, info: Any, at: Place) -> dict[str, Any]:  # noqa: ANN401 - data of a file
    if not isinstance(value, dict):
        keys = ", ".join(field.encode_name for field in info.fields)
        raise _error(at, f"`{_shown(value)}` is one value; write settings with their names ({keys}).")
    fields = {field.encode_name: field for field in info.fields}
    result = {}
    for key, inner in _items(value, at):
        if key not in fields:
            raise SettingsError(_unknown(key, list(fields), at), (*at, key))
        if inner is not None:
            result[key] = _checked(inner, fields[key].type, (*at, key))
        elif not fields[key].required:
            continue  # a heading with nothing below it
    if missing := [name for name, field in fields.items() if field.required and name not in result]:
        raise _error(at, f"the setting `{missing[0]}` is missing.")
    return result


def _unknown(key: str, known: list[str], at: Place) -> str:
    hint = nearest(key, known) or (f" Settings here: {', '.join(known)}." if known else "")
    if not at:
        return f"There is no section `{key}`.{hint}"
    return f"{', '.join(at)}: there is no setting `{key}`.{hint}"


def _map(value: Any, info: Any, at: Place) -> dict[str, Any]:  # noqa: ANN401 - data of a file
    if not isinstance(value, dict):
        raise _error(at, f"`{_shown(value)}` has no name; write NAME: {_shown(value)}.")
    inside = info.value_type
    empty: Any = {} if isinstance(inside, inspect.StructType | inspect.DictType) else None
    return {
        key: _checked(empty if inner is None else inner, inside, (*at, key))
        for key, inner in _items(value, at)
        if inner is not None or empty is not None or isinstance(inside, inspect.Metadata)
    }


def _items(value: Mapping[Any, Any], at: Place) -> Iterator[tuple[str, Any]]:
    """The entries; a number as a key is half of a number with a decimal comma, or a name that needs quotes."""
    before: tuple[Any, Any] = (None, None)
    for key, inner in value.items():
        if not isinstance(key, str):
            if inner is None and isinstance(key, int) and isinstance(before[1], int | float):
                number = f"{before[1]},{key}"
                raise _error((*at, str(before[0])), f"{number} is two values here. Write {number.replace(',', '.')}.")
            raise _error((*at, str(key)), f'`{key}` is not a name. Write it in quotes: "{key}".')
        yield key, inner
        before = key, inner


def _list(value: Any, info: Any, at: Place) -> list[Any]:  # noqa: ANN401 - data of a file
    if not isinstance(value, list | tuple):
        raise _error(at, f"`{_shown(value)}` is not a list. Write [{_shown(value)}].")
    kinds = info.item_types if isinstance(info, inspect.TupleType) else [info.item_type] * len(value)
    if len(kinds) != len(value):
        raise _error(at, f"the list must have {len(kinds)} entries, it has {len(value)}.")
    return [
        _checked(each, kind, (*at, str(number))) for number, (each, kind) in enumerate(zip(value, kinds, strict=True))
    ]


def _choice(value: Any, info: Any, at: Place) -> Any:  # noqa: ANN401 - data of a file
    choices = [each.value for each in info.cls] if isinstance(info, inspect.EnumType) else list(info.values)
    plain = value.value if isinstance(value, Enum) else value
    if plain not in choices:
        choices = ["true", "false", *choices] if len(choices) == 1 else choices  # a word beside true and false
        hint = nearest(str(plain), choices) or f" Write {', '.join(choices[:-1])} or {choices[-1]}."
        raise _error(at, f"`{_shown(plain)}` is not one of the choices.{hint}")
    return plain


def _number(value: Any, info: inspect.Type, at: Place) -> Any:  # noqa: ANN401 - data of a file
    wants = "a whole number" if isinstance(info, inspect.IntType) else "a number"
    if isinstance(value, bool) or not isinstance(value, int | float):
        found = re.match(r"\s*([-+]?\d+)(?:[.,](\d+))?", value) if isinstance(value, str) else None
        remedy = f" Write {found[1]}{'.' + found[2] if found[2] else ''}." if found else ""
        raise _error(at, f"`{_shown(value)}` is not {wants}.{remedy}")
    if isinstance(info, inspect.IntType) and not isinstance(value, int):
        raise _error(at, f"`{value}` is not {wants}.")
    for bound, words, holds in _BOUNDS:
        limit = getattr(info, bound)
        if limit is not None and not holds(value, limit):
            raise _error(at, f"`{value}` must be {words} {limit:g}.")
    return value


def _flag(value: Any, _: inspect.Type, at: Place) -> bool:  # noqa: ANN401 - data of a file
    if not isinstance(value, bool):
        raise _error(at, f"`{_shown(value)}` is neither true nor false.")
    return value


def _text(value: Any, info: Any, at: Place) -> str:  # noqa: ANN401 - data of a file
    if isinstance(value, dict | list):
        raise _error(at, f"`{_shown(value)}` is not one word.")
    if not isinstance(value, str):
        raise _error(at, f'`{_shown(value)}` is not a text. Write it in quotes: "{_shown(value)}".')
    if info.min_length and not value.strip():
        raise _error(at, "the text is empty. Write a name, or remove the line.")
    return value


def _shown(value: object) -> str:
    """A value as YAML has it, not too long."""
    text = _flow(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _flow(value: object) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_flow, value))}]"
    return {True: "true", False: "false", None: ""}[value] if isinstance(value, bool | None) else str(value)


_BOUNDS: tuple[tuple[str, str, Callable[[float, float], bool]], ...] = (
    ("ge", "at least", operator.ge),
    ("le", "at most", operator.le),
    ("gt", "above", operator.gt),
    ("lt", "below", operator.lt),
)
_CHECKS: Mapping[type, Callable[[Any, Any, Place], Any]] = {
    inspect.UnionType: _union,
    inspect.StructType: _struct,
    inspect.DictType: _map,
    inspect.VarTupleType: _list,
    inspect.TupleType: _list,
    inspect.ListType: _list,
    inspect.EnumType: _choice,
    inspect.LiteralType: _choice,
    inspect.FloatType: _number,
    inspect.IntType: _number,
    inspect.BoolType: _flag,
    inspect.StrType: _text,
}
_SHAPES: Mapping[type, Any] = {  # of the values that each kind of option is for
    inspect.StructType: dict,
    inspect.DictType: dict,
    inspect.VarTupleType: list | tuple,
    inspect.TupleType: list | tuple,
    inspect.ListType: list | tuple,
    inspect.StrType: str,
    inspect.EnumType: str,
    inspect.LiteralType: str,
    inspect.FloatType: int | float,
    inspect.IntType: int,
    inspect.BoolType: bool,
}
