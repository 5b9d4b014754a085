"""The add-in's identity: the ids and names under which it is registered for COM and SolidWorks."""

CLSID = "{6B1F5D1C-9C3E-4C5B-8F0E-2D7A4E93B1A5}"
PROGID = "swgrm.Addin"
CLASS = "swgrm_addin.inside.addin.SwgrmAddin"
TITLE = "swgrm"
DESCRIPTION = "Exports this assembly as a robot, with its meshes"
