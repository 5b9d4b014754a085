"""Who the add-in is: the ids and names by which COM and SolidWorks know it."""

CLSID = "{6B1F5D1C-9C3E-4C5B-8F0E-2D7A4E93B1A5}"
PROGID = "swgrm.Addin"
CLASS = "swgrm_addin.inside.addin.SwgrmAddin"
TITLE = "swgrm"
DESCRIPTION = "From this assembly to a robot: GRM, URDF with meshes, RobotInfo"
