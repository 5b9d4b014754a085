"""Links of SDF read: inertials, shapes and materials."""

from __future__ import annotations

from typing import Any

from swgrm.findings import Findings
from swgrm.model import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Inertial,
    Link,
    Material,
    Mesh,
    Sphere,
    Tensor,
)
from swgrm_exporters.names import Pool
from swgrm_exporters.sdf.elements import TENSOR, unnamed_shape
from swgrm_exporters.sdf.fields import number, numbers, own, pose_of, text_of
from swgrm_exporters.xmltext import Element, XmlProblem

_FORMS = ("mesh", "box", "sphere", "cylinder", "capsule")


class SdfLinks:
    """Reads links, and collects their materials; `has_note` is whether swgrm wrote the file."""

    def __init__(self, findings: Findings, *, has_note: bool) -> None:
        self.findings, self.has_note = findings, has_note
        self.materials: dict[str, Material] = {}
        self._names = Pool()
        self._looks: dict[tuple[object, ...], str] = {}

    def read(self, element: Element, name: str) -> Link:
        """The link of an element."""
        inertial = self._inertial(element.find("inertial"), name)
        visuals, collisions = (
            tuple(
                shape
                for number, each in enumerate(element.iterfind(tag), 1)
                if (shape := self._shape(each, unnamed_shape(name, tag, number))) is not None
            )
            for tag in ("visual", "collision")
        )
        return Link(name=name, inertial=inertial, visuals=visuals, collisions=collisions)

    def _inertial(self, element: Element | None, link: str) -> Inertial | None:
        if element is None:
            self.findings.add("sdf-mass-default", f"link {link}")
            return Inertial(1.0, tensor=Tensor(ixx=1.0, iyy=1.0, izz=1.0))
        pose, inertia = pose_of(element.find("pose")), element.find("inertia")
        ones = ("ixx", "iyy", "izz")
        tensor = Tensor(*(number(inertia, tag, 1.0 if tag in ones else 0.0) for tag in TENSOR))
        return Inertial(number(element, "mass", 1.0), pose.pos, tensor, pose.rot)

    def _shape(self, element: Element, unnamed: str) -> Geometry | None:
        geometry = element.find("geometry")
        forms = [] if geometry is None else [each for each in geometry if each.tag in _FORMS]
        if len(forms) != 1:
            kinds = [str(each.tag) for each in geometry] if geometry is not None else []
            name = element.get("name", "")
            self.findings.add("sdf-shape", f"{element.tag} {name}", kinds=", ".join(kinds) or "no shape")
            return None
        form = forms[0]
        name = element.get("name", "")
        is_unnamed = self.has_note and name == unnamed
        common: dict[str, Any] = {"name": "" if is_unnamed else name, "origin": pose_of(element.find("pose"))}
        if element.tag == "visual":
            common["material"] = self._material(element.find("material"))
        return _form(form, common)

    def _material(self, element: Element | None) -> str:
        """The name of a material; one without a name is called by its look."""
        if element is None:
            return ""
        colour = element.find("diffuse")
        colour = element.find("ambient") if colour is None else colour
        values = None if colour is None else numbers(colour, len((colour.text or "").split()))
        if values is not None and len(values) not in (3, 4):
            raise XmlProblem("A colour has neither three nor four numbers", colour)
        rgba = None if values is None else (*values, 1.0)[:4]
        texture = (element.findtext("pbr/metal/albedo_map") or "").strip()
        if rgba is None and not texture:
            return ""
        # Files of swgrm 0.2 have the name as an attribute.
        name = own(element, "name") or "_".join(["colour", *(f"{value:.6g}" for value in rgba or ()), texture])
        look = (name, rgba, texture)
        if look not in self._looks:
            self._looks[look] = self._names.fresh(name.rstrip("_"))
            r, g, b, a = rgba or (0.0, 0.0, 0.0, 0.0)
            self.materials[self._looks[look]] = Material(
                self._looks[look], None if rgba is None else (r, g, b, a), texture
            )
        return self._looks[look]


def _form(form: Element, common: dict[str, Any]) -> Geometry:
    if form.tag == "mesh":
        scale = form.find("scale")
        x, y, z = (1.0, 1.0, 1.0) if scale is None else numbers(scale, 3)
        return Mesh(uri=text_of(form, "uri"), scale=(x, y, z), **common)
    if form.tag == "box":
        size = form.find("size")
        x, y, z = (1.0, 1.0, 1.0) if size is None else numbers(size, 3)
        return Box(size=(x, y, z), **common)
    radius = number(form, "radius", 1.0 if form.tag == "sphere" else 0.5)
    if form.tag == "sphere":
        return Sphere(radius=radius, **common)
    kind = Cylinder if form.tag == "cylinder" else Capsule
    return kind(radius=radius, length=number(form, "length", 1.0), **common)
