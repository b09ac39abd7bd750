"""What full records were expected to have, and do not any more, is known from what is passed on."""

import pytest

from support.records.lists import Lists, decoded
from wholesale.expect.expectation import ENOUGH_RECORDS


@pytest.mark.parametrize(
    ("count", "vanished"), [(ENOUGH_RECORDS - 1, []), (ENOUGH_RECORDS, ["email", "phone"])]
)
def test_columns_that_enough_records_lack_have_vanished(count: int, vanished: list[str]) -> None:
    expectation = Lists({}).reader("vendors").expectation
    records = [{"id": f"v{number}", "name": "V"} for number in range(count)]

    expectation.see_passed_on(decoded("vendors", records[:10]))
    expectation.see_passed_on(decoded("vendors", records[10:]))

    assert expectation.vanished({"name", "phone", "email"}) == vanished
    assert expectation.filled == ["id", "name"]
