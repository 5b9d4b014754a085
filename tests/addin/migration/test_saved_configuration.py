"""The classic exporter's saved configuration is read in all its versions; damaged and hostile ones are errors."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.addin.migration.test_migration_law import assert_same, random_robot
from tests.classic import Options, assembly_of
from tests.classic_xml import component_id, saved_xml, serial_xml
from tests.commands import swgrm

from swgrm.capture import save
from swgrm.capture.anonymize import anonymized
from swgrm.errors import FileError, SwgrmError
from swgrm.model import Calibration, Coupling, Dynamics, Limits
from swgrm_addin.migration.migrating import migrate
from swgrm_addin.migration.old_robot import OldRobot
from swgrm_addin.migration.saved_configuration import component_names, read_saved, read_saved_in
from swgrm_addin.pipeline import understand
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.settings_file import settings_from_text
from swgrm_addin.sources import Source
from swgrm_mocks.builder import Assembly
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks


def with_names(old: OldRobot) -> OldRobot:
    """The robot with the coordinate systems and axes that the classic exporter makes for it."""
    links = []
    for link in old.links:
        system = f"Origin_{link.joint.name}" if link.joint else "Origin_global"
        joint = link.joint and link.joint._replace(axis_name=f"Axis_{link.joint.name}")
        links.append(link._replace(coordinate_system=system, joint=joint))
    return old._replace(links=tuple(links))


def drawn(old: OldRobot, **options: Any) -> Assembly:
    """The assembly of a robot with its coordinate systems and reference axes."""
    return assembly_of(old, "arm", Options(**options))


@pytest.mark.parametrize("seed", range(4))
def test_a_configuration_comes_back_as_it_was_saved(seed: int) -> None:
    """Every number, name and component; poses to the last digits."""
    old = with_names(random_robot(seed))
    first = old.links[1]
    assert first.joint is not None
    more: dict[str, Any] = {
        "dynamics": Dynamics(0.1, 0.2),
        "calibration": Calibration(0.5),
        "coupling": Coupling("other", -2.0, 0.5),
    }
    old = old._replace(links=(old.root, first._replace(joint=first.joint._replace(**more)), *old.links[2:]))
    found = read_saved(saved_xml(old), old.name, "arm")
    assert [link.name for link in found.links] == [link.name for link in old.links]
    for one, other in zip(found.links, old.links, strict=True):
        assert one._replace(joint=None, inertial=None) == other._replace(joint=None, inertial=None)
        assert one.inertial == other.inertial
        if one.joint and other.joint:
            assert one.joint._replace(origin=None) == other.joint._replace(origin=None)
            assert one.joint.origin is not None
            assert other.joint.origin is not None
            assert np.allclose(one.joint.origin.matrix, other.joint.origin.matrix, rtol=0, atol=1e-15)
    assert not found.numbers_are_current


@pytest.mark.parametrize("seed", range(3))
def test_a_configuration_before_1_3_has_names(seed: int) -> None:
    old = with_names(random_robot(seed))
    found = read_saved(serial_xml(old), old.name, "arm")
    for one, other in zip(found.links, old.links, strict=True):
        assert (one.name, one.parent, one.components, one.coordinate_system) == (
            other.name, other.parent, other.components, other.coordinate_system,
        )  # fmt: skip
        assert one.joint is None or other.joint is None or (one.joint.name, one.joint.type, one.joint.axis_name) == (
            other.joint.name, other.joint.type, other.joint.axis_name,
        )  # fmt: skip


@pytest.mark.parametrize("write", [saved_xml, serial_xml], ids=["1.4", "1.0"])
@pytest.mark.parametrize("seed", range(3))
def test_a_saved_configuration_gives_the_same_kinematics(seed: int, write: Any) -> None:
    """Frames and axes are those of the reference geometry that it names."""
    old = with_names(random_robot(seed))
    assembly = drawn(old)
    assembly.saved_configuration(write(old))
    source = Source("arm.swcap", assembly.capture())
    done = migrate(read_saved_in(source), source, masses=True)
    robot = understand(source, settings_from_text(Path("x.grm.yaml"), done.text)).robot
    expected = old._replace(name="arm")
    if write is serial_xml:  # it has no limits
        expected = expected._replace(links=tuple(_without_numbers(link) for link in expected.links))
    assert_same(expected, robot, 1e-9, masses=write is saved_xml)
    assert not done.findings


def _without_numbers(link: Any) -> Any:
    return link._replace(joint=link.joint and link.joint._replace(limits=Limits(), safety=None))


def test_the_highest_version_counts(tmp_path: Path) -> None:
    """Versions before are kept in the assembly by the exporter; the mock lists another program's attribute first."""
    old = with_names(random_robot(1))
    other = old._replace(
        links=tuple(
            link._replace(name=f"{link.name}_before", parent=link.parent and f"{link.parent}_before")
            for link in old.links
        )
    )
    assembly = drawn(old)
    assembly.saved_configuration(saved_xml(old), 1.5, "URDF Export Configuration (v1.5)")
    assembly.saved_configuration(saved_xml(other), 1.3, "URDF Export Configuration (v1.3)")
    assembly.saved_configuration(serial_xml(other), 1.0, "URDF Export Configuration")
    solidworks = MockSolidWorks(assembly.capture())
    application = Port(MemoryTransport()).wrap(solidworks.application, "ISldWorks")
    capture = read(application, Request("")).value
    names = [each.name for document in capture.documents for each in document.saved_configurations]
    assert names == [f"URDF Export Configuration{suffix}" for suffix in (" (v1.5)", " (v1.3)", "")]
    assert read_saved_in(Source("arm", capture)).root.name == old.root.name
    save(capture, tmp_path / "arm.swcap")
    result = swgrm("settings", tmp_path / "arm.swcap", "--from", "saved")
    assert result.returncode == 0, result.stderr
    assert f"{len(old.links)} links and {len(old.links) - 1} joints from saved" in result.stdout


