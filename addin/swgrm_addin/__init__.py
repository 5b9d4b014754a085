"""What a person runs: the reader, the add-in, the batch and the command line."""
