"""The installation: the registry values of the add-in, and the checks of `swgrm doctor`."""
