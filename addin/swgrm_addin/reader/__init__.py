"""The reader: walks a SolidWorks document once, without changing it, and returns a capture."""

from swgrm_addin.reader.reading import Request, read

__all__ = ["Request", "read"]
