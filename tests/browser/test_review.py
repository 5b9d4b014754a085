"""The review page in a real browser: correct, undo, refuse, export, reload, two pages, and the end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page
from tests.lookups import joint_of, limits_of

from swgrm import Robot
from swgrm_addin.review.server import ReviewServer
from swgrm_addin.review.session import ReviewSession
from swgrm_exporters.formats import read

TEXT = """# my arm
joints:
    forearm_joint:   # hits the cable
        upper: 45 deg   # measured

# the end
"""
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
Served = Callable[..., tuple[Page, ReviewServer, Path]]


@pytest.fixture(name="served")
def _served(browser: Browser, tmp_path: Path) -> Iterator[Served]:
    """Starts a review and opens its page; everything ends with the test."""
    running: list[tuple[ReviewServer, threading.Thread]] = []
    contexts = []

    def served(
        sample: str = "arm", text: str | None = TEXT, idle: float = 60, script: str = "", out: Path = tmp_path / "out"
    ) -> tuple[Page, ReviewServer, Path]:
        file = tmp_path / f"{sample}.grm.yaml"
        if text is not None:
            file.write_text(text)
        server = ReviewServer(ReviewSession(f"mock:{sample}", file, out), idle)
        thread = threading.Thread(target=server.run)
        thread.start()
        running.append((server, thread))
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        page.goto(server.address)
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        return page, server, file

    yield served
    for context in contexts:
        context.close()
    for server, thread in running:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


def told(page: Page, text: str) -> str:
    """Waits until the status line contains the text, and returns all of it.

    The line is emptied, so that the next call waits for the answer to the next change, not for that to an earlier one.
    """
    has_text = "(text) => document.querySelector('#status').textContent.includes(text)"
    page.wait_for_function(has_text, arg=text, timeout=120_000)  # [ms]: an export on a busy machine
    shown = str(page.inner_text("#status"))
    page.evaluate("() => { document.querySelector('#status').textContent = ''; }")
    return shown


def upper_limit(page: Page) -> float:
    """The upper limit of the forearm's joint, as the page knows it [rad]."""
    return float(page.evaluate("() => swgrm.kinematics.joints.get('forearm_joint').upper"))


def entered(page: Page, field: str, value: str) -> None:
    page.fill(f"#field-{field}", value)
    page.press(f"#field-{field}", "Tab")


def test_correct_undo_refuse_flip_and_export(served: Served) -> None:
    page, server, file = served()
    assert "#" not in page.url
    page.click("[data-joint=forearm_joint]")
    entered(page, "upper", "30 deg")
    told(page, "Written to arm.grm.yaml")
    assert file.read_text() == TEXT.replace("45 deg", "30 deg")
    assert page.evaluate("() => swgrm.kinematics.joints.get('forearm_joint').upper") == pytest.approx(
        0.5235987755982988
    )
    entered(page, "upper", "-999 deg")
    assert "above its upper limit" in told(page, "cannot have")
    assert page.input_value("#field-upper") == "30 deg"
    page.click("#undo")
    told(page, "Undone")
    assert file.read_text() == TEXT
    page.click("#redo")
    told(page, "Redone")
    before = page.evaluate("() => swgrm.kinematics.joints.get('forearm_joint').lower")
    page.click("#flip")
    told(page, "reversed")
    assert upper_limit(page) == pytest.approx(-before)
    page.click("#export")
    told(page, "Exported")
    robot = read(Path(server.session.export_folder or "") / "arm.urdf")
    assert limits_of(joint_of(robot, "forearm_joint"))[0] == pytest.approx(-0.5235987755982988)


def test_numbers_without_a_unit_are_in_the_units_that_the_page_shows(served: Served) -> None:
    page, _, file = served(text=None)
    page.click("[data-joint=forearm_joint]")
    entered(page, "lower", "-90")
    told(page, "Written to arm.grm.yaml")
    entered(page, "velocity", "180")
    told(page, "Written to arm.grm.yaml")
    assert "lower: -90 deg" in file.read_text()
    assert "velocity: 180 deg/s" in file.read_text()
    lower, velocity = page.evaluate(
        "() => ['lower', 'velocity'].map((key) => swgrm.kinematics.joints.get('forearm_joint')[key])"
    )
    assert (lower, velocity) == (pytest.approx(-1.5707963267948966), pytest.approx(3.141592653589793))
    assert "velocity180 deg/s" in page.inner_text("#detail").replace("\n", "")


