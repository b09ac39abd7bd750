"""Assumptions and statements: each has its name, its § and a place in the table."""

import re
from typing import Any

import pytest

from wholesale.api.facts import Assumption, Statement
from wholesale_sandbox.contract import assumptions
from wholesale_sandbox.contract.assumptions import ASSUMPTIONS, table
from wholesale_sandbox.contract.statements import STATEMENTS

ENTRIES: tuple[Assumption[Any] | Statement, ...] = (*ASSUMPTIONS, *STATEMENTS)
NAMES = [entry.name for entry in ENTRIES]


def test_an_assumption_is_named_as_its_constant() -> None:
    constants = {
        name: value for name, value in vars(assumptions).items() if isinstance(value, Assumption)
    }

    assert {assumption.name: assumption for assumption in ASSUMPTIONS} == constants
    assert len(ASSUMPTIONS) == len(constants)


def test_no_two_have_the_same_name() -> None:
    assert sorted(NAMES) == sorted(set(NAMES))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_each_names_the_section_that_leaves_it_open(entry: Assumption[Any] | Statement) -> None:
    assert re.fullmatch(r"[1-9](\.\d{1,2})?", entry.section)


def test_the_table_has_a_line_for_each_in_the_order_of_the_sections() -> None:
    lines = table().splitlines()
    sections = [[int(part) for part in line.split()[0][1:].split(".")] for line in lines]

    assert sorted(line.split()[1] for line in lines) == sorted(NAMES)
    assert sections == sorted(sections)
    assert "§8     DEFAULT_LIMIT" in table()


def test_a_line_of_an_assumption_ends_with_its_value_that_of_a_statement_with_its_words() -> None:
    lines = {line.split()[1]: line for line in table().splitlines()}

    assert lines["LIMIT_CAP"].endswith("  largest number of records on a page: 250")
    assert lines["KEY_FIRST"].endswith(
        "  the key is checked before path, method, parameters and body"
    )
