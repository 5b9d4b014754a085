"""The 3D page in a real browser, opened from disk: joints move as the model demands, loops stay closed."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page
from tests.lookups import present

from swgrm import Frame, Robot
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.model import Box, Joint, JointType, Link
from swgrm_addin.pipeline import Export
from swgrm_exporters.format import Target
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.writer import write
from swgrm_mocks.samples import SAMPLES
from swgrm_mocks.synthetic.generator import MixedChainGenerator

Exported = Callable[[str], tuple[Path, Export]]
Opened = Callable[..., Page]

MOVE = """([name, value]) => {
  const { kinematics } = swgrm;
  const done = swgrm.move(kinematics.joints.get(name), value);
  return {
    done,
    opening: kinematics.loops.opening(),
    positions: Object.fromEntries([...kinematics.joints.values()].filter((j) => !j.leaders).map((j) => [j.name, j.q])),
    poses: Object.fromEntries(kinematics.frames.map((f) => [f.id, kinematics.poses[f.index]])),
  };
}"""
SEEN_BODY = """() => {
  const { view, kinematics } = swgrm, { canvas, camera } = view;
  for (const { frame, mesh, local } of view.bodies) {
    const middle = [0, 1, 2].map((k) => mesh.low[k] + mesh.size[k] / 2);
    const pose = [kinematics.poses[frame], local].reduce((a, b) => a.map((_, i) => [0, 1, 2, 3].reduce(
      (sum, k) => sum + a[4 * k + (i % 4)] * b[4 * (i >> 2) + k], 0)));
    const apply = (m, v) => [0, 1, 2, 3].map((r) => v.reduce((sum, x, k) => sum + m[4 * k + r] * x, 0));
    const [x, y, , w] = [pose, camera.view, camera.projection].reduce((v, m) => apply(m, v), [...middle, 1]);
    const pixel = [((x / w + 1) / 2) * canvas.clientWidth, ((1 - y / w) / 2) * canvas.clientHeight].map(Math.round);
    const seen = view.pick(...pixel);
    for (let i = seen ?? -1; i >= 0; i = kinematics.frames[i].parent)
      if (kinematics.frames[i].joint) return [...pixel, kinematics.frames[i].joint.name];
  }
  return null;
}"""
JOINTS = """() => [...swgrm.kinematics.joints.values()].map((j) => ({
  name: j.name, type: j.type, range: j.type === "ball" ? null : swgrm.kinematics.range(j),
  loop: swgrm.kinematics.loops.contains(j),
}))"""


def targets(joint: dict[str, Any], rng: Random) -> list[Any]:
    """Positions to move a joint to: within its range; smaller steps in loops, which may stop it."""
    if joint["type"] == "ball":
        turn = [rng.uniform(-1, 1) for _ in range(4)]
        return [] if joint["loop"] else [[value / sum(each * each for each in turn) ** 0.5 for value in turn]]
    low, high = joint["range"]
    share = 0.15 if joint["loop"] else 1.0
    return [share * rng.uniform(low, high) for _ in range(3)]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_joint_moves_as_the_model_does(sample: str, exported: Exported, opened: Opened) -> None:
    path, done = exported(sample)
    page, kinematics, rng = opened(path), Kinematics(done.robot), Random(sample)  # noqa: S311 - reproducible
    moves = 0
    for joint in page.evaluate(JOINTS):
        for value in targets(joint, rng):
            seen = page.evaluate(MOVE, [joint["name"], value])
            assert seen["done"] or joint["loop"]
            assert seen["opening"] < 1e-6
            wanted = kinematics.poses(seen["positions"])
            for name, pose in seen["poses"].items():
                assert np.abs(np.reshape(pose, (4, 4)).T - wanted[name]).max() < 1e-9
            moves += 1
    assert moves >= len(page.evaluate(JOINTS)) or sample == "stewart"
    page.click("#zero")
    back = page.evaluate("() => [...swgrm.kinematics.joints.values()].filter((j) => !j.leaders).map((j) => j.q)")
    assert all(q in (0, [0, 0, 0, 1]) for q in back)


def test_a_loop_follows_all_the_way_round(exported: Exported, opened: Opened) -> None:
    page = opened(exported("four_bar")[0])
    before = page.evaluate("() => swgrm.kinematics.joints.get('rocker_joint').q")
    seen = [page.evaluate(MOVE, ["crank_joint", angle]) for angle in np.linspace(-3, 3, 25).tolist()]
    assert all(each["done"] and each["opening"] < 1e-9 for each in seen)
    rocker = [each["positions"]["rocker_joint"] for each in seen]
    assert np.ptp(rocker) > 0.3
    assert max(rocker) > before > min(rocker)


def test_a_loop_that_cannot_follow_stops_the_joint_and_tells_so(exported: Exported, opened: Opened) -> None:
    page = opened(exported("four_bar")[0])
    seen = page.evaluate(MOVE, ["rocker_joint", 3.0])
    assert not seen["done"]
    assert seen["opening"] < 1e-9
    assert 0.05 < seen["positions"]["rocker_joint"] < 3.0
    assert "rocker_joint" in page.inner_text("#status")


def test_the_gripper_is_drawn_and_followers_can_be_dragged(exported: Exported, opened: Opened) -> None:
    page = opened(exported("gripper")[0])
    followers = page.evaluate(
        "() => [...swgrm.kinematics.joints.values()].filter((j) => j.leaders)"
        ".map((j) => [j.name, j.leaders[0][0].name])"
    )
    name, leader = followers[0]
    seen = page.evaluate(MOVE, [name, 0.004])
    assert seen["positions"][leader] != 0
    assert page.evaluate("(name) => swgrm.kinematics.joints.get(name).q", name) == pytest.approx(0.004, abs=1e-12)


def drawn(page: Page) -> float:
    """The share of the canvas's pixels that differ from the most frequent colour."""
    image = page.locator("#view").screenshot()
    pixels = np.asarray(Image.open(BytesIO(image)).convert("RGB")).reshape(-1, 3).astype(int)
    return float((np.abs(pixels - np.median(pixels, axis=0)).max(axis=1) > 30).mean())


