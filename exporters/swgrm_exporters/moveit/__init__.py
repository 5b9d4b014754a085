"""A MoveIt configuration package beside the ROS 2 package: SRDF, planning groups, disabled collisions, launch files."""
