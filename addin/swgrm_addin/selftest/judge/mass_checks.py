"""Mass properties against closed forms: of the exported robot, and of each way in which SolidWorks returns them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from swgrm.capture import Capture, MassProperties
from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Inertial
from swgrm.transforms import Array, column_matrix
from swgrm_addin.selftest.assemblies.masses import MASSES
from swgrm_addin.selftest.judge.checks import Check, Hypothesis, Verdict, judged, part_of
from swgrm_addin.selftest.judge.closed_forms import MassTruth, mass_truth
from swgrm_addin.selftest.judge.evidence import Evidence, understood
from swgrm_addin.selftest.parts import DENSITY, PARTS

SAME = 1e-6  # relative
PART = "C1.part"


def mass_checks(evidence: Evidence) -> Iterator[Check]:
    """The checks of all captures for mass properties that there are."""
    for name in (PART, *(spec.id for spec in MASSES)):
        capture = evidence.capture(name.replace(".", "_"))
        if capture is not None:
            yield from _exported(name, capture)
            yield from _returned(name, capture)
    yield from _set_on_an_assembly(evidence)


def _exported(name: str, capture: Capture) -> Iterator[Check]:
    """Mass, centre and tensor of each part, as the exported robot has them."""
    for frame, link in understood(capture, {}).robot.links():
        part = frame.id.rpartition("/")[2].rpartition("-")[0] or frame.id
        if part in PARTS and link.inertial is not None:
            yield _mass(name, part, link.inertial)


def _mass(name: str, part: str, found: Inertial) -> Check:
    truth = mass_truth(part)
    mass = abs(found.mass / truth.mass - 1)
    centre = float(np.abs(np.subtract(found.origin, truth.centre)).max())
    tensor = _relative(tensor_matrix(found), truth.tensor)
    hypotheses, verdict = judged(
        f"mass {truth.mass:.9g} kg, centre and inertia as in closed form", max(mass, centre, tensor) < SAME
    )
    seen = f"mass {found.mass:.9g} kg; differences: mass {mass:.1e}, centre {centre:.1e} m, tensor {tensor:.1e}"
    return Check(f"{name}/mass of {part}", "mass properties of a part", "F9, U6", hypotheses, seen, verdict)


def _relative(found: Array, truth: Array) -> float:
    return float(np.abs(found - truth).max() / np.abs(truth).max())


def _returned(name: str, capture: Capture) -> Iterator[Check]:
    """What SolidWorks' two interfaces return of each part, by what their numbers may mean."""
    poses = {each.name: column_matrix(each.transform) for each in capture.components if each.transform}
    for shape in capture.shapes:
        part = part_of(shape)
        if part not in PARTS:
            continue
        ways = (
            ("IMassProperty2", shape.mass, poses.get(shape.through, np.eye(4))),
            ("IMassProperty", shape.legacy_mass, np.eye(4)),
        )
        for interface, mass, T in ways:
            if mass is not None and None not in (mass.principal_moments, mass.principal_axes, mass.moments):
                yield _meaning(f"{name}/{interface} of {shape.variant or part}", mass, mass_truth(part), T[:3, :3])


def _meaning(check: str, mass: MassProperties, truth: MassTruth, R: Array) -> Check:
    scales = {"the moments are those of the mass": 1.0}
    if mass.mass_overridden:
        scales["the moments are those of the mass before it was set"] = DENSITY * truth.volume / truth.mass
    principal, returned = mass.principal_moments or (), mass.moments or ()
    share = sum(principal) / float(np.trace(truth.tensor))
    scaled = tuple(Hypothesis(text, abs(share / scale - 1) < SAME) for text, scale in scales.items())
    tensor = share * R @ truth.tensor @ R.T
    axes = np.array(mass.principal_axes).reshape(3, 3)
    moments = np.diag(np.array(principal))
    nine = np.array(returned).reshape(3, 3)
    negated = 2 * np.diag(np.diag(nine)) - nine
    hypotheses = tuple(
        Hypothesis(text, _relative(found, tensor) < SAME)
        for text, found in {
            "the principal axes are rows": axes.T @ moments @ axes,
            "the principal axes are columns": axes @ moments @ axes.T,
            "the nine moments are the elements of the tensor": nine,
            "the nine moments are the products of inertia": negated,
        }.items()
    )
    hand = "right-handed" if np.linalg.det(axes) > 0 else "left-handed"
    seen = f"principal moments {_listed(principal)}, {hand} axes; nine moments {_listed(returned)}"
    fits = [each.fits for each in hypotheses]
    is_known = any(fits[:2]) and any(fits[2:]) and any(each.fits for each in scaled)
    verdict = Verdict.CONFIRMED if is_known else Verdict.REFUTED
    return Check(check, "what mass properties mean", "F9, U6", (*scaled, *hypotheses), seen, verdict)


def _listed(values: tuple[float, ...]) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in values) + ")"


def _set_on_an_assembly(evidence: Evidence) -> Iterator[Check]:
    """The mass that was set on a sub-assembly is that of the robot's links in it."""
    wanted = next(spec.mass for spec in MASSES if spec.mass is not None)
    capture = evidence.capture("C1_sub-override")
    if capture is None:
        return
    found = sum(
        link.inertial.mass
        for frame, link in understood(capture, {}).robot.links()
        if link.inertial is not None and frame.id.startswith("C1_sub-1")
    )
    hypotheses, verdict = judged(f"its links have {wanted:g} kg together", abs(found / wanted - 1) < SAME)
    title = "the mass of a sub-assembly that the user set"
    yield Check("C1.sub-override/mass", title, "F9, U6", hypotheses, f"{found:.9g} kg", verdict)
