"""README says what is so."""

import re

import click
import pytest

from support.paths import README
from support.readme_tables import fill
from wholesale_elt.cli.main import cli


def test_the_tables_are_those_of_the_registries() -> None:
    text = README.read_text("utf-8")
    assert fill(text) == text, "run: python -m support.readme_tables README.md"


def test_a_text_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the table endpoints"):
        fill("nothing here")


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_and_each_of_its_options_is_described(name: str) -> None:
    text = README.read_text("utf-8")
    command = cli.commands[name]
    assert re.search(rf"wholesale {name}\b", text)
    assert command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert any(flag in text for flag in option.opts), option.opts


def test_both_commands_for_newcomers_stand_in_one_line_each() -> None:
    lines = README.read_text("utf-8").splitlines()
    assert [line for line in lines if "pip install" in line] == [
        'python3 -m pip install ".[all]" && wholesale demo',
        'python3 -m pip install ".[dev]" && python3 -m pytest',
    ]
