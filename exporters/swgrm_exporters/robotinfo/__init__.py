"""Robot Raconteur's RobotInfo: written from a robot, read into one, and held against what its real readers take."""

from __future__ import annotations

from swgrm_exporters.registry import Format
from swgrm_exporters.robotinfo.reader import read
from swgrm_exporters.robotinfo.writer import write

FORMAT = Format("Robot Raconteur RobotInfo", read, write)
