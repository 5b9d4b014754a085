"""Mass, centre of mass and inertia: of the parts as SolidWorks reports them, of links, and of a whole robot."""
