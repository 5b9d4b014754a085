"""Meshes of a robot: made once per part, cached, and the same bytes from any process."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.grm.meshes.solids import look
from tests.grm.test_mass import capture, robot
from tests.lookups import of_type

from swgrm import Material, Mesh, Robot
from swgrm.capture import Capture, Index
from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.inference import infer
from swgrm.mass import links as mass
from swgrm.mass.links import MassOptions, WeighedParts, weigh
from swgrm.meshes import separating, solids, working
from swgrm.meshes import surface as surface_module
from swgrm.meshes.building import add_meshes as add_meshes_to
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.carrying import Meshed, carry
from swgrm.meshes.collision import Collision
from swgrm.meshes.files import load
from swgrm.meshes.making import MeshResult
from swgrm.meshes.options import MeshOptions
from swgrm.meshes.solids import WeldedSolid
from swgrm.meshes.spool import Spool
from swgrm.meshes.tessellation import whole
from swgrm_mocks.samples import sample


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def shown(given: Capture) -> Capture:
    return replace(given, components=tuple(replace(each, visible=1) for each in given.components))


def add_meshes(
    given: Robot,
    assembly: Capture,
    folder: Path,
    options: MeshOptions | None = None,
    findings: Findings | None = None,
    **more: Any,
) -> Meshed:
    return add_meshes_to(given, assembly, folder, options, Findings() if findings is None else findings, **more)


def visual_mesh(given: Robot, component: str) -> Mesh:
    return of_type(Mesh, given.frame(component).links[0].visuals[0])


def test_two_components_of_a_part_share_its_files(tmp_path: Path) -> None:
    meshed = add_meshes(robot(), shown(capture()), tmp_path)
    assert sorted(files(tmp_path)) == ["meshes/ring.stl", "meshes/ring_collision.obj"]
    first, second = (meshed.robot.frame(name).links[0] for name in ("ring-1", "ring-2"))
    assert first.visuals == second.visuals
    assert (meshed.made, meshed.kept) == (1, 0)
    assert len(load(tmp_path / of_type(Mesh, first.visuals[0]).uri).faces) * 36 == len(capture().shapes[0].triangles)


def test_a_hidden_component_has_no_visual_unless_requested(tmp_path: Path) -> None:
    assert not add_meshes(robot(), capture(), tmp_path).robot.frame("ring-2").links[0].visuals
    wanted = add_meshes(robot(), capture(), tmp_path, MeshOptions(hidden=True))
    assert wanted.robot.frame("ring-2").links[0].visuals


def test_a_component_colour_is_a_material_and_not_another_file(tmp_path: Path) -> None:
    given = shown(capture())
    painted = replace(given, components=(replace(given.components[0], appearance=look(1, 0, 0)), given.components[1]))
    meshed = add_meshes(robot(), painted, tmp_path)
    first, second = (visual_mesh(meshed.robot, name) for name in ("ring-1", "ring-2"))
    assert (first.uri, first.material) == (second.uri, "colour_ff0000ff")
    assert second.material != first.material
    assert {m.name for m in meshed.robot.materials} == {first.material, second.material}
    inside = add_meshes(robot(), painted, tmp_path / "glb", MeshOptions(format="glb"))
    one, other = (visual_mesh(inside.robot, name) for name in ("ring-1", "ring-2"))
    assert one.uri != other.uri


def test_the_second_run_uses_the_cache(tmp_path: Path) -> None:
    given = shown(capture())
    for attempt, expected in enumerate([(1, 0), (0, 1)]):
        meshed = add_meshes(robot(), given, tmp_path / str(attempt), cache=Cache(tmp_path / "cache"))
        assert (meshed.made, meshed.kept) == expected
    assert files(tmp_path / "0") == files(tmp_path / "1")


@pytest.mark.parametrize("change", ["geometry", "configuration", "options", "colour"])
def test_a_changed_input_is_processed_again(change: str, tmp_path: Path) -> None:
    given, options = shown(capture()), MeshOptions()
    add_meshes(robot(), given, tmp_path / "a", cache=Cache(tmp_path / "cache"))
    if change == "geometry":
        given = shown(capture("box"))
    elif change == "configuration":
        given = msgspec.convert(
            msgspec.to_builtins(given), Capture
        )  # a copy, whose every mention of the configuration is changed
        given = replace(
            given,
            components=tuple(replace(c, configuration="Long") for c in given.components),
            shapes=tuple(replace(s, configuration="Long") for s in given.shapes),
            documents=tuple(replace(d, configuration="Long") for d in given.documents),
        )
    elif change == "options":
        options = MeshOptions(collision=Collision.BOX)
    else:
        given = replace(given, documents=(replace(given.documents[0], appearance=look(0, 1, 0)),))
    assert add_meshes(robot(), given, tmp_path / "b", options, cache=Cache(tmp_path / "cache")).made == 1


def test_a_damaged_cache_entry_is_replaced(tmp_path: Path) -> None:
    given, cache = shown(capture()), tmp_path / "cache"
    add_meshes(robot(), given, tmp_path / "a", cache=Cache(cache))
    for file in cache.rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:-1])
    again = add_meshes(robot(), given, tmp_path / "b", cache=Cache(cache))
    assert (again.made, again.kept) == (1, 0)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_entries_of_another_release_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = shown(capture())
    with monkeypatch.context() as older:
        older.setattr("swgrm.meshes.cache.__version__", "0.0.1")
        assert add_meshes(robot(), given, tmp_path / "a", cache=Cache(tmp_path / "cache")).made == 1
    assert add_meshes(robot(), given, tmp_path / "b", cache=Cache(tmp_path / "cache")).made == 1


def test_shapes_that_were_cut_apart_are_kept_with_their_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assembly = sample("lead_screw")
    given = infer(assembly).robot
    cut, first = Findings(), Cache(tmp_path / "cache")
    add_meshes(given, assembly, tmp_path / "a", findings=cut, cache=first)
    assert any(each.code == "collision-cut" for each in cut)
    again = Findings()
    with monkeypatch.context() as patched:
        patched.setattr(separating, "separated", None)
        add_meshes(given, assembly, tmp_path / "b", findings=again, cache=Cache(tmp_path / "cache"))
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert list(again) == list(cut)


@pytest.mark.parametrize("how", [Collision.HULL, Collision.DECOMPOSE], ids=["threads", "processes"])
def test_several_workers_give_the_same_bytes_in_the_same_order(how: Collision, tmp_path: Path) -> None:
    given = shown(capture())
    boxes = shown(capture("box"))
    both = replace(
        given,
        components=(given.components[0], replace(boxes.components[1], path="box.sldprt")),
        shapes=(*given.shapes, replace(boxes.shapes[0], path="box.sldprt")),
    )
    steps: list[tuple[str, float]] = []
    for workers in (1, 2):
        folder, options = tmp_path / str(workers), MeshOptions(collision=how)
        add_meshes(robot(), both, folder, options, workers=workers, progress=lambda *step: steps.append(step))
    assert files(tmp_path / "1") == files(tmp_path / "2")
    first = "meshing parts" if how is Collision.HULL else "decomposing 2 parts, which may take minutes"
    assert steps == [(first, 0.0), ("meshing parts (1 of 2)", 0.5), ("meshing parts (2 of 2)", 1.0)] * 2


def test_an_error_ends_the_threads_and_what_has_not_begun_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def fails(job: int) -> None:
        begun.append(job)
        time.sleep(0.01)
        raise ValueError(job)

    monkeypatch.setattr(working, "make", fails)
    before = threading.active_count()
    many: list[Any] = [(str(number), number) for number in range(1000)]
    results = working._in_threads(many, 2)
    with pytest.raises(ValueError, match=r"\d"):
        list(results)
    assert 1 <= len(begun) < len(many)
    assert threading.active_count() == before


def test_a_part_is_welded_once_for_its_mass_and_its_meshes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solids, "FEW", 0)
    given, calls = shown(capture()), Counted(monkeypatch)
    for cached, welds in (("a", 1), ("a", 0), ("b", 1)):
        cache, weighed = Cache(tmp_path / cached), WeighedParts()
        weigh(robot(), given, None, Findings(), weighed, cache)
        welded = {name: part.surface for name, part in weighed.items() if part.surface is not None}
        add_meshes(robot(), given, tmp_path / f"{cached}{welds}", cache=cache, welded=welded)
        assert calls.taken() == welds
    assert files(tmp_path / "a0") == files(tmp_path / "a1") == files(tmp_path / "b1")
    add_meshes(robot(), given, tmp_path / "alone")
    assert (calls.taken(), files(tmp_path / "alone")) == (1, files(tmp_path / "a1"))


def test_a_part_with_a_hidden_body_is_welded_for_its_meshes(tmp_path: Path) -> None:
    given = shown(capture())
    shape = given.shapes[0]
    (body,) = shape.bodies
    count = body.faces[0].triangles
    hidden = replace(body, name="hidden", visible=False)
    two = replace(shape, bodies=(body, hidden), triangles=shape.triangles * 2)
    both = replace(given, shapes=(two, *given.shapes[1:]))
    welded = {(shape.path, shape.configuration, shape.variant): whole(two)}
    meshed = add_meshes(robot(), both, tmp_path, welded=welded)
    assert len(load(tmp_path / visual_mesh(meshed.robot, "ring-1").uri).faces) == count


def test_the_surfaces_of_parts_are_kept_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is too large to be kept leaves the room to smaller ones."""
    small, large = whole(shown(capture("box")).shapes[0]), whole(shown(capture()).shapes[0])
    monkeypatch.setattr(mass, "SURFACES", small.vertices.nbytes + small.faces.nbytes)
    scale = mass._Scale(Index(capture()), MassOptions(), Findings(), {}, Cache(None))
    assert [scale.kept(WeldedSolid(1.0, None, each)) is each for each in (large, small, small)] == [False, True, False]


