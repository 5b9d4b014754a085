"""Another reader finds in the XML what was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from tests.lookups import element_at, present

from swgrm import Box, Frame, Link, Robot
from swgrm.errors import ModelError
from swgrm_exporters.urdf.writer import dumps
from swgrm_exporters.xmlwriting import Node, add_node, not_xml, written

TEXTS = st.text(max_size=8).filter(lambda text: not not_xml(text))


@given(TEXTS, TEXTS, TEXTS)
def test_values_and_text_are_found_again_by_another_reader(value: str, text: str, tail: str) -> None:
    root = Node("a", {"v": value})
    add_node(root, "leaf").text = text
    mixed = add_node(root, "mixed")
    mixed.text = text
    add_node(mixed, "b").tail = tail
    found = etree.fromstring(written(root))
    assert found.get("v") == value
    assert (found.findtext("leaf") or "") == text
    for ours, theirs in ((text, element_at(found, "mixed").text), (tail, element_at(found, "mixed/b").tail)):
        assert theirs == ours if ours and not ours.isspace() else not present(theirs).strip()


def test_every_element_has_a_line_and_its_depth() -> None:
    root = Node("a")
    add_node(add_node(root, "b", {"x": "1"}), "c")
    assert written(root).decode().splitlines()[1:] == ["<a>", '  <b x="1">', "    <c/>", "  </b>", "</a>"]


def test_a_character_that_xml_cannot_contain_is_an_error_that_names_it() -> None:
    link = Link(name="a", visuals=(Box(name="bad\x01", size=(1.0, 1.0, 1.0)),))
    with pytest.raises(ModelError, match=r'U\+0001 after `<visual name="bad`'):
        dumps(Robot(name="r", frames=(Frame(id="a", links=(link,)),)))
