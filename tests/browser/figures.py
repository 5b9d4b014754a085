"""Figures of the 3D page and the review in Chromium, which `make bench` prints: size, time to ready, and each step.

ready: from opening the file to a page that can be used. move: one joint moved and drawn, lists included.
change: a limit set on the review page, until the settings file is written and the robot is drawn again.
program: the part of a change between the request of the page and the first byte of the answer.
Steps are repeated seven times: the best and the median.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright
from tests.bench.bench_inference import chain
from tests.bench.measure import row
from tests.browser.conftest import ARGUMENTS, CHROMIUM

from swgrm import Frame, Robot
from swgrm.capture import save
from swgrm.findings import Findings
from swgrm.model import Joint, JointType, Link, Mesh, Pose
from swgrm_addin.pipeline import export
from swgrm_addin.review.server import ReviewServer
from swgrm_addin.review.session import ReviewSession
from swgrm_exporters.format import Target
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.writer import write
from swgrm_mocks.samples import SAMPLES
from swgrm_mocks.synthetic.generator import MixedChainGenerator

REPEATS = 7
DRAWN = """(action) => new Promise((done) => {
  const begun = performance.now();
  const { drawn } = swgrm.view;
  const wait = () => (swgrm.view.drawn > drawn ? done(performance.now() - begun) : requestAnimationFrame(wait));
  Promise.resolve(ACTION).then(wait);
})"""
FREE = "[...swgrm.kinematics.joints.values()].find((j) => j.type === 'revolute' && !j.leaders)"
MOVE = DRAWN.replace("ACTION", f"swgrm.move({FREE}, action * 0.01)")
PROGRAM = """() => performance.getEntriesByType('resource').filter((each) => each.name.endsWith('/change'))
  .map((each) => each.responseStart - each.requestStart)"""
CHANGE = DRAWN.replace("ACTION", "swgrm.change([{ path: ['joints', action[0], 'upper'], value: action[1] }])")


def opened(browser: Browser, address: str) -> tuple[Page, float]:
    """A page that is ready, and how long that took [s]."""
    page = browser.new_context(viewport={"width": 1400, "height": 850}).new_page()
    page.set_default_timeout(180_000)
    began = perf_counter()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    return page, perf_counter() - began


def best_and_median(times: list[float]) -> tuple[str, str]:
    """Two cells of a row, of times [ms]."""
    return f"{min(times):.0f} ms", f"{median(times):.0f} ms"


def of_file(browser: Browser, name: str, made: Callable[[], Path]) -> None:
    """Print the figures of one page."""
    began = perf_counter()
    path = made()
    written = perf_counter() - began
    page, ready = opened(browser, path.as_uri())
    moves = [page.evaluate(MOVE, number + 1) for number in range(REPEATS)]
    row(name, f"{path.stat().st_size / 1000:,.0f} kB", f"{written:.2f} s", f"{ready:.2f} s", *best_and_median(moves))
    page.context.close()


@contextmanager
def served(source: str, folder: Path) -> Iterator[ReviewServer]:
    """A review of a source."""
    server = ReviewServer(ReviewSession(source, folder / "settings.grm.yaml", folder), 600)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def of_review(browser: Browser, name: str, source: str) -> None:
    """Print the figures of one review."""
    with tempfile.TemporaryDirectory() as folder:
        began = perf_counter()
        with served(source, Path(folder)) as server:
            started = perf_counter() - began
            page, ready = opened(browser, server.address)
            joint = page.evaluate(f"() => swgrm.key({FREE})")
            changes = [page.evaluate(CHANGE, [joint, f"{number + 1} rad"]) for number in range(REPEATS)]
            program = page.evaluate(PROGRAM)
            assert len(program) == REPEATS
            steps = *best_and_median(changes), *best_and_median(program)
            row(name, f"{started:.2f} s", f"{ready:.2f} s", *steps)
            page.context.close()


def generated(folder: Path, dof: int) -> Path:
    """The page of a generated robot."""
    return Path(MixedChainGenerator(dof, seed=1).visualize(folder / f"{dof}.html", show=False) or "")


def dense(folder: Path, triangles: int, most: int) -> Path:
    """The page of a chain of 200 spheres with that many triangles in all."""
    import trimesh

    sphere = trimesh.creation.uv_sphere(radius=0.04, count=[36, 36])
    frames = []
    for number in range(200):
        mesh = sphere.copy()
        mesh.vertices = mesh.vertices * (1 + 0.001 * number)
        part = folder / f"{number}.stl"
        mesh.export(part)
        frames.append(
            Frame(
                id=f"f{number}", parent=f"f{number - 1}" if number else None, transform=Pose(pos=(0.1, 0.0, 0.0)),
                joint=Joint(type=JointType.REVOLUTE, name=f"j{number}") if number else None,
                links=(Link(name=f"f{number}", visuals=(Mesh(uri=part.name),)),),
            )
        )  # fmt: skip
    assert abs(len(sphere.faces) * 200 - triangles) < 0.1 * triangles
    (path,) = write(
        Robot(name="dense", frames=tuple(frames)), Target(folder, f"dense{most}"), HtmlOptions(max_triangles=most),
        Findings(format="html"),
    )  # fmt: skip
    return path


def sample_page(folder: Path, sample: str) -> Path:
    """The page of a sample."""
    files = export(f"mock:{sample}", folder / sample, formats=("html",)).files
    return next(path for path in files if path.suffix == ".html")


def main() -> None:
    """Print all figures."""
    if CHROMIUM is None:
        sys.exit("Chromium is missing: install Debian's package `chromium`")
    sys.stdout.write(f"\n{(__doc__ or '').splitlines()[0]}\n")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser, place = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS), Path(folder)
        row("page", "size", "written in", "ready in", "move", "median")
        for sample in SAMPLES:
            of_file(browser, sample, lambda sample=sample: sample_page(place, sample))  # type: ignore[misc]
        for dof in (100, 1000):
            of_file(browser, f"{dof:,} joints", lambda dof=dof: generated(place, dof))  # type: ignore[misc]
        of_file(browser, "1 M triangles, 300,000 drawn", lambda: dense(place, 1_000_000, 300_000))
        of_file(browser, "1 M triangles, all drawn", lambda: dense(place, 1_000_000, 10**9))
        row("review", "started in", "ready in", "change", "median", "program", "median")
        for sample in SAMPLES:
            of_review(browser, sample, f"mock:{sample}")
        for count in (100, 1000):
            capture = place / f"{count}.swcap"
            save(chain(count + 1), capture)
            of_review(browser, f"{count:,} joints", str(capture))
        browser.close()


if __name__ == "__main__":
    main()
