"""What is loaded into SolidWorks: the add-in, its ribbon, and the child process that does the heavy work."""
