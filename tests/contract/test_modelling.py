"""Every member of the slice that builds, called through the port and each transport, does what it does in memory."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests import modeller as m
from tests.contract.transports import InMemory, MockBehaviour
from tests.modeller import Modeller

from swgrm.solidworks.api_slice import parts
from swgrm.solidworks.swconst import swMateType_e as Sw

MEMBERS = {(kind, str(member)) for i in parts()[1].values() for (kind, _), member in i.members.items()}
LINE = 3001  # swCurveTypes_e
VALUES = {"double": 0.25, "long": 1, "VARIANT_BOOL": True}
KINDS = {
    Sw.swMateCOINCIDENT: "Coincident", Sw.swMateCONCENTRIC: "Concentric", Sw.swMatePERPENDICULAR: "Perpendicular",
    Sw.swMatePARALLEL: "Parallel", Sw.swMateTANGENT: "Tangent", Sw.swMateDISTANCE: "Distance", Sw.swMateANGLE: "Angle",
    Sw.swMateSYMMETRIC: "Symmetric", Sw.swMateCAMFOLLOWER: "CamFollower", Sw.swMateGEAR: "Gear",
    Sw.swMateWIDTH: "Width", Sw.swMateRACKPINION: "RackPinion", Sw.swMateLOCK: "Lock", Sw.swMateSCREW: "Screw",
    Sw.swMateLINEARCOUPLER: "LinearCoupler", Sw.swMateUNIVERSALJOINT: "UniversalJoint", Sw.swMateSLOT: "Slot",
    Sw.swMateHINGE: "Hinge", Sw.swMatePROFILECENTER: "ProfileCenter",
}  # fmt: skip


# The status of a mate is a member of IMateFeatureData, which the definition of a gear mate has by QueryInterface only.
QUERIED = MockBehaviour(needs_query=True)


class Recorder:
    """The calls of a port: which members, and what they returned."""

    def __init__(self, port: Any) -> None:
        self.members: set[tuple[str, str]] = set()
        self.results: list[Any] = []
        self._call = port.call
        port.call = self.call

    def call(self, raw: Any, member: Any, *args: Any) -> Any:
        """Calls a member, and records it."""
        result = self._call(raw, member, *args)
        self.members.add((member.kind, str(member)))
        self.results.append((member.kind, str(member), plain(result)))
        return result


def plain(value: Any) -> Any:
    """A result that can be compared: of an object, its interface; paths without their folder."""
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, str):
        return Path(value).name
    return type(value).__name__ if hasattr(value, "raw") else value


def build_parts(modeller: Modeller) -> tuple[Any, Any]:
    """Builds a part with every kind of sketch and reference geometry, and a revolved one."""
    part = modeller.application.NewPart()
    switch_drawing_off(part)
    part.Extension.SetUserPreferenceInteger(47, 0, 3)
    part.Extension.SetUserPreferenceToggle(770, 0, True)
    m.sketch(part, lambda manager: m.rectangle(manager, -0.05, -0.04, 0.05, 0.04))
    m.extrude(part, 0.02).Name = "Plate"
    m.sketch(
        part,
        lambda manager: manager.CreateSketchSlot(0, 0, 0.01, -0.02, 0.0, 0.0, 0.02, 0.0, 0.0, 0.0, 0.0, 0.0, 1, False),
    )
    m.cut(part)
    part.FeatureManager.CreateCoordinateSystemUsingNumericalValues(
        True, 0.1, 0.2, 0.3, True, 0.1, 0.2, 0.3
    ).Name = "tool"
    m.planes(part)[0].Select2(False, 0)
    part.FeatureManager.InsertRefPlane(8, 0.03, 0, 0.0, 0, 0.0)
    body = modeller.port.cast(part, "IPartDoc").GetBodies2(0, True)[0]
    edge, vertex = body.GetEdges()[0], body.GetVertices()[0]
    vertex.GetPoint()
    modeller.port.cast(vertex, "IEntity").Select2(False, 1)
    modeller.port.cast(edge, "IEntity").Select2(True, 2)
    part.FeatureManager.InsertCoordinateSystem(False, False, False)
    modeller.port.cast(modeller.own_face(part, m.CYLINDER), "IEntity").Select2(False, 0)
    part.InsertAxis2(True)
    assert body.GetMassProperties(1000.0)[3] > 0
    body.HideBody(True)
    body.HideBody(False)
    override_mass(part)
    part.AddConfiguration3("B", "", "", 0)
    part.ShowConfiguration2("Default")
    modeller.save(part, "part.SLDPRT")

    def half(manager: Any) -> None:
        manager.AddToDB = True
        assert manager.AddToDB
        manager.CreateCenterLine(0.0, -0.01, 0.0, 0.0, 0.01, 0.0)
        manager.CreateArc(0.0, 0.0, 0.0, 0.0, -0.01, 0.0, 0.0, 0.01, 0.0, 1)
        manager.CreateLine(0.0, 0.01, 0.0, 0.0, -0.01, 0.0)

    def revolved(document: Any) -> None:
        m.sketch(document, half)
        assert m.revolve(document, 2 * math.pi)

    return part, modeller.part("ball", revolved)


def switch_drawing_off(document: Any) -> None:
    """Switches off what SolidWorks draws while it works, and on again."""
    manager = document.FeatureManager
    owners = [(document.ActiveView, "EnableGraphicsUpdate"), (document.SketchManager, "DisplayWhenAdded")]
    for owner, name in (*owners, (manager, "EnableFeatureTree"), (manager, "EnableFeatureTreeWindow")):
        for value in (False, True):
            setattr(owner, name, value)
            assert getattr(owner, name) is value
    document.SetPickMode()


def override_mass(part: Any) -> None:
    """Overrides all mass properties of a part."""
    properties = part.Extension.CreateMassProperty2()
    options = properties.GetOverrideOptions()
    options.OverrideMass = options.OverrideCenterOfMass = options.OverrideMomentsOfInertia = True
    options.SetOverrideMassValue(2.0)
    options.SetOverrideCenterOfMassValue((0.0, 0.1, 0.2), "")
    options.SetOverrideMomentsOfInertiaValue(0, (1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.5), "")
    properties.SetOverrideOptions(options, 2, ())


def put_all(modeller: Modeller, assembly: Any, component: Any) -> None:
    """Puts every value of the feature data of every mate type, and reads those back that can be read."""
    owner = modeller.port.cast(assembly, "IAssemblyDoc")
    for number, kind in KINDS.items():
        data = owner.CreateMateData(int(number))
        own = modeller.port.cast(data, f"I{kind}MateFeatureData")
        for (how, name), member in parts()[1][f"I{kind}MateFeatureData"].members.items():
            if how != "put":
                continue
            value_type = member.parameters[-1].type
            value = (component,) if value_type.is_array else VALUES.get(value_type.content, component)
            if member.is_indexed_put:
                getattr(own, f"Set{name}")(0, value)
            else:
                setattr(own, name, value)
        for (how, _), member in parts()[0].get(f"I{kind}MateFeatureData", parts()[1]["IEntity"]).members.items():
            if how == "get":
                getattr(own, member.name)


def build_assembly(modeller: Modeller, ball: Any) -> None:
    """Builds an assembly, changes everything about it that can be changed, and drives it."""
    assembly, base, pin = m.hinge(modeller)
    owner = modeller.port.cast(assembly, "IAssemblyDoc")
    sides = base.FeatureByName("Right Plane"), pin.FeatureByName("Right Plane")
    angle = modeller.mate(assembly, Sw.swMateANGLE, "Angle", *sides, Angle=0.3)
    assert modeller.drive(assembly, angle, "Angle", 0.5)
    angle.Name = "driver"
    dimension = assembly.Parameter("D1@driver")
    assert dimension.SystemValue == pytest.approx(0.5)
    dimension.SystemValue = 0.5
    angle.SetSuppression2(0, 1, ())
    angle.SetSuppression2(1, 1, ())
    angle.Select2(False, 0)
    assembly.FeatureManager.InsertFeatureTreeFolder2(2)
    other = modeller.add(assembly, ball, 0.2)
    other.Select4(False, None, False)
    owner.FixComponent()
    owner.UnfixComponent()
    owner.CompConfigProperties6(2, 0, True, False, "", False, False, 0)
    other.Visible = 0
    other.ReferencedConfiguration = "Default"
    owner.InsertNewVirtualPart(modeller.face(base, m.PLANE, m.up))
    owner.EditAssembly()
    assert assembly.IsEditingSelf()
    for component in (base, other):
        component.FeatureByName("Top Plane").Select2(component is other, 1)
    mate, status = owner.AddMate5(3, 2, False, *[0.0] * 8, False, False, 0)  # parallel
    assert (mate is not None, status) == (True, 1)
    m.mates(assembly)[-1].Select2(False, 0)
    assert assembly.Extension.DeleteSelection2(0)
    put_all(modeller, assembly, other)
    wrong = owner.CreateMateData(int(Sw.swMateGEAR))
    assert owner.CreateMate(wrong) is None
    assert modeller.port.cast(wrong, "IMateFeatureData").ErrorStatus == 4
    modeller.save(assembly, "assembly.SLDASM")
    assert pin.Transform2.ArrayData[0] == pytest.approx(math.cos(0.5), abs=1e-9)


def add_component_features(modeller: Modeller) -> None:
    """Adds a pattern, a mirror image and a cut to an assembly."""
    assembly, base, pin = m.hinge(modeller)
    part = base.GetModelDoc2()
    data = assembly.SelectionManager.CreateSelectData()
    data.Mark = 1
    assert pin.Select4(False, data, False)
    edges = modeller.port.cast(part, "IPartDoc").GetBodies2(0, True)[0].GetEdges()
    straight = next(edge for edge in edges if edge.GetCurve().Identity() == LINE)
    manager = assembly.FeatureManager
    pattern = modeller.port.cast(manager.CreateDefinition(108), "ILocalLinearPatternFeatureData")
    pattern.SeedComponentArray = (pin,)
    pattern.D1Axis = base.GetCorrespondingEntity(straight)
    pattern.D1Spacing, pattern.D1TotalInstances = 0.1, 2
    assert manager.CreateFeature(pattern)
    mirror = modeller.port.cast(manager.CreateDefinition(116), "IMirrorComponentFeatureData")
    mirror.MirrorPlane = base.FeatureByName("Right Plane")
    mirror.ComponentsToInstanceAlignToComponentOrigin = (pin,)
    mirror.ComponentOrientationsAlignToComponentOrigin = (0,)
    assert manager.CreateFeature(mirror)
    m.sketch(assembly, lambda manager: manager.CreateCircleByRadius(0.04, 0.03, 0.0, 0.002))
    base.Select4(False, None, False)
    assert m.cut(assembly)
    assert [component.HasAssemblyFeatures()[0] for component in (base, pin)] == [True, False]


def script(application: Any) -> Recorder:
    """Calls every member that builds; returns what was recorded."""
    recorder = Recorder(application.port)
    with tempfile.TemporaryDirectory() as folder:
        modeller = Modeller(application, Path(folder))
        application.GetCurrentLanguage()
        before = application.GetUserPreferenceToggle(10)
        application.SetUserPreferenceToggle(10, False)
        _, ball = build_parts(modeller)
        build_assembly(modeller, ball)
        add_component_features(modeller)
        assert application.NewAssembly() is not None
        application.DocumentVisible(application.GetDocumentVisible(1), 1)
        for document in application.GetDocuments():
            application.CloseDoc(document.GetTitle())
        application.SetUserPreferenceToggle(10, before)
    return recorder


@pytest.fixture(scope="module")
def recorded(transport: InMemory) -> Recorder:
    """The script through this transport."""
    return script(transport.application(behaviour=QUERIED))


def test_every_member_that_builds_is_called(recorded: Recorder) -> None:
    assert MEMBERS - recorded.members == set()


def test_the_results_are_those_of_the_mock_in_memory(recorded: Recorder) -> None:
    expected = script(InMemory().application(behaviour=QUERIED)).results
    assert len(recorded.results) == len(expected)
    for got, wanted in zip(recorded.results, expected, strict=True):
        assert got[:2] == wanted[:2]
        assert got[2] == near(wanted[2])


def near(value: Any) -> Any:
    """A result as it may differ by rounding."""
    items = value if isinstance(value, tuple) else (value,)
    are_numbers = bool(items) and all(isinstance(item, float) for item in items)
    return pytest.approx(value, abs=1e-12) if are_numbers else value
