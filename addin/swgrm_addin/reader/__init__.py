"""The reader: walks a SolidWorks document once and says what it saw, as a capture; changes nothing."""

from swgrm_addin.reader.reading import Reading, Request, read

__all__ = ["Reading", "Request", "read"]