def test_the_result_of_a_part_is_decoded_once_for_all_its_components(tmp_path: Path) -> None:
    assembly = sample("stewart")
    given, cache = infer(assembly).robot, Cache(tmp_path / "cache")
    decoded: list[str] = []

    class Recorded(Spool[MeshResult]):
        def __getitem__(self, name: str) -> MeshResult:
            decoded.append(name)
            return super().__getitem__(name)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(working, "Spool", Recorded)
        add_meshes(given, assembly, tmp_path / "a", cache=cache)
    assert len(assembly.components) > 2 * len(assembly.shapes)
    assert max(Counter(decoded).values()) <= 3  # for the files, for cutting apart, for the pieces


class Counted:
    """Counts the calls of `weld`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls, weld = 0, surface_module.weld

        def counted(triangles: Any) -> Any:
            self.calls += 1
            return weld(triangles)

        monkeypatch.setattr(surface_module, "weld", counted)

    def taken(self) -> int:
        found, self.calls = self.calls, 0
        return found


@pytest.mark.parametrize(("parts", "workers", "processes"), [(200, 128, 128), (3, 128, 3)])
def test_there_are_no_more_processes_than_parts(
    parts: int, workers: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []

    def in_processes(todo: list[Any], count: int) -> list[Any]:
        counts.append(count)
        return todo

    monkeypatch.setattr(working, "_in_processes", in_processes)
    shape = SimpleNamespace(triangles=b"")
    jobs: list[Any] = [("", SimpleNamespace(shape=shape, collision=Collision.DECOMPOSE)) for _ in range(parts)]
    assert len(list(working._results(jobs, workers, lambda _step, _done: None))) == parts
    assert counts == [processes]


def test_collision_is_chosen_for_all_or_by_component(tmp_path: Path) -> None:
    options = MeshOptions(collision=Collision.NONE, links={"ring-2": Collision.CYLINDER})
    meshed = add_meshes(robot(), shown(capture()), tmp_path, options).robot
    assert meshed.frame("ring-1").links[0].collisions == ()
    assert [type(shape).__name__ for shape in meshed.frame("ring-2").links[0].collisions] == ["Cylinder"]
    with pytest.raises(SettingsError, match="There is no component `rnig"):
        add_meshes(robot(), capture(), tmp_path, MeshOptions(links={"rnig-*": Collision.BOX}))


def test_a_part_without_triangles_is_reported(tmp_path: Path) -> None:
    given = shown(capture())
    bare = replace(given, shapes=(replace(given.shapes[0], triangles=b"", bodies=()),))
    findings = Findings()
    add_meshes(robot(), bare, tmp_path, findings=findings)
    assert [f.code for f in findings] == ["triangles-missing", "triangles-missing"]


def test_keys_depend_on_the_boundaries_of_their_inputs() -> None:
    assert key("ab", "c") != key("a", "bc")
    assert key(b"ab") == key("ab")


def test_mesh_and_texture_files_are_copied(tmp_path: Path) -> None:
    meshed = add_meshes(robot(), shown(capture()), tmp_path / "a").robot
    (tmp_path / "a" / "textures").mkdir()
    (tmp_path / "a" / "textures" / "wood.png").write_bytes(b"\x89PNG\r\n\x1a\nwood")
    meshed = replace(meshed, materials=(*meshed.materials, Material("wood", texture="textures/wood.png")))
    carried = carry(meshed, tmp_path / "a", tmp_path / "b", Findings())
    assert carried.robot == meshed
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_uris_with_a_scheme_and_missing_files_are_kept() -> None:
    def with_uri(uri: str) -> Robot:
        made = robot()
        frame = made.frames[1]
        link = replace(frame.links[0], visuals=(Mesh(uri=uri),))
        return replace(made, frames=(made.frames[0], replace(frame, links=(link,))))

    for uri, codes in (
        ("package://p/meshes/a.stl", ["mesh-elsewhere"]),
        ("file:///nowhere/a.stl", ["mesh-absent"]),
        ("nowhere.stl", []),
    ):
        findings = Findings()
        carried = carry(with_uri(uri), Path(), Path("/nowhere"), findings)
        assert (carried.robot, carried.files) == (with_uri(uri), ())
        assert [finding.code for finding in findings] == codes


@pytest.mark.parametrize("form", ["stl", "glb"])
def test_visual_meshes_are_reduced_and_nothing_else(form: str, tmp_path: Path) -> None:
    whole, light = tmp_path / "whole", tmp_path / "light"
    options = MeshOptions(format=form)  # type: ignore[arg-type] # one of its formats
    add_meshes(robot(), shown(capture()), whole, options)
    meshed = add_meshes(robot(), shown(capture()), light, replace(options, visual_faces=40))
    assert len(load(light / "meshes" / f"ring.{form}").faces) <= 44 < len(load(whole / "meshes" / f"ring.{form}").faces)
    collisions = [files(folder)["meshes/ring_collision.obj"] for folder in (whole, light)]
    assert collisions[0] == collisions[1]
    assert meshed.robot.frame("ring-1").links[0].visuals
