"""The Generalized Robot Model: frames, links, joints and sensors, their file and their kinematics."""

__version__ = "0.1.0"
