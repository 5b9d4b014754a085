"""The programs: the reader, the add-in for SolidWorks, the batch and the command line."""
