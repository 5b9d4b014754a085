"""Prepares the pages of the site, or checks what was built from them.

python -m installer.site prepare FOLDER
python -m installer.site check FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from installer.site.checking import problems
from installer.site.pages import prepare

if __name__ == "__main__":
    verb, folder = sys.argv[1], Path(sys.argv[2])
    if verb == "prepare":
        prepare(folder)
    else:
        found = list(problems(folder))
        pages = sum(1 for _ in folder.rglob("*.html"))
        sys.stdout.write("".join(f"{problem}\n" for problem in found))
        sys.stdout.write(f"{pages} pages, {len(found)} problems of links and loaded files\n")
        sys.exit(bool(found) or not pages)
