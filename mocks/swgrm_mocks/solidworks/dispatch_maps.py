"""The numbers (dispids) of the mock's members: one dispatch map for each class of objects, as SolidWorks has them.

The type library shows that these maps are those of MFC. The members of a class have numbers from 1 on, and those of
its base class (IModelDoc2 of parts and assemblies, IEntity of faces and edges) from 65537 on. A name that both have is
answered with the number of the class itself, which is another member of the next class.
"""

from __future__ import annotations

from functools import cache

from swgrm.solidworks.api_slice import ComError, Member, MemberKind, interfaces
from swgrm_mocks.solidworks.dispatch import MEMBER_NOT_FOUND, UNKNOWN_NAME, MockPointer

BASES = {
    "IPartDoc": "IModelDoc2",
    "IAssemblyDoc": "IModelDoc2",
    "IFace2": "IEntity",
    "IEdge": "IEntity",
    "IVertex": "IEntity",
}
# Members that the slice does not have, with the numbers of the type library (SolidWorks.Interop.sldworks.dll). Those of
# parts do what the members of IModelDoc2 with these names do; those of assemblies change the document.
SYNONYMS = {"IPartDoc": {"FirstFeature": 4, "MaterialPropertyValues": 3}}
FOREIGN = {"IAssemblyDoc": {"EditRebuild": 4, "FeatureExtrusion": 3}}
FIRST_UNKNOWN = 60000  # the numbers of members whose number is not known


def classes_of(pointer: MockPointer) -> tuple[str, ...]:
    """The classes whose members Invoke reaches through a pointer: that of its object, then the base class.

    If QueryInterface has an effect, it is the interface of the pointer.
    """
    if pointer.connection.needs_query:
        return (pointer.interface,)
    supported = pointer.object.supported_interfaces()
    name = pointer.origin
    if name == "IMateFeatureData":  # the object of a mate's definition is of the class of its mate type
        name = supported[0]
    if name == "IModelDoc2":
        name = "IPartDoc" if "IPartDoc" in supported else "IAssemblyDoc"
    if name == "IEntity":
        name = supported[0]
    return (name, BASES[name]) if name in BASES else (name,)


@cache
def number_of(classes: tuple[str, ...], name: str) -> int:
    """The number that an object of these classes returns for a name, whose case is ignored (GetIDsOfNames)."""
    for known, number in _numbers(classes).items():
        if known.lower() == name.lower():
            return number
    raise ComError(UNKNOWN_NAME, name)


@cache
def member_at(classes: tuple[str, ...], number: int, kinds: tuple[MemberKind, ...]) -> Member | str:
    """The member that Invoke calls; the name alone of one that the slice does not have."""
    for name in classes:
        for foreign, known in FOREIGN.get(name, {}).items():
            if known == number:
                return f"{name}.{foreign}"
        for synonym, known in SYNONYMS.get(name, {}).items():
            if known == number:
                return _of_kind(interfaces()[BASES[name]].find(synonym), kinds)
        members = [member for member in interfaces()[name].members.values() if _number(member) == number]
        if members:
            return _of_kind(members, kinds)
    raise ComError(MEMBER_NOT_FOUND, f"{number} of {' and '.join(classes)}")


def _of_kind(members: list[Member], kinds: tuple[MemberKind, ...]) -> Member:
    for member in members:
        if member.kind in kinds:
            return member
    raise ComError(MEMBER_NOT_FOUND, f"{members[0]} cannot be called as a {' or '.join(kinds)}")


@cache
def _numbers(classes: tuple[str, ...]) -> dict[str, int]:
    """The numbers of names; where two classes have a name, that of the first."""
    numbers: dict[str, int] = {}
    for name in classes:
        numbers |= SYNONYMS.get(name, {}) | FOREIGN.get(name, {})
        for member in interfaces()[name].members.values():
            numbers.setdefault(member.name, _number(member))
    return numbers


def _number(member: Member) -> int:
    if member.dispid:
        return member.dispid
    names = sorted({name for _, name in interfaces()[member.interface].members})
    return FIRST_UNKNOWN + names.index(member.name)
