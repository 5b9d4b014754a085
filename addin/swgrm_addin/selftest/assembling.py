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
from swgrm_addin.selftest.assembly_features import FEATURES, add_configuration
from swgrm_addin.selftest.bench import Bench
from swgrm_addin.selftest.documents import ASSEMBLY, set_mass, set_unit
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.own_folder import with_own_paths
from swgrm_addin.selftest.probing import PROBES
from swgrm_addin.selftest.results import CAPTURES, Motion, ProbeResult, Records
from swgrm_addin.selftest.specs import KINDS, AssemblyFeature, AssemblySpec, ComponentSpec, Drive, MateRecipe, Nudge


class Step(NamedTuple):
    """A step: what it belongs to, what it does, and what must have succeeded before."""

    subject: str
    what: str
    action: Callable[[], object]
    needs: str = ""  # "document": the first step; "mates": all steps of the subject so far
    always: bool = False  # it runs also if steps before it failed


class AssemblySteps:
    """The steps of an assembly, which share its document."""

    def __init__(self, bench: Bench, spec: AssemblySpec, records: Records) -> None:
        self.bench, self.spec, self.records = bench, spec, records
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
        for feature in spec.features:
            yield self._step(f"add {FEATURES[type(feature)].title}", partial(self._feature, feature), "document")
        yield from self._options()
        yield self._step("capture it", self._capture, "document")
        for probe in spec.probes:
            yield self._step(f"ask: {PROBES[probe].title}", partial(self._ask, probe), "mates")
        yield from self._motions()
        yield Step(spec.id, "close it", self._close, always=True)

    def _motions(self) -> Iterator[Step]:
        """The steps that move it."""
        for drive in self.spec.drives:
            if drive.mate is not None:
                yield self._step("add the mate that drives it", partial(self._add_driver, drive), "mates")
            for value in drive.values:
                yield self._step(f"set {named(drive, value)}", partial(self._drive, drive, value), "mates")
        for nudge in self.spec.nudges:
            yield self._step(f"move {nudge.component} by hand", partial(self._nudge, nudge), "mates")

    def _options(self) -> Iterator[Step]:
        """The steps that change the whole assembly."""
        if self.spec.has_folder:
            yield self._step("put the mates into a folder", self._folder, "mates")
        if self.spec.loosened is not None:
            yield self._step("add a configuration without one of its mates", self._loosen, "mates")
        if self.spec.mass is not None:
            yield self._step("set its mass", self._set_mass, "document")

    def _step(self, what: str, action: Callable[[], object], needs: str) -> Step:
        return Step(self.spec.id, what, action, needs)

    def _create(self) -> None:
        self._opened = self.bench.open_count
        self.document = self.bench.create(self.spec.file, ASSEMBLY, self._fill)

    def _fill(self, document: Any) -> None:
        set_unit(document, self.spec.unit)
        for component in self.spec.components:
            self.components[component.name] = self._add(document, component)
        for name in inner_names(self.spec):
            self.components[name] = mating.inner_component(self.components, name)

    def _add(self, document: Any, component: ComponentSpec) -> Any:
        path = self.bench.files.get(component.file)
        if path is None:
            raise SolidWorksError(f"{component.file} was not built.")
        return mating.add_component(self.bench.application, document, path, component)

    def _mate(self, spec: MateRecipe) -> None:
        self.mates.append(mating.add_mate(self.document, self.components, spec))

    def _virtual(self) -> None:
        assert self.spec.virtual_on is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        mating.add_virtual_part(self.document, in_assembly(self.document, self.components, self.spec.virtual_on))

    def _state(self, component: ComponentSpec) -> None:
        mating.set_state(self.document, self.components[component.name], component.state)

    def _folder(self) -> None:
        mating.add_folder(self.document, self.mates)

    def _feature(self, feature: AssemblyFeature) -> None:
        FEATURES[type(feature)].add(self.document, self.components, feature)

    def _loosen(self) -> None:
        assert self.spec.loosened is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        add_configuration(self.document, self.mates[self.spec.loosened])

    def _set_mass(self) -> None:
        assert self.spec.mass is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        set_mass(self.document, self.spec.mass)

    def _ask(self, probe: str) -> None:
        title, ask = PROBES[probe]
        answers = ask(self.document, self.components)
        self.records.probes.append(ProbeResult(f"{self.spec.id}/{probe}", title, self.spec.settles, answers))

    def _capture(self) -> None:
        self.document.EditRebuild3()
        if self.spec.selected:
            self.components[self.spec.selected].Select4(False, None, False)
        request = Request(self.bench.files[self.spec.file], out_of_process=self.bench.out_of_process)
        self.save(read(self.bench.application, request).value)
        if self.spec.selected:
            self.document.ClearSelection2(True)

    def save(self, capture: Capture) -> None:
        """Save a capture, whose paths do not name the folder of the run."""
        folder = self.bench.folder / CAPTURES
        folder.mkdir(exist_ok=True)
        save(with_own_paths(capture), folder / f"{self.spec.file}.swcap")

    def _add_driver(self, drive: Drive) -> None:
        assert drive.mate is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        self._driver = mating.add_mate(self.document, self.components, drive.mate)
        self.document.EditRebuild3()

    def _drive(self, drive: Drive, value: float) -> None:
        before = mating.poses(self.components)
        mate, kind = (self._driver, drive.mate.kind) if drive.mate else (self.mates[-1], self.spec.mates[-1].kind)
        mating.set_value(self.document, mate, KINDS[kind].interface, drive.property, value)
        after = mating.poses(self.components)
        self.records.motions.append(Motion(self.spec.id, named(drive, value), "drive", before, after))

    def _nudge(self, nudge: Nudge) -> None:
        before = mating.poses(self.components)
        commanded = {}
        for name in filter(None, (nudge.component, nudge.control)):
            commanded[name] = mating.moved(before[name], nudge.pose)
            mating.put_transform(self.bench.application, self.components[name], commanded[name])
        self.document.EditRebuild3()
        after = mating.poses(self.components)
        what = f"{nudge.component} was moved by hand"
        self.records.motions.append(
            Motion(self.spec.id, what, "nudge", before, after, nudge.component, commanded, nudge.control)
        )

    def _close(self) -> None:
        self.components, self.mates, self.document, self._driver = {}, [], None, None
        if not self.spec.is_kept:
            self.bench.close_last(self._opened)


def inner_names(spec: AssemblySpec) -> list[str]:
    """The components of sub-assemblies that the mates of an assembly, and its motions, are about."""
    mates = (*spec.mates, *(drive.mate for drive in spec.drives if drive.mate))
    picked = {entity.component for each in mates for picks in each.picked for entity in picks.entities}
    return sorted(name for name in picked if "/" in name)


def named(drive: Drive, value: float) -> str:
    """A value of a drive with its unit."""
    if drive.property == "Angle":
        return f"the angle to {degrees(value):g}°"
    return f"the distance to {1000 * value:g} mm"
