"""What is assumed either governs code by its value or is said in words alone."""

from pathlib import Path

import wholesale
from wholesale.api import assumptions
from wholesale.api.assumptions import ASSUMPTIONS
from wholesale.api.facts import Assumption

SOURCE = "\n".join(path.read_text() for path in Path(wholesale.__file__).parent.rglob("*.py"))


def test_every_assumption_is_listed_under_the_name_of_its_constant() -> None:
    constants = {name: v for name, v in vars(assumptions).items() if isinstance(v, Assumption)}
    listed = {found.name: found for found in ASSUMPTIONS if isinstance(found, Assumption)}

    assert listed == constants


def test_the_value_of_an_assumption_is_read_by_code() -> None:
    valued = [assumption.name for assumption in ASSUMPTIONS if isinstance(assumption, Assumption)]

    assert [name for name in valued if f"{name}.value" not in SOURCE] == []
