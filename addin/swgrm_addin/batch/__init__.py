"""The batch: exports every document of a folder, each into a folder of its own."""

from swgrm_addin.batch.progress import ProgressObserver
from swgrm_addin.batch.records import BatchOptions, BatchReport, DocumentResult, ExportSummary, Failure
from swgrm_addin.batch.running import batch

__all__ = ["BatchOptions", "BatchReport", "DocumentResult", "ExportSummary", "Failure", "ProgressObserver", "batch"]
