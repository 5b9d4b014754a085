"""Checks the pages that were built: every address leads to a file and place of the site, and nothing is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}  # by a browser, unasked
NOT_LOADED = {"canonical", "prev", "next", "alternate"}  # relations of `link`


class _Page(HTMLParser):
    """The addresses and the ids of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses and the ids of an element."""
        found = dict(attrs)
        self.ids |= {value for key in ("id", "name") if (value := found.get(key))}
        address = found.get(LOADED.get(tag, ""))
        if address and (found.get("rel") or "") not in NOT_LOADED:
            self.loaded.append(address)
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")


def problems(site: Path) -> Iterator[str]:
    """What is wrong with the pages in a folder, one sentence each."""
    pages = {path.resolve(): _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site.resolve()).as_posix()
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{name} loads {address} from the network"
        for address in (*page.loaded, *page.links):
            yield from (f"{name}: {address} {problem}" for problem in _lost(address, path, pages))


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def _lost(address: str, page: Path, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.exists():
        yield "does not exist"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield "is not a place on that page"
