"""The pages of the site: what is prepared from the documentation, and what the check of the built pages finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from installer.site.checking import problems
from installer.site.pages import for_site


@pytest.mark.parametrize(
    ("page", "prepared"),
    [
        ("text:\n- a\n- b\nmore", "text:\n\n- a\n- b\n\nmore\n"),
        ("1. a\n   ![x](y.png)\n2. b", "1. a\n   ![x](y.png)\n2. b\n"),
        ("text\n```sh\n- a\n| b\n```\nmore", "text\n\n```sh\n- a\n| b\n```\n\nmore\n"),
        (
            "## Title\n| a | b |\n|---|---|\n<!-- /t -->\ntext",
            "## Title\n\n| a | b |\n|---|---|\n\n<!-- /t -->\n\ntext\n",
        ),
        ("[a](../CHANGELOG.md) [b](x.md#y)", "[a](CHANGELOG.md) [b](x.md#y)\n"),
    ],
)
def test_blocks_are_kept_apart_and_links_follow_the_files(page: str, prepared: str) -> None:
    assert for_site(page, 0) == prepared


def test_links_of_a_deeper_page_follow_the_files() -> None:
    assert for_site("[a](../../SECURITY.md) [b](../x.md)", 1) == "[a](../SECURITY.md) [b](../x.md)\n"


def test_lost_links_lost_places_and_loaded_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a id="here" href="#here"></a><a href="b.html#there"></a><a href="c.html"></a><a href="https://x.org"></a>'
        '<link rel="canonical" href="https://x.org/a"><script src="https://x.org/s.js"></script><img src="no.png">',
        "utf-8",
    )
    (tmp_path / "b.html").write_text('<p id="elsewhere">', "utf-8")
    assert sorted(problems(tmp_path)) == [
        "a.html loads https://x.org/s.js from the network",
        "a.html: b.html#there is not a place on that page",
        "a.html: c.html does not exist",
        "a.html: no.png does not exist",
    ]
