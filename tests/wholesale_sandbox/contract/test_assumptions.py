"""Every assumption has its name, its § and a place in the table."""

import re

from wholesale.api.facts import Assumption, Statement
from wholesale_sandbox.contract import assumptions
from wholesale_sandbox.contract.assumptions import ASSUMPTIONS, table


def test_an_assumption_is_named_as_its_constant() -> None:
    constants = {
        name: value
        for name, value in vars(assumptions).items()
        if isinstance(value, Assumption | Statement)
    }

    assert {assumption.name: assumption for assumption in ASSUMPTIONS} == constants
    assert len(ASSUMPTIONS) == len(constants)


def test_an_assumption_names_the_section_that_leaves_it_open() -> None:
    odd = [one.name for one in ASSUMPTIONS if not re.fullmatch(r"[1-9](\.\d{1,2})?", one.section)]

    assert odd == []


def test_the_table_has_a_row_for_each_assumption() -> None:
    rows = table().splitlines()

    assert rows[0].split() == ["name", "value", "§", "meaning"]
    assert [row.split()[0] for row in rows[1:]] == [one.name for one in ASSUMPTIONS]
    assert all(row.endswith(one.meaning) for row, one in zip(rows[1:], ASSUMPTIONS, strict=True))
