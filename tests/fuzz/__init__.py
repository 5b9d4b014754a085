"""Fuzzing: randomly damaged files are read as a robot or refused with an error of ours."""
