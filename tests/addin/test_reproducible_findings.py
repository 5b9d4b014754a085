"""Findings are the same in every run, also about files that cannot be read."""

from __future__ import annotations

from pathlib import Path

from swgrm_addin.pipeline import export

URDF = """<robot name="junk"><link name="base"><visual><geometry>
<mesh filename="junk.dae"/></geometry></visual></link></robot>"""
BROKEN = b'<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><broken'


def test_no_finding_names_a_temporary_folder(tmp_path: Path) -> None:
    (tmp_path / "junk.urdf").write_text(URDF)
    (tmp_path / "junk.dae").write_bytes(BROKEN)
    formats = ("urdf", "mjcf", "usd", "html")
    texts = []
    for name in ("first", "second"):
        done = export(str(tmp_path / "junk.urdf"), tmp_path / name, formats=formats)
        assert {"mjcf-mesh-unreadable", "html-mesh-unreadable"} <= {finding.code for finding in done.findings}
        texts.append((tmp_path / name / "junk.findings.json").read_text())
        page = (tmp_path / name / "junk.html").read_text()
        assert ".swgrm-part-" not in texts[-1] + page
    assert texts[0] == texts[1]
