"""The steps of one assembly: it is created, mated, captured, moved and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import degrees
from typing import Any, NamedTuple

from swgrm.capture import Capture, save
from swgrm.errors import SolidWorksError
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.walk import root_component
from swgrm_addin.selftest import mating
from swgrm_addin.selftest.assembly_features import FEATURES, add_configuration
from swgrm_addin.selftest.bench import Bench
from swgrm_addin.selftest.documents import ASSEMBLY, set_mass, set_unit
from swgrm_addin.selftest.driving import Driver, moved_by, pair_of
from swgrm_addin.selftest.faces import in_assembly
from swgrm_addin.selftest.own_folder import with_own_paths
from swgrm_addin.selftest.probing import PROBES
from swgrm_addin.selftest.results import CAPTURES, Motion, ProbeResult, ReadBackValues, Records
from swgrm_addin.selftest.specs import AssemblyFeature, AssemblySpec, ComponentSpec, Drive, MateRecipe, MotionTrial


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
        self._driver: Driver | None = None

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
        for trial in self.spec.trials:
            moved = pair_of(trial.mate, trial.property).moved
            yield self._step(f"try to move {moved}", partial(self._try, trial), "mates")

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
        path = self.bench.opened(component.file)
        return mating.add_component(self.bench.application, document, path, component)

    def _mate(self, spec: MateRecipe) -> None:
        mate = mating.add_mate(self.document, self.components, spec)
        self.mates.append(mate)
        read = mating.values_read(self.document, mate, spec)
        if read:
            written = {name: value for name, value in spec.values if name in read}
            self.records.values.append(ReadBackValues(self.spec.id, spec.kind, written, read))

    def _virtual(self) -> None:
        assert self.spec.virtual_on is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        mating.add_virtual_part(self.document, in_assembly(self.document, self.components, self.spec.virtual_on))

    def _state(self, component: ComponentSpec) -> None:
        if component.state == "lightweight":
            self._lighten(component)
        else:
            mating.set_state(self.document, self.components[component.name], component.state)

    def _lighten(self, component: ComponentSpec) -> None:
        """Make a component lightweight; if it stays resolved because its part is open, reopen the assembly so."""
        try:
            mating.set_state(self.document, self.components[component.name], component.state)
        except SolidWorksError:
            self.components, self.document = {}, None
            self.document = self.bench.reopened_lightweight(self.spec.file, component.file)
            self._opened = self.bench.open_count - 1
            self.components = {each.Name2: each for each in root_component(self.document).GetChildren()}
            if not mating.is_lightweight(self.components[component.name]):
                raise

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
        with self.bench.flag.undone():
            capture = read(self.bench.application, request).value
        self.save(capture)
        if self.spec.selected:
            self.document.ClearSelection2(True)

    def save(self, capture: Capture) -> None:
        """Save a capture, whose paths do not name the folder of the run."""
        folder = self.bench.folder / CAPTURES
        folder.mkdir(exist_ok=True)
        save(with_own_paths(capture), folder / f"{self.spec.file}.swcap")

    def _add_driver(self, drive: Drive) -> None:
        assert drive.mate is not None  # noqa: S101 - the table of steps leaves this one out otherwise
        self._driver = Driver.added(self.document, self.components, drive.mate, drive.property)

    def _drive(self, drive: Drive, value: float) -> None:
        if self._driver is None:  # the last mate of the assembly itself is driven
            recipe = self.spec.mates[-1]
            pair = pair_of(recipe, drive.property)
            self._driver = Driver(self.document, self.components, self.mates[-1], recipe, pair)
        driver, before = self._driver, mating.poses(self.components)
        change = value - driver.value
        way = driver.drive(value)
        self.records.motions.append(
            Motion(
                self.spec.id, named(drive, value), "drive", before, mating.poses(self.components),
                driver.pair[:2], drive.property, change, way,
            )
        )  # fmt: skip

    def _try(self, trial: MotionTrial) -> None:
        """Drive a component that may be held, and the control; a mate that adds nothing may be refused."""
        start = mating.poses(self.components)
        control = Driver.added(self.document, self.components, trial.control, trial.property)
        driver: Driver | None = None
        try:
            driver = Driver.added(self.document, self.components, trial.mate, trial.property)
        except mating.MateRefusedError as error:
            if not error.is_over_defined:
                raise
        for each in filter(None, (control, driver)):
            if not each.is_where(start):
                raise SolidWorksError(f"SolidWorks moved {each.pair.moved} when the mate that drives it was added.")
        before = mating.poses(self.components)
        control.drive(control.value + trial.change)
        way = driver.drive(driver.value + trial.change) if driver else ""
        pair = pair_of(trial.mate, trial.property)
        wanted = moved_by(before[pair.moved], trial.pose)
        self.records.motions.append(
            Motion(
                self.spec.id, f"{pair.moved} is driven", "trial", before, mating.poses(self.components),
                pair[:2], trial.property, trial.change, way, wanted, control.pair[:2],
            )
        )  # fmt: skip

    def _close(self) -> None:
        self.components, self.mates, self.document, self._driver = {}, [], None, None
        if not self.spec.is_kept:
            self.bench.close_last(self._opened)


def inner_names(spec: AssemblySpec) -> list[str]:
    """The components of sub-assemblies that the mates of an assembly, and its motions, are about."""
    mates = (*spec.mates, *(drive.mate for drive in spec.drives if drive.mate), *(trial.mate for trial in spec.trials))
    picked = {entity.component for each in mates for picks in each.picked for entity in picks.entities}
    return sorted(name for name in picked if "/" in name)


def named(drive: Drive, value: float) -> str:
    """A value of a drive with its unit."""
    if drive.property == "Angle":
        return f"the angle to {degrees(value):g}°"
    return f"the distance to {1000 * value:g} mm"
