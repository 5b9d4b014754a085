"""The former name of `swgrm_addin.parent_watchdog`, which swgrm_mocks imports."""

from swgrm_addin.parent_watchdog import end_with_input, wait_for_end

__all__ = ["end_with_input", "wait_for_end"]
