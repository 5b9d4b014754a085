"""Coming from other exporters: what they have of a robot, as a settings file for the same assembly."""