def test_every_decision_can_be_taken_back_the_next_day(served: Served) -> None:
    """A joint that was set to fixed is in no list of joints; the list of decisions has it."""
    text = "robot: {name: arm7}\njoints: {wrist_1_joint: {type: fixed}}\nlinks: {rename: {flange: tip}}\n"
    text += "poses: {home: {forearm_joint: 10 deg}}\n"
    page, _, file = served(text=text)
    assert page.locator("[data-joint=wrist_1_joint]").count() == 0
    for decision in (
        "Joints, wrist_1_joint: type fixed",
        "Robot, name: arm7",
        "Names of links, flange: tip",
        "poses, home",
    ):
        page.click(f'[aria-label^="take back: {decision}"]')
        told(page, "Written")
    assert page.locator("[data-joint=wrist_1_joint]").count() == 1
    assert page.locator("#decisions").count() == 0
    assert "fixed" not in file.read_text()


def test_picture_of_a_correction(served: Served) -> None:
    page, _, _ = served()
    page.click("[data-joint=forearm_joint]")
    entered(page, "upper", "30 deg")
    told(page, "Written")
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    assert np.asarray(image).std() > 10
    if os.environ.get("SWGRM_PICTURES"):
        image.quantize(256).save(PICTURES / "review-arm.png", optimize=True)


def test_the_position_becomes_a_limit_or_the_zero(served: Served) -> None:
    page, _, file = served(text=None)
    page.click("[data-joint=forearm_joint]")
    page.evaluate("() => swgrm.move(swgrm.selected, 0.25)")
    page.click("text=upper here")
    told(page, "Written")
    assert "upper: 14.3239449 deg" in file.read_text()
    assert "between: [upper_arm-1, forearm-1]" in file.read_text()
    assert page.evaluate("() => swgrm.selected.q") == 0.25  # the robot stays where it was moved to
    page.check("#reviewed")
    told(page, "Written")
    page.wait_for_selector("[data-joint=forearm_joint] .reviewed")
    assert "reviewed: true" in file.read_text()


def test_several_joints_are_decided_at_once(served: Served) -> None:
    page, server, file = served(text=None)
    page.click("[data-joint=forearm_joint]")
    page.click("[data-joint=wrist_1_joint]", modifiers=["Control"])
    assert "2 joints" in page.inner_text("#detail")
    entered(page, "effort", "40 Nm")
    told(page, "Written")
    assert file.read_text().count("effort: 40 Nm") == 2
    assert server.session.model["review"]["undo"] == 1


def test_components_and_mates(served: Served) -> None:
    page, server, file = served(text=None)
    page.click("[data-joint=forearm_joint]")
    page.locator("aside li", has_text="LimitPlanarAngle").get_by_role("button", name="ignore").click()
    told(page, "Written")
    assert "ignore:" in file.read_text()
    page.evaluate("() => swgrm.choose(swgrm.kinematics.frames.findIndex((f) => f.path === 'wrist_1-1'))")
    page.click("text=add to group")
    page.evaluate("() => swgrm.choose(swgrm.kinematics.frames.findIndex((f) => f.path === 'wrist_2-1'))")
    page.click("text=add to group")
    page.click("#join")
    told(page, "Written")
    assert "wrist_2_joint" not in server.session.understanding.robot.joints
    page.evaluate("() => swgrm.select(null)")
    page.locator("aside li", has_text="wrist_1-1 + wrist_2-1").get_by_role("button").click()
    told(page, "Written")
    page.wait_for_selector("[data-joint=wrist_2_joint]")
    page.evaluate("() => swgrm.choose(swgrm.kinematics.frames.findIndex((f) => f.path === 'flange-1'))")
    page.click("text=make it the base")
    told(page, "Written")
    assert server.session.model["review"]["root"] == "flange-1"


def test_settings_that_would_be_orphaned_are_asked_for(served: Served) -> None:
    page, _, file = served()
    asked: list[str] = []
    answers = [False, True]

    def answer(dialog: object) -> None:
        asked.append(dialog.message)  # type: ignore[attr-defined]
        (dialog.accept if answers.pop(0) else dialog.dismiss)()  # type: ignore[attr-defined]

    page.on("dialog", answer)
    join = "() => swgrm.change([{ path: ['links', 'join'], value: [['upper_arm-1', 'forearm-1']] }])"
    page.evaluate(join)
    assert file.read_text() == TEXT
    page.evaluate(join)
    assert "forearm_joint:" not in file.read_text()
    assert len(asked) == 2
    assert "forearm_joint" in asked[0]
    page.keyboard.press("Control+z")
    told(page, "Undone")
    assert file.read_text() == TEXT


