"""Programs that set things up: the COM bench (combench), the set-up program (setup), the site, requirements."""
