"""SolidWorks over real COM: the binding, the ways to it, and the mock served through it."""
