"""Every page of the documentation is in the menu of the site, `nav` in mkdocs.yml, and every entry is a page."""

from __future__ import annotations

import yaml
from installer.site.pages import REPOSITORY, ROOT_PAGES


def test_every_page_of_the_documentation_is_in_the_menu() -> None:
    """The strict build requires it, too; here it fails early, and without the site's environment."""
    text = (REPOSITORY / "mkdocs.yml").read_text("utf-8").replace("!!python/object/apply:pymdownx.slugs.slugify", "")
    named: set[str] = set()

    def collect(entry: object) -> None:
        if isinstance(entry, str):
            named.add(entry)
        for each in entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ():
            collect(each)

    collect(yaml.safe_load(text)["nav"])
    docs = REPOSITORY / "docs"
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    assert named - set(ROOT_PAGES) == pages, "add the page to `nav` in mkdocs.yml"
