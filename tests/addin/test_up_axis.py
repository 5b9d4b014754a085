"""The axis that points up, by the template of the document."""

from itertools import permutations

import numpy as np
import pytest
from msgspec.structs import replace
from tests.addin.test_reader_law import part_capture, read_from

from swgrm.capture import Capture
from swgrm.inference import infer
from swgrm.inference.up_axis import find_up_axis
from swgrm.kinematics.forward import Kinematics
from swgrm.settings import settings_from
from swgrm_mocks.builder import TEMPLATES, Assembly, Part
from swgrm_mocks.mates import ground, line, plane
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MockSolidWorks


def tower(template: str) -> Capture:
    """A wheel that turns about the z axis of the assembly, 1 m along it."""
    assembly = Assembly("tower", template=template)
    wheel = assembly.part(Part("wheel", box(0.1, 0.1, 0.1)))
    assembly.concentric(ground(line((0, 0, 0), (0, 0, 1))), wheel.at(line((0, 0, 0), (0, 0, 1))))
    assembly.coincident(ground(plane((0, 0, 0), (0, 0, 1))), wheel.at(plane((0, 0, 0), (0, 0, 1))))
    return assembly.capture()


def axis_in_base(capture: Capture, **base: str) -> list[float]:
    robot = infer(capture, settings_from({"base": base})).robot
    (frame,) = [frame for frame in robot.frames if frame.joint]
    assert frame.joint is not None
    turned = Kinematics(robot).poses()[frame.id][:3, :3] @ np.array(frame.joint.axis)
    return [round(abs(float(value)), 9) for value in turned]


@pytest.mark.parametrize(("template", "axis"), [("y up", [0, 1, 0]), ("z up", [0, 0, 1])])
def test_what_is_up_in_the_document_is_up_in_the_robot(template: str, axis: list[int]) -> None:
    capture = read_from(MockSolidWorks(tower(template))).value
    assert axis_in_base(capture) == axis
    assert axis_in_base(capture, up="y") == [0, 1, 0]
    assert axis_in_base(capture, up="z") == [0, 0, 1]


def messages(capture: Capture, **base: str) -> list[str]:
    return [
        each.message for each in infer(capture, settings_from({"base": base})).findings if each.code == "convention"
    ]


def test_the_finding_tells_that_the_template_decided() -> None:
    (message,) = messages(tower("z up"))
    assert message.endswith("because its default planes are those of a template with z up.")
    for found in (messages(tower("z up"), up="z"), messages(tower("y up"))):
        assert found[0].endswith("which is taken to point up.")


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_names_order_and_further_planes_do_not_matter(template: str, order: tuple[int, ...]) -> None:
    (document,) = [document for document in tower(template).documents if document.type == 2]
    planes, others = document.geometry[:3], document.geometry[3:]
    geometry = tuple(replace(planes[k], name=f"Ebene{k}") for k in order)
    drawn = replace(planes[0], default=False)
    assert find_up_axis(replace(document, geometry=(*geometry, drawn, drawn, *others))) == template[0]


def test_without_default_planes_y_is_up() -> None:
    (document,) = [document for document in tower("z up").documents if document.type == 2]
    assert find_up_axis(replace(document, geometry=())) == "y"
    assert find_up_axis(None) == "y"


def test_the_default_planes_of_a_part_decide_for_it() -> None:
    part = Part("post", box(0.1, 0.1, 1.0))
    part.geometry = Assembly("post", template="z up").geometry
    (message,) = messages(part_capture(part))
    assert message.endswith("because its default planes are those of a template with z up.")
