"""The judge of the self-test: compares what SolidWorks did with the inference and with the builder's truth."""
