"""Walks the mock twice in step, through a port and by calling its objects directly, and calls every member it can."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.contract.full_capture import ASSEMBLY, PART

from swgrm.api import ComError, Member, Type, interfaces
from swgrm.errors import SolidWorksError
from swgrm.swconst import swUserPreferenceIntegerValue_e, swUserPreferenceToggle_e
from swgrm_mocks.solidworks.dispatch import MockObject

UNITS = int(swUserPreferenceIntegerValue_e.swUnitSystem)
NOTATION = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)
# What a member is called with where the plain defaults do not serve.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "ISldWorks.ActivateDoc3": ("every", False, 0, 0),
    "ISldWorks.GetOpenDocumentByName": (ASSEMBLY,),
    "ISldWorks.OpenDoc6": (PART, 1, 1, "", 0, 0),
    "IModelDocExtension.GetUserPreferenceInteger": (UNITS, 0),
    "IModelDocExtension.GetUserPreferenceToggle": (NOTATION, 0),
    "IComponent2.SetSuppression2": (2,),
    "IFeature.IsSuppressed2": (3, ("Default",)),
    "ICustomPropertyManager.Get6": ("Ω", True),
    "ICommandGroup.IconList": (("a.png", "ä b.png"),),
    "ICommandGroup.MainIconList": (("c.png",),),
    "ICommandTabBox.AddCommands": ((33000, 33001), (1, 2)),
}
DEFAULTS: dict[str, Any] = {"BSTR": "", "VARIANT_BOOL": True, "long": 0, "__int64": 1 << 40, "double": 0.5}
# These take an object: the one of that interface which the walk met first.
OBJECTS = {
    "IModelDocExtension.GetPersistReference3": "IComponent2",
    "IMassProperty2.SelectedItems": "IComponent2",
    "ICommandManager.RemoveCommandTab": "ICommandTab",
}
# These need what others find, or change what others ask for: they come last, in this order.
LATE = (
    "GetPersistReference3", "SelectedItems", "GetCommandTab", "SetSuppression2", "RemoveCommandTab",
    "RemoveCommandGroup2", "CloseDoc",
)  # fmt: skip


class Pair(NamedTuple):
    """One object, as the port hands it out and as it is."""

    proxy: Any
    direct: MockObject
    interface: str


class Failed(NamedTuple):
    """The HRESULT of a call that failed."""

    hresult: int


class Called(NamedTuple):
    """One call: what came through the port, and what the object says itself."""

    member: Member
    got: Any
    expected: Any


class Walk:
    """The walk and what it found."""

    def __init__(self, application: Any, direct: MockObject, limit: int = 20) -> None:
        self.met: dict[str, list[Pair]] = {}
        self.visits: Counter[tuple[object, str]] = Counter()
        self.limit = limit
        self.calls = list(self._from(Pair(application, direct, "ISldWorks")))

    def _from(self, start: Pair) -> Iterator[Called]:
        pending, late = [start], []
        while pending:
            pair = pending.pop(0)
            self.met.setdefault(pair.interface, []).append(pair)
            for member in interfaces()[pair.interface].members.values():
                if member.name in LATE:
                    late.append((pair, member))
                else:
                    yield from self._call(pair, member, pending.append)
        for pair, member in sorted(late, key=lambda item: LATE.index(item[1].name)):
            yield from self._call(pair, member, lambda _: None)

    def _call(self, pair: Pair, member: Member, found: Callable[[Pair], None]) -> Iterator[Called]:
        method = getattr(pair.direct, ("put_" if member.kind == "put" else "") + member.name, None)
        if method is None:
            return  # an object may be a poor one of its kind, as the root component is
        through_port, directly = self._arguments(member)
        expected = _outcome(method, *directly)
        got = _outcome(call, pair.proxy, member, through_port)
        if isinstance(expected, Failed) or isinstance(got, Failed):
            yield Called(member, got, expected)
        elif member.outputs:
            types = (member.returns, *(parameter.type for parameter in member.outputs))
            for one_got, one_expected, kind in zip(got, expected, types, strict=True):
                yield Called(member, *self._compared(pair, one_got, one_expected, kind, found))
        else:
            yield Called(member, *self._compared(pair, got, expected, member.returns, found))

    def _arguments(self, member: Member) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if wanted := OBJECTS.get(str(member)):
            pair = self.met[wanted][-1]
            if member.inputs[0].type.is_array:
                return ((pair.proxy,),), ((pair.direct,),)
            return (pair.proxy,), (pair.direct,)
        values = ARGUMENTS.get(str(member)) or tuple(_default(parameter.type) for parameter in member.inputs)
        return values, values

    def _is_new(self, direct: MockObject, interface: str) -> bool:
        """Whether to walk on from an object: not twice, and not from too many that the mock makes anew each time."""
        self.visits[direct, interface] += 1
        self.visits[type(direct), interface] += self.visits[direct, interface] == 1
        return self.visits[direct, interface] == 1 and self.visits[type(direct), interface] <= self.limit

    def _compared(
        self, pair: Pair, got: Any, expected: Any, kind: Type, found: Callable[[Pair], None]
    ) -> tuple[Any, Any]:
        """What came and what was expected, comparable; objects are queued to be walked in their turn."""
        if kind.is_array and not kind.is_object:
            return got, _numbers(expected, kind)
        if not kind.is_object:
            return got, "" if expected is None and kind.content == "BSTR" else expected
        proxies = got if kind.is_array else (got,) if got is not None else ()
        directs = (expected or ()) if kind.is_array else (expected,) if expected is not None else ()
        for proxy, direct in zip(proxies, directs, strict=False):
            for interface in direct.supported_interfaces():
                if self._is_new(direct, interface):
                    found(Pair(pair.proxy.port.cast(proxy, interface), direct, interface))
        return len(proxies), len(directs)


def call(proxy: Any, member: Member, values: tuple[Any, ...]) -> Any:
    """Use a member of a proxy as code would: as an attribute or as a method."""
    if member.kind == "put":
        return setattr(proxy, member.name, *values)
    return getattr(proxy, member.name) if member.is_plain_property else getattr(proxy, member.name)(*values)


def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function gives, or how it failed."""
    try:
        return function(*arguments)
    except ComError as error:
        return Failed(error.hresult)
    except SolidWorksError as error:
        return Failed(getattr(error.__cause__, "hresult", 0))


def _default(kind: Type) -> Any:
    return None if kind.is_array or kind.is_object else DEFAULTS[kind.content.rstrip("*")]


def _numbers(values: Any, kind: Type) -> Any:
    """An array as the port gives it: floats and bytes packed, anything else a tuple."""
    if kind.content == "float":
        return array("f", values or ()).tobytes()
    return bytes(values or b"") if kind.content == "byte" else tuple(values or ())
