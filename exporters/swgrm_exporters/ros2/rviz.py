"""RViz's view of the robot."""

from __future__ import annotations

import yaml


def view(root: str) -> bytes:
    """A view with grid, robot and frames, fixed to the root link."""
    displays = [
        {"Class": "rviz_default_plugins/Grid", "Name": "Grid", "Enabled": True, "Value": True},
        {
            "Class": "rviz_default_plugins/RobotModel",
            "Name": "RobotModel",
            "Enabled": True,
            "Value": True,
            "Description Source": "Topic",
            "Description Topic": {"Value": "/robot_description", "Durability Policy": "Transient Local"},
            "Visual Enabled": True,
            "Collision Enabled": False,
        },
        {"Class": "rviz_default_plugins/TF", "Name": "TF", "Enabled": False, "Value": False},
    ]
    document = {
        "Panels": [{"Class": "rviz_common/Displays", "Name": "Displays"}],
        "Visualization Manager": {
            "Class": "",
            "Displays": displays,
            "Enabled": True,
            "Global Options": {"Fixed Frame": root, "Frame Rate": 30},
            "Tools": [{"Class": "rviz_default_plugins/MoveCamera"}],
            "Value": True,
            "Views": {"Current": {"Class": "rviz_default_plugins/Orbit", "Distance": 2.0, "Pitch": 0.4, "Yaw": 0.8}},
        },
        "Window Geometry": {"Height": 800, "Width": 1200},
    }
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode()
