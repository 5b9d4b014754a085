"""The self-test builds as live SolidWorks needs it: planes by their transforms, checked parts, nothing left off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests import modeller as m
from tests.addin.selftest.mock_runs import World
from tests.modeller import Modeller

from swgrm.errors import SolidWorksError
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_addin.selftest.documents import PART, add_feature, check_solid, cut_through, new_document, undrawn
from swgrm_addin.selftest.entities import FRONT, RIGHT, TOP, Flat
from swgrm_addin.selftest.judge.closed_forms import mass_truth
from swgrm_addin.selftest.mating import MateRefusedError, add_mate, mates
from swgrm_addin.selftest.parts import PARTS, Brick, Hole, solid_of
from swgrm_addin.selftest.planes import default_plane, drawing_plane, planes
from swgrm_addin.selftest.specs import MateRecipe, Picked
from swgrm_mocks.solidworks.application import PART_TEMPLATE
from swgrm_mocks.solidworks.quirks import BUILDING

DRAWN = ("EnableGraphicsUpdate", "EnableFeatureTree", "EnableFeatureTreeWindow", "DisplayWhenAdded")


@pytest.mark.parametrize("part", PARTS)
def test_volume_and_middle_are_those_of_the_closed_forms(part: str) -> None:
    truth, own = mass_truth(part), solid_of(part)
    assert own.volume == pytest.approx(truth.volume, rel=1e-12)
    if part != "offcentre":  # whose centre of mass is set by the user
        assert own.centre == pytest.approx(tuple(truth.centre), abs=1e-12)


def test_a_part_with_another_volume_or_middle_is_refused() -> None:
    part = new_document(World().application, PART)
    add_feature(part, Brick(-0.05, -0.04, 0.05, 0.04, 0.02))
    with pytest.raises(SolidWorksError, match=r"made a part of 160000 mm³ instead of 153716\.8"):
        check_solid(part, "plate")
    add_feature(part, Hole(0.01, 0.0, 0.01, 0.02))
    with pytest.raises(SolidWorksError, match=r"its middle at \(-0\.4088, 0, 10\) mm instead of \(0, 0, 10\) mm"):
        check_solid(part, "plate")


@pytest.mark.parametrize("quirk", ["", "z-up", "plane-before-front"])
def test_planes_are_found_by_their_transforms(quirk: str) -> None:
    part = new_document(World(quirks=[quirk] if quirk else []).application, PART)
    by_name = {plane.feature.Name: plane.transform for plane in planes(part)}
    for normal in (FRONT, TOP, RIGHT):
        own = by_name[default_plane(part, normal).Name]
        assert [abs(value) for value in own[6:9]] == list(normal)
    assert drawing_plane(part).Name == ("Top Plane" if quirk == "z-up" else "Front Plane")
    assert by_name[drawing_plane(part).Name][:9] == (1, 0, 0, 0, 1, 0, 0, 0, 1)


def test_a_document_without_such_a_plane_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    part = new_document(World().application, PART)
    monkeypatch.setattr("swgrm_addin.selftest.planes.AXES", (0.0,) * 9)
    with pytest.raises(SolidWorksError, match="Choose another default template"):
        drawing_plane(part)


def drawn(document: Any) -> dict[str, bool]:
    owners = document.ActiveView, document.FeatureManager, document.FeatureManager, document.SketchManager
    return {name: getattr(owner, name) for owner, name in zip(owners, DRAWN, strict=True)}


def test_what_is_drawn_is_off_only_while_a_sketch_is_drawn() -> None:
    part = new_document(World().application, PART)
    part.FeatureManager.EnableFeatureTree = False
    before = drawn(part)
    with undrawn(part):
        assert not any(drawn(part).values())
    assert drawn(part) == before
    assert not before["EnableFeatureTree"], "what was off stays off"


def test_a_refused_feature_ends_its_command() -> None:
    world = World(quirks=["refused-cut-blocks"])
    part = new_document(world.application, PART)
    world.solidworks.is_blocked = True  # as a cut that meets nothing leaves it
    with pytest.raises(SolidWorksError, match="made no cut"):
        cut_through(part)
    assert not world.solidworks.is_blocked


@pytest.mark.parametrize("is_file", [True, False])
def test_the_template_is_used_if_it_is_a_file(is_file: bool, tmp_path: Path) -> None:
    """Else NewDocument would make nothing, or open a dialog."""
    world = World()
    template = tmp_path / "Part.PRTDOT"
    world.solidworks.texts[PART_TEMPLATE] = str(template)
    if is_file:
        template.touch()
    assert new_document(world.application, PART) is not None
    calls = world.solidworks.connection.calls
    assert (calls["ISldWorks.NewDocument"], calls["ISldWorks.NewPart"]) == ((1, 0) if is_file else (0, 1))


@pytest.mark.parametrize("quirk", ["", "redundant-mates-refused"])
def test_a_refused_mate_is_removed(quirk: str, tmp_path: Path) -> None:
    """SolidWorks leaves a mate that over-defines in the tree, with an error."""
    modeller = Modeller.of_mock(tmp_path, quirks=[quirk] if quirk else [])
    assembly, base, pin = m.hinge(modeller)
    bottom, top = modeller.face(base, m.PLANE, m.down), modeller.face(pin, m.PLANE, m.up)
    assert modeller.mate(assembly, Sw.swMateLOCK, "Lock", bottom, top)
    count = len([*mates(assembly)])
    ends = Flat("plate-1", (0.0, 0.0, 1.0), 0.0), Flat("pin-1", (0.0, 0.0, 1.0), 0.06)
    recipe = MateRecipe("distance", (Picked("EntitiesToMate", ends),), (("Distance", 0.03),))
    with pytest.raises(MateRefusedError, match="OverDefined") as refused:
        add_mate(assembly, {"plate-1": base, "pin-1": pin}, recipe)
    assert refused.value.is_over_defined
    assert len([*mates(assembly)]) == count


def test_every_quirk_has_a_source() -> None:
    assert all(quirk.fact.endswith(".") and quirk.source for quirk in BUILDING.values())
