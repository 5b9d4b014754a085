"""The mock has the quirks of the SolidWorks API: the same HRESULTs for wrong calls, and the same kinds of results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.contract.full_capture import full_capture
from tests.lookups import present

from swgrm.capture.file import save
from swgrm.solidworks.api_slice import ComError
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solidworks import Fault, MockPointer, MockSolidWorks


@pytest.fixture
def session() -> MockSolidWorks:
    return MockSolidWorks(sample("traps"))


def hresult(handle: MockPointer, *call: Any) -> int:
    with pytest.raises(ComError) as caught:
        handle.invoke(*call)
    return caught.value.hresult


def document(session: MockSolidWorks) -> MockPointer:
    found: MockPointer = session.application.invoke("ActiveDoc", "get")
    return found


def root(session: MockSolidWorks) -> MockPointer:
    configuration = document(session).invoke("ConfigurationManager", "get").invoke("ActiveConfiguration", "get")
    found: MockPointer = configuration.invoke("GetRootComponent3", "method", (False,))
    return found


def component(session: MockSolidWorks, name: str) -> MockPointer:
    children: tuple[MockPointer, ...] = root(session).invoke("GetChildren", "method")
    return next(child for child in children if child.invoke("Name2", "get") == name)


def test_wrong_calls_fail_with_the_hresult_of_com(session: MockSolidWorks) -> None:
    application = session.application
    assert hresult(application, "ActiveDok", "get") == 0x80020006
    assert hresult(application, "ActiveDoc", "method") == 0x80020003
    assert hresult(application, "RevisionNumber", "get") == 0x80020003
    assert hresult(application, "RevisionNumber", "method", (1,)) == 0x8002000E
    assert hresult(application, "CloseDoc", "method", (5,)) == 0x80020005
    assert hresult(application, "CommandInProgress", "put", (1,)) == 0x80020005
    assert hresult(document(session).invoke("Extension", "get"), "GetPersistReference3", "method", ("x",)) == 0x80020005
    with pytest.raises(ComError, match="0x80004002"):
        application.query("IModelDoc2")


def test_a_pointer_may_support_only_its_interface(session: MockSolidWorks) -> None:
    mates = component(session, "base plate-1").invoke("GetMates", "method")
    assert mates[0].invoke("Name", "get")
    session.connection.needs_query = True
    assert hresult(mates[0], "Name", "get") == 0x80020006
    assert mates[0].query("IFeature").invoke("Name", "get")


def test_pointers_have_no_identity_and_the_order_of_children_is_random(session: MockSolidWorks) -> None:
    first, second = (root(session).invoke("GetChildren", "method") for _ in range(2))
    assert not set(first) & set(second)
    assert [c.invoke("Name2", "get") for c in first] != [c.invoke("Name2", "get") for c in second]
    one, other = component(session, "base plate-1"), component(session, "arm link-1")
    names = [[m.invoke("Name", "get") for m in c.invoke("GetMates", "method")] for c in (one, other)]
    assert set(names[0]) & set(names[1])


def test_missing_objects_and_empty_arrays_are_none(session: MockSolidWorks) -> None:
    assert component(session, "peg-3").invoke("GetMates", "method") is None
    assert component(session, "peg-2").invoke("Transform2", "get") is None
    assert component(session, "peg-2").invoke("GetModelDoc2", "method") is None
    assert component(session, "base plate-1").invoke("GetChildren", "method") is None
    assert component(session, "base plate-1").invoke("MaterialPropertyValues", "get") is None


@pytest.mark.trap("C1")
def test_a_lightweight_component_has_no_document_until_it_is_resolved(session: MockSolidWorks) -> None:
    light = component(session, "arm_link-1")
    assert light.invoke("GetModelDoc2", "method") is None
    light.invoke("SetSuppression2", "method", (2,))
    assert component(session, "arm_link-1").invoke("GetModelDoc2", "method") is not None


def test_latency_busy_errors_and_a_crash_can_be_injected(session: MockSolidWorks) -> None:
    delays: list[float] = []
    session.connection.sleep, session.connection.delay = delays.append, 0.25
    session.application.invoke("RevisionNumber", "method")
    assert delays == [0.25]
    session.connection.faults = [Fault(session.connection.count + 1, "error", 0x80010001, times=2)]
    assert [hresult(session.application, "RevisionNumber", "method") for _ in range(2)] == [0x80010001] * 2
    assert session.application.invoke("RevisionNumber", "method") == "34.1.0"
    session.connection.faults = [Fault(session.connection.count + 1, "death")]
    codes = [hresult(session.application, "RevisionNumber", "method") for _ in range(3)]
    assert codes == [0x800706BE, 0x800706BA, 0x800706BA]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_plausible(name: str) -> None:
    """Every part is watertight and has a positive mass that matches its volume and density."""
    import numpy as np
    import trimesh

    capture = sample(name)
    for shape in capture.shapes:
        if not shape.triangles or shape.mass is None:
            continue
        triangles = np.frombuffer(shape.triangles, "<f4").reshape(-1, 3, 3).astype(float)
        mesh = trimesh.Trimesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
        assert mesh.volume > 0
        assert shape.mass.mass > 0
        assert shape.mass.moments_overridden or min(present(shape.mass.principal_moments)) > 0
        if not shape.mass.mass_overridden:
            assert shape.mass.mass == pytest.approx(mesh.volume * present(shape.mass.density), rel=1e-6)
        assert all(piece.is_watertight for piece in mesh.split(only_watertight=False))


def test_the_arm_has_every_kind_of_reference_geometry() -> None:
    geometry = [item for d in sample("arm").documents for item in d.geometry if not item.default]
    names = {item.kind: {g.name for g in geometry if g.kind == item.kind} for item in geometry}
    assert names["coordinateSystem"] == {"tool0", "camera", "imu"}
    assert set(names) == {"coordinateSystem", "plane", "axis", "point"}
    assert any(d.properties for d in sample("arm").documents)


def test_the_traps_sample_has_every_mate_type() -> None:
    kinds = {mate.type for document in sample("traps").documents for mate in document.mates}
    assert kinds >= {None, *range(7), 8, 9, 10, 11, 13, *range(15, 26)}


def test_reading_the_mock_loads_no_numerical_library(tmp_path: Path) -> None:
    """In process, the mock is loaded into the host beside the add-in, where tests look for large libraries."""
    file = tmp_path / "every.swcap"
    save(full_capture(), file)
    code = (
        "import sys; from pathlib import Path; from swgrm.capture.file import load\n"
        "from swgrm_addin.port import Port; from swgrm_addin.reader import Request, read\n"
        "from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks\n"
        "capture = load(Path(sys.argv[1]))\n"
        "application = Port(MemoryTransport()).wrap(MockSolidWorks(capture).application, 'ISldWorks')\n"
        "assert read(application, Request(capture.source.path)).value == capture\n"
        "print(*sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True)
    assert not {"numpy", "scipy", "lxml", "trimesh", "yaml"} & set(result.stdout.split())
