"""The reader: reads a SolidWorks document into a capture, without changing the document."""

from swgrm_addin.reader.reading import Request, read

__all__ = ["Request", "read"]
