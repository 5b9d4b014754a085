"""XML read from anywhere: no document types, no entities, no network, bounded size and depth, errors with lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from swgrm.errors import FileError
from swgrm.storage.files import read_bytes
from swgrm_exporters.xmlwriting import Node

LARGEST = 16 << 20  # [bytes] real URDFs are below one megabyte; depth is bounded by libxml2 itself (huge_tree=False)

MOST_INCLUDED, MOST_BYTES = 1000, 64 << 20  # files that a document includes, and their bytes

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

if TYPE_CHECKING:
    from lxml import etree

    Element = etree._Element  # noqa: SLF001 - lxml's public type has a private name
else:
    Element = object  # it is in annotations only, and what writes XML needs no lxml
E = TypeVar("E", Element, Node)


class XmlProblem(Exception):
    """What is wrong with an XML text, and where; `at` makes a FileError of it."""

    def __init__(self, problem: str, where: Element | int | None = None, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy
        self.line = where if isinstance(where, int) or where is None else line_of(where)

    def at(self, path: Path | str) -> FileError:
        """The error for a file."""
        place = f"line {self.line}" if self.line else ""
        return FileError(path, self.problem, place=place, remedy=self.remedy)


class Inclusions:
    """Counts the files that a document includes: small files that include each other are large together."""

    def __init__(self) -> None:
        self.files = self.size = 0

    def read(self, path: Path, where: Element) -> Element:
        """The root element of an included file, or an XmlProblem if there are too many of them."""
        data = read_xml(path)
        self.files, self.size = self.files + 1, self.size + len(data)
        if self.files > MOST_INCLUDED or self.size > MOST_BYTES:
            problem = f"it includes more than {MOST_INCLUDED:,} files or {MOST_BYTES:,} bytes"
            raise XmlProblem(problem, where, "Include each file once")
        return parse(data)


def read_xml(path: Path | str) -> bytes:
    """The content of an XML file that is not too large."""
    return read_bytes(path, largest=LARGEST)


def parse(data: bytes) -> Element:
    """The root element of an XML text, or an XmlProblem."""
    from lxml import etree

    if not data.strip():
        raise XmlProblem("the file is empty")
    if len(data) > LARGEST:
        raise XmlProblem(f"it is larger ({len(data):,} bytes) than the {LARGEST:,} that are read")
    try:
        root = _built(data)
    except etree.XMLSyntaxError as error:
        raise XmlProblem(f"this is not XML: {error.msg or 'it cannot be parsed'}", error.lineno) from None
    except (ValueError, LookupError) as error:
        raise XmlProblem(f"this is not XML: {error}") from None
    if root is None:
        raise XmlProblem("this is not XML: it has no element")
    return root


def _built(data: bytes) -> Element:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    root = etree.fromstring(data, parser)
    if root.getroottree().docinfo.internalDTD is not None:
        remedy = "Remove the DOCTYPE; write out the entities that it defines"
        raise XmlProblem("it has a document type (DOCTYPE), which is not read", remedy=remedy)
    return root


def line_of(element: Element) -> int:
    """The line that an element begins at."""
    line: object = element.sourceline  # the stubs do not know its type
    return line if isinstance(line, int) else 0


def children(element: Element) -> Iterator[Element]:
    """The child elements."""
    return iter(element)


def grouped(element: Iterable[E]) -> dict[str, list[E]]:
    """The children by their tags."""
    found: dict[str, list[E]] = {}
    for inner in element:
        found.setdefault(str(inner.tag), []).append(inner)
    return found


def qualified(element: Element, name: str | None = None) -> str:
    """The name of an element, or of one of its attributes, as it was written: with its prefix, not its namespace."""
    written = str(element.tag) if name is None else name
    if written[0] != "{":
        return written
    uri, _, local = written[1:].partition("}")
    if uri == XML_NAMESPACE:
        return f"xml:{local}"
    known = element.nsmap.items() if name else [(element.prefix, uri)]  # lxml tells an element's prefix, no attribute's
    prefix = next((each for each, namespace in known if namespace == uri and each is not None), None)
    return f"{prefix}:{local}" if prefix else local
