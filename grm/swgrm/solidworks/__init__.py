"""What is known of SolidWorks: the members of its API that are called, its constants and the conventions of mates."""
