"""The part that is loaded into SolidWorks: the add-in, its ribbon, and the subprocess for the heavy work."""
