"""The steps of one assembly: it is created, mated, captured, moved and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import degrees
from typing import Any, NamedTuple

from swgrm.capture import Capture, save
from swgrm.errors import SolidWorksError
from swgrm_addin.reader import Request, read
from swgrm_addin.selftest import mating
from swgrm_addin.selftest.bench import Bench
from swgrm_addin.selftest.documents import ASSEMBLY, set_unit
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.own_folder import with_own_paths
from swgrm_addin.selftest.results import CAPTURES, Motion
from swgrm_addin.selftest.specs import KINDS, AssemblySpec, ComponentSpec, Drive, MateRecipe, Nudge


class Step(NamedTuple):
    """A step: what it belongs to, what it does, and what must have succeeded before."""

    subject: str
    what: str
    action: Callable[[], object]
    needs: str = ""  # "document": the first step; "mates": all steps of the subject so far
    always: bool = False  # it runs also if steps before it failed


class AssemblySteps:
    """The steps of an assembly, which share its document."""

    def __init__(self, bench: Bench, spec: AssemblySpec, motions: list[Motion]) -> None:
        self.bench, self.spec, self.motions = bench, spec, motions
        self.document: Any = None
        self.components: dict[str, Any] = {}
        self.mates: list[Any] = []
        self._opened = 0
        self._driver: Any = None

    def steps(self) -> Iterator[Step]:
        """The steps in their order."""
        spec = self.spec
        yield self._step("create it with its components", self._create, "")
        for mate in spec.mates:
            yield self._step(f"add a {mate.kind} mate", partial(self._mate, mate), "document")
        if spec.virtual_on is not None:
            yield self._step("create a virtual part on a face", self._virtual, "document")
        for component in spec.components:
            if component.state:
                yield self._step(
                    f"make {component.name} {component.state}", partial(self._state, component), "document"
                )
        if spec.has_folder:
            yield self._step("put the mates into a folder", self._folder, "mates")
        yield self._step("capture it", self._capture, "document")
        for drive in spec.drives:
            if drive.mate is not None:
                yield self._step("add the mate that drives it", partial(self._add_driver, drive), "mates")
            for value in drive.values:
                yield self._step(f"set {named(drive, value)}", partial(self._drive, drive, value), "mates")
        for nudge in spec.nudges:
            yield self._step(f"move {nudge.component} by hand", partial(self._nudge, nudge), "mates")
        yield Step(spec.id, "close it", self._close, always=True)

    def _step(self, what: str, action: Callable[[], object], needs: str) -> Step:
        return Step(self.spec.id, what, action, needs)

    def _create(self) -> None:
        self._opened = self.bench.open_count
        self.document = self.bench.create(self.spec.file, ASSEMBLY, self._fill)

    def _fill(self, document: Any) -> None:
        set_unit(document, self.spec.unit)
        for component in self.spec.components:
            self.components[component.name] = self._add(document, component)

    def _add(self, document: Any, component: ComponentSpec) -> Any:
        path = self.bench.files.get(component.file)
        if path is None:
            raise SolidWorksError(f"{component.file} was not built.")
        return mating.add_component(self.bench.application, document, path, component)

    def _mate(self, spec: MateRecipe) -> None:
        self.mates.append(mating.add_mate(self.document, self.components, spec))

    def _virtual(self) -> None:
        assert self.spec.virtual_on is not None  # noqa: S101 - then there is no such step
        mating.add_virtual_part(self.document, in_assembly(self.document, self.components, self.spec.virtual_on))

    def _state(self, component: ComponentSpec) -> None:
        mating.set_state(self.document, self.components[component.name], component.state)

    def _folder(self) -> None:
        mating.add_folder(self.document, self.mates)

    def _capture(self) -> None:
        self.document.EditRebuild3()
        request = Request(self.bench.files[self.spec.file], out_of_process=self.bench.out_of_process)
        self.save(read(self.bench.application, request).value)

    def save(self, capture: Capture) -> None:
        """Save a capture, whose paths do not name the folder of the run."""
        folder = self.bench.folder / CAPTURES
        folder.mkdir(exist_ok=True)
        save(with_own_paths(capture), folder / f"{self.spec.file}.swcap")

    def _add_driver(self, drive: Drive) -> None:
        assert drive.mate is not None  # noqa: S101 - then there is no such step
        self._driver = mating.add_mate(self.document, self.components, drive.mate)
        self.document.EditRebuild3()

    def _drive(self, drive: Drive, value: float) -> None:
        before = mating.poses(self.components)
        mate, kind = (self._driver, drive.mate.kind) if drive.mate else (self.mates[-1], self.spec.mates[-1].kind)
        mating.set_value(self.document, mate, KINDS[kind].interface, drive.property, value)
        after = mating.poses(self.components)
        self.motions.append(Motion(self.spec.id, named(drive, value), "drive", before, after))

    def _nudge(self, nudge: Nudge) -> None:
        before = mating.poses(self.components)
        commanded = {}
        for name in filter(None, (nudge.component, nudge.control)):
            commanded[name] = mating.moved(before[name], nudge.pose)
            mating.put_transform(self.bench.application, self.components[name], commanded[name])
        self.document.EditRebuild3()
        after = mating.poses(self.components)
        what = f"{nudge.component} was moved by hand"
        self.motions.append(
            Motion(self.spec.id, what, "nudge", before, after, nudge.component, commanded, nudge.control)
        )

    def _close(self) -> None:
        self.components, self.mates, self.document, self._driver = {}, [], None, None
        if not self.spec.is_kept:
            self.bench.close_last(self._opened)


def named(drive: Drive, value: float) -> str:
    """A value of a drive with its unit."""
    if drive.property == "Angle":
        return f"the angle to {degrees(value):g}°"
    return f"the distance to {1000 * value:g} mm"
