"""Modelled documents are saved, closed, opened again, read and restored as SolidWorks' own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests import modeller as m
from tests.modeller import Modeller

from swgrm.errors import CallError
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_addin.reader import Request, read
from swgrm_mocks.samples import sample


@pytest.fixture
def modeller(tmp_path: Path) -> Modeller:
    return Modeller.of_mock(tmp_path)


def test_the_mock_loads_numpy_only_when_it_models() -> None:
    program = "import sys, swgrm_mocks.solidworks as s; s.MockSolidWorks(); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_document_is_changed_until_it_is_saved(modeller: Modeller) -> None:
    part = modeller.new(m.PART)
    assert not part.GetSaveFlag()
    assert part.GetTitle() == "Part1"
    assert part.GetPathName() == ""
    m.box(0.1, 0.1, 0.1)(part)
    assert part.GetSaveFlag()
    path = modeller.save(part, "cube.SLDPRT")
    assert not part.GetSaveFlag()
    assert (part.GetTitle(), part.GetPathName()) == ("cube.SLDPRT", path)
    assert Path(path).exists()


def test_what_was_not_saved_is_lost_when_a_document_is_closed(modeller: Modeller) -> None:
    part = modeller.part("cube", m.box(0.1, 0.1, 0.1))
    path, mass = part.GetPathName(), part.Extension.CreateMassProperty2().Mass
    m.hole(0.01)(part)
    assert part.Extension.CreateMassProperty2().Mass < mass
    modeller.application.CloseDoc(part.GetTitle())
    assert modeller.application.GetOpenDocumentByName(path) is None
    opened, errors, _ = modeller.application.OpenDoc6(path, 1, 1, "", 0, 0)
    assert errors == 0
    assert opened.Extension.CreateMassProperty2().Mass == pytest.approx(mass, rel=1e-12)


@pytest.mark.parametrize(("name", "error"), [("cube.SLDASM", 256), ("cube.txt", 256), ("nowhere/cube.SLDPRT", 1)])
def test_a_document_that_cannot_be_saved(modeller: Modeller, name: str, error: int) -> None:
    part = modeller.new(m.PART)
    saved = part.Extension.SaveAs3(str(modeller.folder / name), 0, 1, None, None, 0, 0)
    assert saved == (False, error, 0)
    assert part.GetPathName() == ""


def test_a_copy_does_not_change_where_the_document_is(modeller: Modeller) -> None:
    part = modeller.part("cube", m.box(0.1, 0.1, 0.1))
    before = part.GetPathName()
    assert part.Extension.SaveAs3(str(modeller.folder / "copy.SLDPRT"), 0, 3, None, None, 0, 0)[0]
    assert part.GetPathName() == before


def test_a_template_that_does_not_exist_makes_nothing(modeller: Modeller) -> None:
    assert modeller.application.NewDocument("C:\\none.PRTDOT", 0, 0.0, 0.0) is None


def test_a_file_that_is_not_open_is_not_inserted(modeller: Modeller) -> None:
    assembly = modeller.port.cast(modeller.new(m.ASSEMBLY), "IAssemblyDoc")
    assert assembly.AddComponent5("C:\\none.SLDPRT", 0, "", False, "", 0.0, 0.0, 0.0) is None


@pytest.mark.parametrize("kind", [Sw.swMatePATH, Sw.swMateMAGNETIC, Sw.swMateSLIDER])
def test_mates_that_the_api_cannot_build(modeller: Modeller, kind: int) -> None:
    assert modeller.port.cast(modeller.new(m.ASSEMBLY), "IAssemblyDoc").CreateMateData(int(kind)) is None


def test_a_part_has_no_mates(modeller: Modeller) -> None:
    with pytest.raises(CallError, match="IAssemblyDoc"):
        modeller.port.cast(modeller.new(m.PART), "IAssemblyDoc")


def test_features_of_a_captured_document_cannot_be_changed() -> None:
    from swgrm_addin.port import Port
    from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

    world = MockSolidWorks(sample("arm"))
    document = Port(MemoryTransport()).wrap(world.application, "ISldWorks").ActiveDoc
    with pytest.raises(CallError, match="is a capture"):
        m.planes(document)[0].Name = "other"


def test_a_modelled_assembly_is_read_as_it_is_driven(modeller: Modeller) -> None:
    assembly, base, pin = m.hinge(modeller)
    sides = base.FeatureByName("Right Plane"), pin.FeatureByName("Right Plane")
    driver = modeller.mate(assembly, Sw.swMateANGLE, "Angle", *sides, Angle=0.3)
    driver.Select2(False, 0)
    assembly.FeatureManager.InsertFeatureTreeFolder2(2).Name = "drives"
    modeller.save(assembly, "hinge.SLDASM")
    for angle in (0.4, 0.8):
        assert modeller.drive(assembly, driver, "Angle", angle)
        capture, findings = read(modeller.application, Request())
        record = next(document for document in capture.documents if document.mates)
        mate = record.mates[-1]
        assert (mate.folder, mate.type, mate.data.angle) == ("drives", 6, angle)  # type: ignore[union-attr]
        assert [finding.code for finding in findings] == []
        assert len(capture.components) == 2


def test_a_mate_that_is_suppressed_in_one_configuration(modeller: Modeller) -> None:
    assembly, base, pin = m.hinge(modeller)
    sides = base.FeatureByName("Right Plane"), pin.FeatureByName("Right Plane")
    driver = modeller.mate(assembly, Sw.swMateANGLE, "Angle", *sides, Angle=0.3)
    assert assembly.AddConfiguration3("B", "", "", 0).Name == "B"
    assert assembly.AddConfiguration3("B", "", "", 0) is None
    assert driver.SetSuppression2(0, 1, ())
    assert driver.IsSuppressed2(3, ("B",)) == (True,)
    assert assembly.ShowConfiguration2("Default")
    assert driver.IsSuppressed2(3, ("Default",)) == (False,)
    assert not assembly.ShowConfiguration2("C")
    assert assembly.GetConfigurationNames() == ("Default", "B")


def test_a_virtual_part_is_held_in_place(modeller: Modeller) -> None:
    assembly, base, _pin = m.hinge(modeller)
    owner = modeller.port.cast(assembly, "IAssemblyDoc")
    assert owner.InsertNewVirtualPart(None)[0] == 6
    status, component = owner.InsertNewVirtualPart(modeller.face(base, m.PLANE, m.up))
    assert status == 1
    assert component.IsVirtual
    record = next(d for d in read(modeller.application, Request()).value.documents if d.mates)
    assert [mate.type for mate in record.mates] == [1, 0, None]


def test_preferences_and_open_documents_are_part_of_the_state(tmp_path: Path) -> None:
    from swgrm_addin.port import Port
    from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

    world = MockSolidWorks()
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    before = world.state()
    application.SetUserPreferenceToggle(10, False)
    assert world.state() != before
    application.SetUserPreferenceToggle(10, True)
    part = Modeller(application, tmp_path).new(m.PART)
    assert world.state() != before
    application.CloseDoc(part.GetTitle())
    assert world.state() == before


def test_a_sketch_on_a_face_is_at_its_height(modeller: Modeller) -> None:
    part = modeller.part("cube", m.box(0.1, 0.1, 0.1))
    modeller.port.cast(modeller.own_face(part, m.PLANE, m.up), "IEntity").Select2(False, 0)
    part.SketchManager.InsertSketch(True)
    part.SketchManager.CreateCircleByRadius(0.02, 0.03, 0.0, 0.01)
    part.SketchManager.InsertSketch(True)
    assert m.extrude(part, 0.05)
    box = modeller.port.cast(part, "IPartDoc").GetBodies2(0, True)[0].GetBodyBox()
    assert box == pytest.approx((-0.05, -0.05, 0.0, 0.05, 0.05, 0.15), abs=1e-7)
