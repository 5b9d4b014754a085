"""Every promise of SECURITY.md has tests, which are named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROMISES = {
    "captures (`.swcap`)": [
        "grm/test_capture_file.py::test_hostile_input_is_an_error_that_names_the_problem",
        "grm/test_capture_file.py::test_a_randomly_damaged_file_is_a_capture_or_a_file_error",
    ],
    "URDF and other XML": [
        "exporters/urdf/test_reading.py::test_a_broken_file_gives_a_sentence_with_its_line",
        "exporters/urdf/test_reading.py::test_a_hundred_megabytes_are_refused_at_once",
        "addin/test_limits_of_inputs.py::test_inclusions_are_counted",
    ],
    "xacro": [
        "addin/test_foreign_code.py::test_no_command_expands_macros_unasked",
        "addin/test_foreign_code.py::test_neither_python_nor_the_batch_expands_macros",
        "addin/test_foreign_code.py::test_the_option_expands_files_that_end_in_xacro_alone",
        "addin/test_foreign_code.py::test_a_terminal_is_asked",
    ],
    "USD": [
        "addin/test_limits_of_inputs.py::test_inclusions_are_counted",
        "addin/test_limits_of_inputs.py::test_odd_usd_files_are_read_or_refused_with_a_sentence",
    ],
    "settings, RobotInfo and other YAML": [
        "exporters/robotinfo/test_hostile.py::test_hostile_yaml_gets_a_sentence",
        "addin/test_limits_of_inputs.py::test_numbers_to_the_base_60_are_texts",
        "addin/test_limits_of_inputs.py::test_the_line_of_one_key_is_found_however_often_aliases_repeat_it",
    ],
    "GRM (`.grm.json`) and other JSON": ["grm/test_grmfile.py::test_bad_files_are_refused_with_the_place"],
    "mesh files that a robot names": [
        "grm/meshes/test_recognition.py::test_a_link_cannot_carry_a_file_of_the_user_into_the_export",
        "grm/meshes/test_recognition.py::test_a_file_is_what_its_ending_states_or_an_error",
        "grm/meshes/test_recognition.py::test_what_is_not_copied_is_a_finding_with_the_reason",
    ],
    "SolidWorks documents": ["addin/test_reader_quirks.py::test_a_file_is_opened_read_only_where_that_works"],
    "Names stay texts.": [
        "exporters/test_hostile_texts.py::test_no_text_can_end_its_field",
        "addin/test_foreign_code.py::test_a_folder_in_a_name_is_no_command_of_cmake",
        "addin/test_foreign_code.py::test_a_table_of_joints_has_no_formulas_and_is_read_again",
        "addin/test_foreign_code.py::test_no_name_controls_the_terminal",
        "grm/test_folders.py::test_safe_names_are_valid_on_every_system",
        "grm/test_files.py::test_an_export_never_writes_through_a_link",
    ],
    "No code from beside an input.": [
        "addin/test_foreign_code.py::test_every_process_that_swgrm_starts_is_told_to_leave_the_current_folder_out",
        "addin/test_foreign_code.py::test_a_batch_runs_no_module_of_the_folder_that_it_is_started_in",
        "addin/test_foreign_code.py::test_a_child_process_runs_no_module_of_the_current_folder",
    ],
    "No other machine.": [
        "addin/test_limits_of_inputs.py::test_a_path_on_another_machine_is_refused_unless_the_robot_is_there",
        "addin/test_limits_of_inputs.py::test_no_mesh_on_another_machine_is_looked_at",
        "addin/test_limits_of_inputs.py::test_no_inclusion_on_another_machine_is_looked_at",
    ],
    "The review": [
        "addin/review/test_server.py::test_it_listens_on_loopback_only",
        "addin/review/test_server.py::test_without_the_token_nothing_is_told",
        "addin/review/test_server.py::test_the_secret_is_in_a_file_of_the_user_alone_until_it_is_used",
        "addin/review/test_server.py::test_the_browser_is_not_started_with_the_secret",
    ],
    "Files of the user": [
        "grm/test_files.py::test_what_another_program_has_written_stays",
        "grm/test_files.py::test_a_link_stays_a_link_and_its_target_is_written",
        "grm/test_files.py::test_the_permissions_stay",
        "addin/review/test_session.py::test_what_an_editor_saves_in_the_same_moment_is_kept",
    ],
    "Reports and anonymous captures": [
        "addin/test_private_marks.py::test_no_mark_is_in_an_anonymous_capture",
        "addin/test_private_marks.py::test_no_mark_of_another_assembly_is_in_a_report",
        "addin/test_support_report.py::test_the_report_contains_nothing_of_the_user",
    ],
}


def promises() -> list[str]:
    """The first cell of each row, and the bold words of each item, of SECURITY.md."""
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)[1:]
    return [*rows, *re.findall(r"^- \*\*(.+?)\*\*", text, re.MULTILINE)]


def test_every_promise_is_listed() -> None:
    assert promises() == list(PROMISES)


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_has_its_tests(promise: str) -> None:
    for reference in PROMISES[promise]:
        file, _, name = reference.partition("::")
        assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8"), reference
