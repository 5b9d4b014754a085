"""Joints: the tree, limits, couplings, frames, and the robot that is built of them."""
