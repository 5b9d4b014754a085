"""How a robot moves: poses for joint positions, bodies, ranges, relations among joints, closed loops."""