def test_another_program_edits_the_file(served: Served) -> None:
    page, _, file = served()
    file.write_text(TEXT.replace("45 deg", "20 deg"))
    told(page, "another program")
    assert page.evaluate("() => swgrm.kinematics.joints.get('forearm_joint').upper") == pytest.approx(
        0.3490658503988659
    )
    file.write_text("joints: [")
    page.wait_for_selector("#status.problem")


def test_reload_works_and_a_second_page_cannot_sign_in(served: Served, browser: Browser) -> None:
    page, server, _ = served()
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=60_000)
    other = browser.new_context().new_page()
    other.goto(f"http://127.0.0.1:{server.port}/#stolen")
    other.wait_for_selector("#status.problem")
    assert "used already" in other.inner_text("#status")
    other.goto(f"http://localhost:{server.port}/")
    other.wait_for_selector("#status.problem")
    assert "not signed in" in other.inner_text("#status")
    other.context.close()
    both = page.context.new_page()  # another tab has another session storage, too
    both.goto(f"http://127.0.0.1:{server.port}/")
    both.wait_for_selector("#status.problem")


def test_the_page_tells_when_the_server_has_ended(served: Served) -> None:
    page, server, _ = served()
    server.stop()
    told(page, "has ended")


def test_a_closed_page_ends_the_server(served: Served) -> None:
    page, server, _ = served(idle=6.0)
    page.close()
    threads = [thread for thread in threading.enumerate() if getattr(thread, "_target", None) == server.run]
    threads[0].join(30)
    assert not threads[0].is_alive()


SHOW = "(path) => swgrm.choose(swgrm.kinematics.frames.findIndex((f) => f.path === path))"


def test_everything_else_that_settings_decide_is_decided_by_hand(served: Served) -> None:
    page, server, file = served(text=None)
    page.on("dialog", lambda dialog: dialog.accept())  # the settings of a joint that goes with its fastener

    def robot() -> Robot:
        return server.session.understanding.robot

    def done() -> None:
        told(page, "Written")
        page.evaluate("() => swgrm.tell('')")

    entered(page, "robot-name", "my arm")
    done()
    assert robot().name == "my arm"
    page.click("[data-joint=flange_joint]")
    page.select_option("#field-type", "fixed")
    done()
    assert "flange_joint" not in page.evaluate("() => [...swgrm.kinematics.joints.keys()]")
    page.click("#undo")
    told(page, "Undone")
    page.keyboard.press("Control+y")
    told(page, "Redone")
    page.click("#undo")
    told(page, "Undone")
    page.click("[data-joint=flange_joint]")
    for field, value in {"name": "spin", "velocity": "30 rpm", "damping": "0.5 Nms", "friction": "1 Nm"}.items():
        entered(page, field, value)
        done()
    joint = joint_of(robot(), "spin")
    assert joint.limits.velocity == pytest.approx(3.141592653589793)
    assert joint.dynamics is not None
    assert (joint.dynamics.damping, joint.dynamics.friction) == (0.5, 1.0)
    page.evaluate(SHOW, "flange-1")
    page.fill("#link-name", "tip")
    page.press("#link-name", "Tab")
    done()
    assert "tip" in [link.name for _, link in robot().links()]
    page.evaluate("() => swgrm.choose(swgrm.kinematics.frames.findIndex((f) => f.kind === 'coordinateSystem'))")
    page.fill("[aria-label='Name of the sensor']", "eye")
    page.select_option("[aria-label='Type of the sensor']", "camera")
    page.click("text=add a sensor")
    done()
    assert [sensor.name for frame in robot().frames for sensor in frame.sensors].count("eye") == 1
    page.evaluate(SHOW, "wrist_2-1")
    page.get_by_role("button", name="a fastener", exact=True).click()
    done()
    assert "wrist_2-1" in server.session.model["review"]["fasteners"]
    page.evaluate(SHOW, "wrist_1-1")
    page.click("text=leave out")
    done()
    page.evaluate("() => swgrm.choose(null)")
    for what in ("Left out, wrist_1-1", "Fasteners, wrist_2-1: a fastener", "Sensors, eye"):
        page.click(f'[aria-label^="take back: {what}"]')
        done()
    assert "eye" not in file.read_text()
    for key, value in {"name": "lid", "parent": "base-1", "child": "flange-1"}.items():
        page.fill(f"#add-joint [aria-label={key}]", value)
    page.fill("#add-joint [aria-label='axis or coordinate system']", "tool0")
    page.click("#add-joint button")
    done()
    assert "lid" in robot().joints