@pytest.mark.parametrize("sample", ["arm", "gripper", "stewart"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_robot_is_seen(sample: str, scheme: str, exported: Exported, opened: Opened) -> None:
    page = opened(exported(sample)[0], scheme)
    page.wait_for_function("() => swgrm.view.drawn > 0")
    assert 0.03 < drawn(page) < 0.8


def test_a_click_selects_the_part_and_the_joint_that_moves_it(exported: Exported, opened: Opened) -> None:
    page = opened(exported("arm")[0])
    page.wait_for_function("() => swgrm.view.drawn > 0")
    at = page.evaluate(SEEN_BODY)
    assert at is not None
    page.locator("#view").click(position={"x": at[0], "y": at[1]})
    assert page.evaluate("() => swgrm.selected.name") == at[2]
    assert page.get_attribute(f'[data-joint="{at[2]}"]', "aria-selected") == "true"
    assert at[2] in page.inner_text("#detail")
    page.evaluate("() => swgrm.choose(null)")
    assert "Choose a joint" in page.inner_text("#detail")


def test_lists_show_reasons_findings_and_masses(exported: Exported, opened: Opened) -> None:
    path, done = exported("mobile_base")
    page = opened(path)
    page.click("[data-joint]")
    detail = page.inner_text("#detail")
    assert "Why" in detail
    assert "Mates" in detail
    page.click("[data-tab=findings]")
    assert len(page.query_selector_all(".finding")) == len({(f.code, f.where, f.message) for f in done.findings})
    page.click("[data-tab=masses]")
    assert len(page.query_selector_all("#list .row")) == sum(1 for _ in done.robot.links())
    page.fill("#filter", "no such thing")
    assert "Nothing matches" in page.inner_text("#list")


def test_the_keyboard_reaches_everything(exported: Exported, opened: Opened) -> None:
    page = opened(exported("arm")[0])
    page.focus("[data-joint]")
    page.keyboard.press("ArrowDown")
    names = page.evaluate("() => [...swgrm.kinematics.joints.keys()]")
    assert page.evaluate("() => swgrm.selected.name") == names[1]
    page.focus(f'[data-joint="{names[1]}"] input')
    page.keyboard.press("ArrowRight")
    assert page.evaluate("(name) => swgrm.kinematics.joints.get(name).q", names[1]) != 0
    page.focus("#view")
    before = page.evaluate("() => swgrm.view.eye.azimuth")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("() => swgrm.view.eye.azimuth") != before
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('button, input, canvas')].filter((e) => !(e.ariaLabel || e.textContent"
        " || e.labels?.length)).length"
    )
    assert unnamed == 0


def test_a_page_without_webgl_still_lists_and_moves(exported: Exported, browser: Any) -> None:
    path, _ = exported("arm")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]")
    assert "no 3D" in page.inner_text("#status")
    name = page.get_attribute("[data-joint]", "data-joint")
    assert page.evaluate(MOVE, [name, 0.5])["positions"][name] == 0.5
    context.close()


def test_a_narrow_screen_shows_everything_below_each_other(exported: Exported, opened: Opened) -> None:
    page = opened(exported("arm")[0], width=420, height=800)
    boxes = [page.locator(each).bounding_box() for each in ("header", "main", "nav", "aside")]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 420


HOSTILE = "gate <b>x</b><img src=x onerror=\"document.body.dataset.broken=1\"></script>\u202e 🤖 'quoted'"


def test_hostile_names_are_shown_as_text(tmp_path: Path, opened: Opened) -> None:
    robot = Robot(
        name=HOSTILE,
        frames=(
            Frame(id=HOSTILE, links=(Link(name=HOSTILE, visuals=(Box(size=(0.1, 0.1, 0.1)),)),)),
            Frame(id="b", parent=HOSTILE, joint=Joint(type=JointType.REVOLUTE, name=HOSTILE)),
        ),
    )
    (path,) = write(robot, Target(tmp_path, "hostile"), HtmlOptions(), Findings(format="html"))
    page = opened(path)
    page.click("[data-joint]")
    assert page.evaluate("() => document.querySelector('#name').textContent") == HOSTILE
    assert page.evaluate("() => document.querySelectorAll('nav b, aside img').length") == 1
    assert page.get_attribute("body", "data-broken") is None


def test_links_of_a_generated_robot_stay_connected_at_slides(tmp_path: Path, opened: Opened) -> None:
    generator = MixedChainGenerator(dof=4, prismatic_prob=1.0, seed=3)
    page = opened(present(generator.visualize(tmp_path / "robot.html", show=False)))
    count = "() => swgrm.view.rails().length"
    assert page.evaluate(count) == 0
    for name in page.evaluate("() => [...swgrm.kinematics.joints.keys()]"):
        page.evaluate("(name) => swgrm.move(swgrm.kinematics.joints.get(name), 0.1)", name)
    ends = page.evaluate("() => swgrm.view.rails().map(({ matrix }) => Math.hypot(...matrix.slice(8, 11)))")
    assert ends == pytest.approx([0.1] * 4)


def test_ball_joints_turn_by_three_sliders(tmp_path: Path, opened: Opened) -> None:
    joint = Joint(type=JointType.BALL, name="wrist")
    robot = Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=joint)))
    (path,) = write(robot, Target(tmp_path, "r"), HtmlOptions(), Findings(format="html"))
    page = opened(path)
    sliders = page.query_selector_all("[data-joint=wrist] input")
    assert len(sliders) == 3
    sliders[1].evaluate("(e) => { e.value = 0.5; e.dispatchEvent(new Event('input')); }")
    assert page.evaluate("() => swgrm.kinematics.joints.get('wrist').q") == pytest.approx(
        [0, np.sin(0.25), 0, np.cos(0.25)], abs=1e-9
    )


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_file_is_small(sample: str, exported: Exported) -> None:
    assert exported(sample)[0].stat().st_size < 250_000
