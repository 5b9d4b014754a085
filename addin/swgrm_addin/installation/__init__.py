"""The installation: what the registry must say, whether all of it is in order, and what to do where it is not."""
