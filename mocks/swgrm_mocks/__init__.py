"""Everything synthetic: a mock SolidWorks, sample assemblies, generated robots."""
