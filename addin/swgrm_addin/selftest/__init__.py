"""The self-test: assemblies whose truth is known are built, driven and read in SolidWorks, and judged afterwards."""
