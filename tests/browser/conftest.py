"""A real browser for the pages: Chromium, headless, without a network; run by `make browser`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from swgrm_addin.pipeline import Export, export

ARGUMENTS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session", name="browser")
def _browser() -> Iterator[Browser]:
    assert CHROMIUM, "Chromium is missing: install Debian's package `chromium`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session", name="exported")
def _exported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Export]]:
    """Exports a sample once, and returns its page and the export."""
    done: dict[str, tuple[Path, Export]] = {}

    def exported(sample: str) -> tuple[Path, Export]:
        if sample not in done:
            made = export(f"mock:{sample}", tmp_path_factory.mktemp(sample), formats=("html",))
            done[sample] = (next(path for path in made.files if path.suffix == ".html"), made)
        return done[sample]

    return exported


@pytest.fixture(name="opened")
def _opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a file as a double click does, without a network; the test fails if the page logs or asks for anything."""
    pages: list[Page] = []
    heard: list[str] = []

    def opened(path: Path, scheme: str = "light", width: int = 1400, height: int = 850) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            offline=True,
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page = context.new_page()
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("request", lambda request: heard.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]", timeout=60_000)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.context.close()
    assert heard == []
