"""A data file is a script that means the JSON in it, whatever texts that holds."""

from pathlib import Path

from wholesale_elt.dashboard.scripts import encode_script, write_script


def test_a_script_means_the_json_that_it_carries() -> None:
    assert encode_script({"<": ["\u2028\u2029", '"']}) == rb'{"\u003c":["\u2028\u2029","\""]}'


def test_a_data_file_hands_its_content_over_by_its_name(tmp_path: Path) -> None:
    write_script(tmp_path, "period/2025", [1])
    assert (tmp_path / "period/2025.js").read_text() == 'wholesale.receive("period/2025",[1]);\n'
