"""Calls every member of the mock twice, through a port and directly, and records both results."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.contract.full_capture import ASSEMBLY, PART

from swgrm.errors import SolidWorksError
from swgrm.solidworks.api_slice import ComError, Member, Type, interfaces, parts
from swgrm.solidworks.swconst_calls import swUserPreferenceIntegerValue_e, swUserPreferenceToggle_e
from swgrm_addin.reader.patterns import PATTERNS
from swgrm_mocks.solidworks.dispatch import MockObject

UNITS = int(swUserPreferenceIntegerValue_e.swUnitSystem)
NOTATION = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)
# The arguments of members for which the defaults are not suitable.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "ISldWorks.ActivateDoc3": ("every", False, 0, 0),
    "ISldWorks.GetOpenDocumentByName": (ASSEMBLY,),
    "ISldWorks.OpenDoc6": (PART, 1, 1, "", 0, 0),
    "IModelDoc2.Parameter": ("D1@Mate5",),
    "IModelDocExtension.GetUserPreferenceInteger": (UNITS, 0),
    "IModelDocExtension.GetUserPreferenceToggle": (NOTATION, 0),
    "IComponent2.SetSuppression2": (2,),
    "IFeature.IsSuppressed2": (3, ("Default",)),
    "IFeature.GetMaterialPropertyValues2": (2, ("Default",)),
    **{f"{kind.interface}.GetTransform": (1,) for kind in PATTERNS.values()},
    "IAttribute.GetParameter": ("data",),
    "ICustomPropertyManager.Get6": ("Ω", True),
    "ICommandGroup.IconList": (("a.png", "ä b.png"),),
    "ICommandGroup.MainIconList": (("c.png",),),
    "ICommandTabBox.AddCommands": ((33000, 33001), (1, 2)),
}
DEFAULTS: dict[str, Any] = {"BSTR": "", "VARIANT_BOOL": True, "long": 0, "__int64": 1 << 40, "double": 0.5}
# These take an object: the last one of that interface.
OBJECTS = {
    "IModelDocExtension.GetPersistReference3": "IComponent2",
    "IMirrorComponentFeatureData.AccessSelections": "IModelDoc2",
    **{f"{kind.interface}.AccessSelections": "IModelDoc2" for kind in PATTERNS.values()},
    "IMassProperty.AddBodies": "IBody2",
    "ITessellation.GetFaceFacets": "IFace2",
    "IMassProperty2.SelectedItems": "IComponent2",
    "ICommandManager.RemoveCommandTab": "ICommandTab",
    "ICommandTab.RemoveCommandTabBox": "ICommandTabBox",
}
# These depend on the results of other members, or change them: they are called last, in this order.
LATE = (
    "GetPersistReference3", "AddBodies", "SelectedItems", "NeedFaceFacetMap",
    "NeedVertexNormal", "Tessellate", "GetFaceFacets", "GetFacetFins", "GetFinVertices", "GetVertexPoint",
    "GetVertexNormal", "GetCommandTab", "SetSuppression2", "RemoveCommandTabBox", "RemoveCommandTab",
    "RemoveCommandGroup2", "CloseDoc",
)  # fmt: skip


class Pair(NamedTuple):
    """One object: its proxy from the port, and the object itself."""

    proxy: Any
    direct: MockObject
    interface: str


class Failed(NamedTuple):
    """The HRESULT of a call that failed."""

    hresult: int


class Called(NamedTuple):
    """One call: the result through the port, and the result of the object."""

    member: Member
    got: Any
    expected: Any


class Walk:
    """The walk over all objects that can be reached, and its calls."""

    def __init__(self, application: Any, direct: MockObject, limit: int = 30) -> None:
        self.met: dict[str, list[Pair]] = {}
        self.visits: Counter[tuple[object, str]] = Counter()
        self.limit = limit
        self.calls = list(self._from(Pair(application, direct, "ISldWorks")))

    def _from(self, start: Pair) -> Iterator[Called]:
        pending, late = [start], []
        while pending:
            pair = pending.pop(0)
            self.met.setdefault(pair.interface, []).append(pair)
            for member in _reading_members(pair.interface):
                if member.name in LATE:
                    late.append((pair, member))
                else:
                    yield from self._call(pair, member, pending.append)
        for pair, member in sorted(late, key=lambda item: LATE.index(item[1].name)):
            yield from self._call(pair, member, lambda _: None)

    def _call(self, pair: Pair, member: Member, found: Callable[[Pair], None]) -> Iterator[Called]:
        method = getattr(pair.direct, ("put_" if member.kind == "put" else "") + member.name, None)
        if method is None:
            return  # an object may implement only some members, as the root component does
        through_port, directly = self._arguments(member)
        expected = _outcome(method, *directly)
        got = _outcome(call, pair.proxy, member, through_port)
        if isinstance(expected, Failed) or isinstance(got, Failed):
            yield Called(member, got, expected)
        elif member.outputs:
            types = (member.returns, *(parameter.type for parameter in member.outputs))
            for one_got, one_expected, kind in zip(got, expected, types, strict=True):
                yield Called(member, *self._compared(one_got, one_expected, kind, found))
        else:
            yield Called(member, *self._compared(got, expected, member.returns, found))

    def _arguments(self, member: Member) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if member.inputs and (wanted := OBJECTS.get(str(member))):
            pair = self.met[wanted][-1]
            if member.inputs[0].type.is_array:
                return ((pair.proxy,),), ((pair.direct,),)
            others = (None,) * (len(member.inputs) - 1)
            return (pair.proxy, *others), (pair.direct, *others)
        values = ARGUMENTS.get(str(member)) or tuple(_default(parameter.type) for parameter in member.inputs)
        return values, values

    def _is_new(self, direct: MockObject, interface: str) -> bool:
        """Whether to visit an object: once, and at most `limit` objects of a class."""
        self.visits[direct, interface] += 1
        self.visits[type(direct), interface] += self.visits[direct, interface] == 1
        return self.visits[direct, interface] == 1 and self.visits[type(direct), interface] <= self.limit

    def _compared(self, got: Any, expected: Any, kind: Type, found: Callable[[Pair], None]) -> tuple[Any, Any]:
        """The result and the expected result in comparable form; queues objects to be visited."""
        if kind.is_array and not kind.is_object:
            return got, _numbers(expected, kind)
        if not kind.is_object:
            return got, "" if expected is None and kind.content == "BSTR" else expected
        proxies = got if kind.is_array else (got,) if got is not None else ()
        directs = (expected or ()) if kind.is_array else (expected,) if expected is not None else ()
        for proxy, direct in zip(proxies, directs, strict=False):
            for interface in direct.supported_interfaces():
                if self._is_new(direct, interface):
                    found(Pair(with_interface(proxy, interface), direct, interface))
        return len(proxies), len(directs)


def _reading_members(interface: str) -> list[Member]:
    """The members that read; tests/contract/test_modelling.py calls those that build."""
    known = parts()[0].get(interface)
    return list(known.members.values()) if known else []


def with_interface(proxy: Any, interface: str) -> Any:
    """The object with an interface: by QueryInterface, or as it was returned if the IID is not known."""
    if interfaces()[interface].iid:
        return proxy.port.cast(proxy, interface)
    return proxy.port.wrap(proxy.raw, interface)


def call(proxy: Any, member: Member, values: tuple[Any, ...]) -> Any:
    """Uses a member of a proxy as an attribute or as a method."""
    if member.kind == "put":
        return setattr(proxy, member.name, *values)
    return getattr(proxy, member.name) if member.is_plain_property else getattr(proxy, member.name)(*values)


def _outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function, or Failed."""
    try:
        return function(*arguments)
    except ComError as error:
        return Failed(error.hresult)
    except SolidWorksError as error:
        return Failed(getattr(error.__cause__, "hresult", 0))


def _default(kind: Type) -> Any:
    return None if kind.is_array or kind.is_object else DEFAULTS[kind.content.rstrip("*")]


def _numbers(values: Any, kind: Type) -> Any:
    """An array as the port does: floats and bytes packed, anything else as a tuple."""
    if kind.content == "float":
        return array("f", values or ()).tobytes()
    return bytes(values or b"") if kind.content == "byte" else tuple(values or ())