def test_names_that_are_not_ascii_are_found_in_the_ids() -> None:
    assert component_names(component_id("腕 ä-1")) == ("腕 ä-1@arm",)
    assert component_names("not base64!") == ()
    assert component_names(component_id("arm-1")[:-8]) == ()
    old = with_names(random_robot(0))
    links = tuple(link._replace(components=(f"sub ü-1/{link.components[0]}",)) for link in old.links)
    found = read_saved(saved_xml(old._replace(links=links)), "arm", "arm")
    assert [link.components for link in found.links] == [link.components for link in links]


SERIALIZATION = 'xmlns:z="http://schemas.microsoft.com/2003/10/Serialization/"'
NAMED = "<Attributes><Attribute><AttributeType>name</AttributeType><Value>a</Value></Attribute></Attributes>"
NODE = "<SerialNode><linkName>x</linkName><Nodes>"
HOSTILE = {
    "empty": ("", "empty"),
    "not XML": ("Link", "not XML"),
    "another root": ("<Robot/>", "not <Link> or <SerialNode>"),
    "no name": ("<Link/>", "no name"),
    "no name before 1.3": ("<SerialNode/>", "no name"),
    "document type": ('<!DOCTYPE a [<!ENTITY b "c">]><Link>&b;</Link>', "DOCTYPE"),
    "missing object": (f'<Link {SERIALIZATION}><Children z:Ref="i9"/></Link>', "is missing"),
    "its own ancestor": (
        f'<Link {SERIALIZATION} z:Id="i1">{NAMED}<Children><Link z:Ref="i1"/></Children></Link>', "its own ancestor",
    ),
    "deep": (NODE * 201 + "</Nodes></SerialNode>" * 201, "above one another|depth"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_configurations_are_errors_with_a_remedy(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words) as caught:
        read_saved(text, "arm", "arm.SLDASM")
    assert caught.value.remedy


@pytest.mark.parametrize("seed", range(150))
def test_damaged_configurations_are_read_or_refused(seed: int) -> None:
    """Text cut, changed or repeated at random: a robot or a sentence, never another exception."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    text = (saved_xml if seed % 3 else serial_xml)(with_names(random_robot(seed % 5)))
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice((1, 5, 200)))
        middle = rng.choice(["", text[start:end] * 2, "NaN", "<", 'z:Ref="i3"', "0", "\x00"])
        text = text[:start] + middle + text[end:]
    try:
        found = read_saved(text, "arm", "arm.SLDASM")
    except SwgrmError as error:
        found = None
        sentence = str(error)
    assert found.links if found else sentence.endswith(".")


def test_numbers_that_are_none_are_refused() -> None:
    text = saved_xml(with_names(random_robot(1)))
    wrong = re.sub(r"(<a:double>)[^<]+", r"\1NaN", text, count=1)
    with pytest.raises(FileError, match="`NaN` is not a number"):
        read_saved(wrong, "arm", "arm.SLDASM")


def test_where_nothing_was_saved_the_error_names_the_way(tmp_path: Path) -> None:
    old = with_names(random_robot(1))
    source = Source("arm.swcap", drawn(old).capture())
    with pytest.raises(FileError, match=r"saved no configuration.*--from FILE"):
        read_saved_in(source)
    assembly = drawn(old)
    assembly.saved_configuration(saved_xml(old))
    hidden = anonymized(assembly.capture())
    with pytest.raises(FileError, match="not anonymized"):
        read_saved_in(Source("arm.swcap", hidden))
    assert "part 0" not in repr(hidden)
    with pytest.raises(FileError, match="robot file"):
        read_saved_in(Source("arm.urdf"))
    result = swgrm("settings", "mock:arm", "--from", "saved", "-o", tmp_path / "x.yaml")
    assert result.returncode == 2
    assert not (tmp_path / "x.yaml").exists()
