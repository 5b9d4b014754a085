"""Programs that set things up: the COM bench (combench), the set-up program for Windows (setup), pip's requirements."""
