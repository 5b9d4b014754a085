"""The pictures in the documentation, taken of the pages of the samples; `make browser PICTURES=1` writes them."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from swgrm_addin.pipeline import Export
from swgrm_addin.selftest.assemblies import ASSEMBLIES

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
POSES = {  # the joint to select, and where joints are moved to [rad or m]
    "arm": ("forearm_joint", {"shoulder_joint": 0.6, "upper_arm_joint": 0.2, "forearm_joint": -0.3}),
    "gripper": ("pinion_joint", {"pinion_joint": 0.6}),
    "four_bar": ("crank_joint", {"crank_joint": 0.6}),
    "stewart": ("rod_2_joint_1", {"rod_2_joint_1": 0.04, "rod_5_joint_1": -0.02}),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sample", POSES)
def test_picture(
    sample: str, scheme: str, exported: Callable[[str], tuple[Path, Export]], opened: Callable[..., Page]
) -> None:
    page = opened(exported(sample)[0], scheme, 1200, 720)
    selected, positions = POSES[sample]
    for name, value in positions.items():
        assert page.evaluate("([n, v]) => swgrm.move(swgrm.kinematics.joints.get(n), v)", [name, value])
    before = page.evaluate(
        """(name) => {
          const { drawn } = swgrm.view;
          swgrm.select(swgrm.kinematics.joints.get(name));
          swgrm.view.fit();
          return drawn;
        }""",
        selected,
    )
    page.wait_for_function("(before) => swgrm.view.drawn > before", arg=before)
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    assert (np.asarray(image).mean() < 100) == (scheme == "dark")
    if os.environ.get("SWGRM_PICTURES"):
        image.quantize(256).save(FOLDER / f"viewer-{sample}-{scheme}.png", optimize=True)


def test_picture_of_the_selftest(browser: Browser, tmp_path: Path) -> None:
    """The report of a self-test in the mock SolidWorks: real output, of the assemblies of gears and screws."""
    from swgrm_addin.selftest.command import run_selftest
    from swgrm_addin.synthetic import modelling_application

    only = [spec.id for spec in ASSEMBLIES if spec.conventions]
    run_selftest(modelling_application(), tmp_path / "x.zip", lambda _what, _done: None, mock=True, only=only)
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        (tmp_path / "report.html").write_bytes(archive.read("report.html"))
    page = browser.new_page(viewport={"width": 1200, "height": 1000}, color_scheme="light", offline=True)
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("tr").count() > 80
    assert page.evaluate("document.documentElement.scrollWidth") <= 1200
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.close()
    if os.environ.get("SWGRM_PICTURES"):
        image.quantize(64).save(FOLDER / "selftest.png", optimize=True)


FRAMES = 20 if os.environ.get("SWGRM_PICTURES") else 3  # of the moving picture
SWAY = {"shoulder_joint": (0.9, 0.7), "upper_arm_joint": (0.1, 0.35), "forearm_joint": (-0.2, 0.4)}  # middle, amplitude


def test_moving_picture(exported: Callable[[str], tuple[Path, Export]], opened: Callable[..., Page]) -> None:
    """The arm moves in its own page; every frame is a picture of it."""
    page = opened(exported("arm")[0], "light", 1000, 560)
    page.evaluate("swgrm.select(swgrm.kinematics.joints.get('forearm_joint'))")
    images = []
    for number in range(FRAMES):
        angle = 2 * np.pi * number / FRAMES
        before = page.evaluate("swgrm.view.drawn")
        for name, (middle, amplitude) in SWAY.items():
            value = middle + amplitude * float(np.sin(angle))
            assert page.evaluate("([n, v]) => swgrm.move(swgrm.kinematics.joints.get(n), v)", [name, value])
        page.wait_for_function("(before) => swgrm.view.drawn > before", arg=before)
        images.append(Image.open(BytesIO(page.screenshot())).convert("RGB").resize((800, 448)))
    changes = [np.abs(np.asarray(a, float) - np.asarray(b, float)).mean() for a, b in pairwise(images)]
    assert min(changes) > 0.05, "the arm does not move"
    if os.environ.get("SWGRM_PICTURES"):
        colours = images[0].quantize(256, kmeans=2)
        frames = [image.quantize(palette=colours, dither=Image.Dither.NONE) for image in images]
        frames[0].save(
            FOLDER / "arm-moving.gif", save_all=True, append_images=frames[1:], duration=120, loop=0, optimize=True
        )
