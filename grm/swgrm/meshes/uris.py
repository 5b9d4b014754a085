"""URIs of mesh and texture files: resolved to files, and those that do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from swgrm.findings import Findings
from swgrm.model import Mesh, Robot
from swgrm.storage.files import leaves_machine

# Only files with these endings are read, because a hostile robot file may name any file.
MESHES = frozenset([".stl", ".dae", ".obj", ".glb", ".gltf", ".ply", ".3mf", ".off", ".msh", ".mesh"])
TEXTURES = frozenset([".png", ".jpg", ".jpeg", ".bmp", ".tga", ".tif", ".tiff"])


def resolve(uri: str, folder: Path) -> Path | None:
    """The file that a URI names, seen from the robot's folder; None if there is none that is a mesh or a texture.

    A `package://NAME/rest` is looked for in folders called NAME above, then as `rest` in the folders above.
    """
    try:
        return next((path for path in _candidates(uri, folder) if _may_be_read(path, folder)), None)
    except (OSError, ValueError):  # no file can be called so
        return None


def _may_be_read(path: Path, folder: Path) -> bool:
    """Whether it is a file with the ending of a mesh or texture, and so is what a link leads to.

    A path on another machine is not even looked at, unless the robot itself is there.
    """
    endings = MESHES | TEXTURES
    if leaves_machine(path, folder):
        return False
    return path.suffix.lower() in endings and path.is_file() and path.resolve().suffix.lower() in endings


def _candidates(uri: str, folder: Path) -> Iterator[Path]:
    parsed = urlparse(uri)
    if parsed.scheme == "file":
        yield Path(unquote(parsed.path))
    elif parsed.scheme == "package":
        rest = unquote(parsed.path).lstrip("/")
        above = [folder.resolve(), *folder.resolve().parents]
        yield from (up / parsed.netloc / rest for up in above)
        yield from (up / rest for up in above[:3])
    else:
        yield folder / uri


def report_absent(robot: Robot, folder: Path, findings: Findings) -> None:
    """Report the mesh files named by a URI with a scheme that do not exist; `swgrm.check` reports those without one.

    Files of a `package://` may be elsewhere on the machine that uses the robot.
    """
    shapes = (shape for _, link in robot.links() for shape in (*link.visuals, *link.collisions))
    uris = dict.fromkeys(shape.uri for shape in shapes if isinstance(shape, Mesh) and "://" in shape.uri)
    missing = [uri for uri in uris if resolve(uri, folder) is None]
    if not missing:
        return
    where, count, total = f"robot {robot.name}", len(missing), len(uris)
    files = ", ".join(f"`{uri[:120]}`" for uri in missing[:3]) + (" …" if count > 3 else "")
    if all(uri.startswith("package://") for uri in missing):
        findings.add("mesh-elsewhere", where, count=count, total=total, files=files)
    else:
        findings.add("mesh-absent", where, count=count, total=total, files=files)
