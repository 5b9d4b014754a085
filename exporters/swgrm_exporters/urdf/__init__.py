"""URDF, the Unified Robot Description Format of ROS: read and written whole."""

from swgrm_exporters.registry import Format
from swgrm_exporters.urdf.options import MeshPaths, UrdfOptions
from swgrm_exporters.urdf.reader import loads, read
from swgrm_exporters.urdf.writer import dumps, write

FORMAT = Format("URDF, the robot description of ROS", read, write)

__all__ = ["FORMAT", "MeshPaths", "UrdfOptions", "dumps", "loads", "read", "write"]
