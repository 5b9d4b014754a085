"""Patterns, mirror images and cuts of a modelled assembly; documents without a window; the notation of moments."""

from __future__ import annotations

from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

import pytest
from tests import modeller as m
from tests.modeller import Modeller

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.solidworks.swconst_calls import swFeatureNameID_e as Feature
from swgrm_addin.reader import Request, read

RADIUS = 0.004  # [m] of the cut


@pytest.fixture
def modeller(tmp_path: Path) -> Modeller:
    return Modeller.of_mock(tmp_path)


def two_plates(modeller: Modeller) -> tuple[Any, Any, Any]:
    """An assembly of two instances of a plate, 100 × 80 × 20 mm, 0.3 m apart."""
    plate = modeller.part("plate", m.box(0.1, 0.08, 0.02))
    assembly = modeller.new(m.ASSEMBLY)
    return assembly, modeller.add(assembly, plate), modeller.add(assembly, plate, 0.3, 0.0, 0.0)


def names(assembly: Any) -> set[str]:
    root = assembly.ConfigurationManager.ActiveConfiguration.GetRootComponent3(True)
    return {component.Name2 for component in root.GetChildren()}


def test_a_cut_of_the_assembly_cuts_one_instance_only(modeller: Modeller) -> None:
    assembly, first, second = two_plates(modeller)
    m.sketch(assembly, lambda manager: manager.CreateCircleByRadius(0.3, 0.0, 0.0, RADIUS))
    second.Select4(False, None, False)
    assert m.cut(assembly)
    modeller.save(assembly, "cut.SLDASM")
    capture = read(modeller.application, Request(assembly.GetPathName())).value
    volumes = {shape.through: shape.mass.volume for shape in capture.shapes if shape.mass}
    whole = 0.1 * 0.08 * 0.02
    assert volumes == pytest.approx({"plate-1": whole, "plate-2": whole - pi * RADIUS**2 * 0.02}, rel=1e-9)
    assert {each.name: each.assembly_features for each in capture.components} == {"plate-1": False, "plate-2": True}
    assert first.GetModelDoc2().Extension.CreateMassProperty2().Volume == pytest.approx(whole)  # not the file


@pytest.mark.parametrize("at", [0.6, 0.0])
def test_a_cut_that_hits_nothing_or_has_no_component_is_not_made(modeller: Modeller, at: float) -> None:
    assembly, first, _ = two_plates(modeller)
    m.sketch(assembly, lambda manager: manager.CreateCircleByRadius(at, 0.0, 0.0, RADIUS))
    if at:
        first.Select4(False, None, False)
    assert m.cut(assembly) is None


def test_a_boss_is_not_made_in_an_assembly(modeller: Modeller) -> None:
    assembly, first, _ = two_plates(modeller)
    m.sketch(assembly, lambda manager: manager.CreateCircleByRadius(0.0, 0.0, 0.0, RADIUS))
    first.Select4(False, None, False)
    assert m.extrude(assembly, 0.1) is None


@pytest.mark.parametrize("kind", [Feature.swFmLocalLPattern, Feature.swFmMirrorComponent])
def test_a_feature_without_selections_is_not_made(modeller: Modeller, kind: Feature) -> None:
    assembly, _, _ = two_plates(modeller)
    data = assembly.FeatureManager.CreateDefinition(int(kind))
    assert assembly.FeatureManager.CreateFeature(data) is None
    assert names(assembly) == {"plate-1", "plate-2"}


def test_features_of_components_are_not_made_in_a_part(modeller: Modeller) -> None:
    part = modeller.part("plate", m.box(0.1, 0.08, 0.02))
    data = part.FeatureManager.CreateDefinition(int(Feature.swFmMirrorComponent))
    assert part.FeatureManager.CreateFeature(data) is None
    assert part.FeatureManager.CreateDefinition(1) is None


def test_an_image_has_the_mirrored_axes(modeller: Modeller) -> None:
    assembly, first, second = two_plates(modeller)
    data = modeller.port.cast(
        assembly.FeatureManager.CreateDefinition(int(Feature.swFmMirrorComponent)), "IMirrorComponentFeatureData"
    )
    data.MirrorPlane = first.FeatureByName("Right Plane")
    data.ComponentsToInstanceAlignToComponentOrigin = (second,)
    assert assembly.FeatureManager.CreateFeature(data)
    modeller.save(assembly, "mirror.SLDASM")
    capture = read(modeller.application, Request(assembly.GetPathName())).value
    image = next(each for each in capture.components if each.name == "plate-3")
    assert image.mirrored
    assert image.transform == pytest.approx((-1, 0, 0, 0, 1, 0, 0, 0, -1, -0.3, 0, 0, 1, 0, 0, 0))
    (mirror,) = next(each.mirrors for each in capture.documents if each.mirrors)
    assert mirror.copied == ("plate-2",)


def test_a_document_can_be_opened_without_a_window(modeller: Modeller) -> None:
    path = modeller.part("plate", m.box(0.1, 0.08, 0.02)).GetPathName()
    modeller.application.CloseDoc(path)
    modeller.application.DocumentVisible(False, 1)
    assert not modeller.application.GetDocumentVisible(1)
    assert modeller.application.GetDocumentVisible(2)
    opened, _, _ = modeller.application.OpenDoc6(path, 1, 1, "", 0, 0)
    assert not opened.Visible
    modeller.application.DocumentVisible(True, 1)
    assert modeller.new(m.PART).Visible


def test_the_notation_changes_the_signs_of_products(modeller: Modeller) -> None:
    part = modeller.part("plate", m.box(0.1, 0.08, 0.02), m.hole(0.01, 0.02, 0.03))
    off = part.Extension.CreateMassProperty2().GetMomentOfInertia(0)
    part.Extension.SetUserPreferenceToggle(770, 0, True)
    on = part.Extension.CreateMassProperty2().GetMomentOfInertia(0)
    assert on == pytest.approx([value if k % 4 == 0 else -value for k, value in enumerate(off)])
    assert abs(off[1]) > 1e-9


def test_an_angle_over_180_degrees_is_measured_the_long_way_round(modeller: Modeller) -> None:
    assembly, base, pin = m.hinge(modeller)
    c, s = cos(radians(200)), sin(radians(200))
    turned = (c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0, *pin.Transform2.ArrayData[9:])
    pin.Transform2 = modeller.application.GetMathUtility().CreateTransform(turned)
    sides = base.FeatureByName("Right Plane"), pin.FeatureByName("Right Plane")
    limits = {"MinimumAngle": radians(185), "MaximumAngle": radians(240)}
    mate = modeller.mate(
        assembly, Sw.swMateANGLE, "Angle", *sides, IsAdvancedMate=True, Angle=radians(200), **limits
    )  # fmt: skip
    assert pin.Transform2.ArrayData[:2] == pytest.approx((c, s), abs=1e-9)
    assert modeller.drive(assembly, mate, "Angle", radians(230))
    assert pin.Transform2.ArrayData[:2] == pytest.approx((cos(radians(230)), sin(radians(230))), abs=1e-9)