def test_joints_to_check_are_a_list_that_gets_shorter(served: Served) -> None:
    page, _, _ = served("traps", text=None)
    page.check("#check")
    names = page.eval_on_selector_all("[data-joint]", "(rows) => rows.map((row) => row.dataset.joint)")
    assert page.inner_text("#tocheck") == f"to check ({len(names)})"
    page.locator("[data-joint]").first.click()
    page.check("#reviewed")
    told(page, "Written")
    page.wait_for_function("(n) => document.querySelectorAll('[data-joint]').length === n", arg=len(names) - 1)
    assert names[0] not in page.inner_text("#list")


def test_a_mate_shows_its_parts(served: Served) -> None:
    page, _, _ = served(text=None)
    page.click("[data-joint=forearm_joint]")
    page.locator("aside li button.plain").first.click()
    lit = "() => [...swgrm.view.lit].map((i) => swgrm.kinematics.frames[i].path)"
    assert set(page.evaluate(lit)) >= {"upper_arm-1", "forearm-1"}
    page.click("[data-joint=wrist_1_joint]")
    assert page.evaluate(lit) == []


def test_two_tabs_show_the_same_robot(served: Served) -> None:
    page, _, _ = served()
    with page.expect_popup() as opening:
        page.evaluate("() => void window.open(location.href)")
    other = opening.value
    other.wait_for_selector("body[data-ready]", timeout=60_000)
    page.click("[data-joint=forearm_joint]")
    entered(page, "upper", "30 deg")
    told(page, "Written")
    told(other, "Changed on another page")
    assert upper_limit(other) == pytest.approx(0.5235987755982988)
    other.evaluate("() => document.querySelector('#undo').click()")
    told(other, "Undone")
    told(page, "Changed on another page")
    assert upper_limit(page) == pytest.approx(0.7853981633974483)
    page.click("#export")
    told(other, "Exported")
    page.wait_for_selector("#export:enabled")
    page.evaluate("() => swgrm.hear({ progress: 'writing', share: 1 })")  # a late event, which the last one follows
    page.evaluate("() => swgrm.hear({ exported: { files: 7, folder: 'out' } })")
    told(page, "Exported 7 files to out.")


def test_hostile_names_are_text_in_a_review_too(served: Served) -> None:
    name = "x</script><img src=y onerror=document.body.dataset.broken=1>"
    page, _, _ = served(text=f'joints:\n  forearm_joint: {{name: "{name}"}}\n')
    page.evaluate("(name) => swgrm.select(swgrm.kinematics.joints.get(name))", name)
    assert name in page.inner_text("#detail")
    assert page.evaluate("() => document.querySelectorAll('nav img, aside img').length") == 0
    assert page.get_attribute("body", "data-broken") is None


def test_a_review_without_webgl_works(served: Served) -> None:
    page, _, file = served(text=None, script="HTMLCanvasElement.prototype.getContext = () => null")
    assert "no 3D" in page.inner_text("#status")
    page.click("[data-joint=forearm_joint]")
    entered(page, "upper", "30 deg")
    told(page, "Written")
    assert "upper: 30 deg" in file.read_text()


def test_pictures_of_a_correction_from_the_doubt_to_the_export(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of the documentation: a latch that slides and turns is corrected, checked and exported."""
    monkeypatch.chdir(tmp_path)  # the page shows the folder as it was given: `-o exported`
    page, server, file = served("traps", text=None, out=Path("exported"))
    names = iter(("1-seen", "2-corrected", "3-checked", "4-exported"))

    def picture() -> None:
        image = Image.open(BytesIO(page.screenshot())).convert("RGB")
        assert np.asarray(image).std() > 10
        if os.environ.get("SWGRM_PICTURES"):
            image.quantize(256).save(PICTURES / f"path-{next(names)}.png", optimize=True)

    page.check("#check")
    page.click("[data-joint=latch_joint_1]")
    page.evaluate("() => { swgrm.move(swgrm.selected, 0.03); swgrm.view.zoom(); }")
    picture()
    page.click("#zero")
    page.select_option("#field-type", "fixed")
    told(page, "Written")
    assert "type: fixed" in file.read_text()
    assert "latch_joint_1" not in page.evaluate("() => [...swgrm.kinematics.joints.keys()]")
    picture()
    page.click("[data-joint=latch_joint_2]")
    entered(page, "lower", "0 deg")
    entered(page, "upper", "90 deg")
    page.check("#reviewed")
    page.wait_for_function("() => swgrm.review.settings.joints.latch_joint_2?.reviewed")
    picture()
    page.click("#export")
    assert str(tmp_path) not in told(page, "Exported")
    picture()
    exported = read(next(Path(server.session.export_folder or "").glob("*.urdf")))
    assert limits_of(joint_of(exported, "latch_joint_2")) == pytest.approx((0, 1.5707963267948966))
