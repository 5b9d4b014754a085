"""The modelling side of the mock SolidWorks: sketches, solids, components and a mate solver; loaded when it is used."""
