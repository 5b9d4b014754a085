"""The batch: a folder of assemblies in, a folder of robots out."""

from swgrm_addin.batch.records import Failure, Options, Outcome, Report, Summary
from swgrm_addin.batch.running import batch
from swgrm_addin.batch.watching import Watcher

__all__ = ["Failure", "Options", "Outcome", "Report", "Summary", "Watcher", "batch"]
