"""A data file is a script that means the JSON in it, whatever texts that holds."""

import json
import random
from pathlib import Path

import pytest

from support.warehouses.sites import unpacked
from wholesale_elt.dashboard.scripts import (
    as_letters,
    copy_script,
    encode_script,
    write_data,
    write_script,
)


def test_a_script_means_the_json_that_it_carries() -> None:
    assert encode_script({"<": ["\u2028\u2029", '"']}) == rb'{"\u003c":["\u2028\u2029","\""]}'


def test_a_data_file_hands_its_content_over_by_its_name(tmp_path: Path) -> None:
    write_script(tmp_path, "period/2025", [1])
    assert (tmp_path / "period/2025.js").read_text() == 'wholesale.receive("period/2025",[1]);\n'


@pytest.mark.parametrize("text", ["", "é", '"\\\n', "\u2028\ud7ff\ue000", "x" * 1_000])
def test_what_is_packed_is_unpacked(tmp_path: Path, text: str) -> None:
    write_data(tmp_path, "a/b", [text])
    name, content = unpacked((tmp_path / "a/b.js").read_bytes())
    assert (name, json.loads(content)) == ("a/b", [text])


def test_any_bytes_are_letters_of_one_text_in_a_script() -> None:
    pairs = [number.to_bytes(2, "little") for number in range(2**16)]
    random.Random(1).shuffle(pairs)
    letters = as_letters(b"".join(pairs) + b"!")
    assert letters.encode("utf-16-le").decode("utf-16-le") == letters
    assert not set(letters) & set('"\\\n\r\u2028\u2029')
    assert len(letters.encode("utf-16-le")) < 1.05 * 2**17


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.js", b"a();\nb(`// c`); // d\n"),
        ("a.css", b"a();\nb(`// c`); // d\n"),
        ("vendor/a.js", b"/** A: of\n * all. */\n  // This.\n  a();\n  b(`// c`); // d\n"),
        ("a.txt", b"/** A: of\n * all. */\n  // This.\n  a();\n  b(`// c`); // d\n"),
    ],
)
def test_scripts_are_published_without_comments_and_indents(
    tmp_path: Path, name: str, written: bytes
) -> None:
    source = tmp_path / name
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(b"/** A: of\n * all. */\n  // This.\n  a();\n  b(`// c`); // d\n")
    copy_script(str(source), str(tmp_path / "copy"))
    assert (tmp_path / "copy").read_bytes() == written
