"""An id is the same however somebody types it."""

import pytest

from wholesale.api.guids import typed_id

PLAIN = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9"


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        (PLAIN, PLAIN),
        (f" {PLAIN.upper()}\n", PLAIN),
        (f"{{{PLAIN}}}", PLAIN),
        (f"urn:uuid:{PLAIN}", PLAIN),
        (PLAIN.replace("-", ""), PLAIN),
        (" ORD-0017 ", "ORD-0017"),
        ("4711", "4711"),
    ],
)
def test_a_guid_is_spelled_plainly_and_any_other_id_loses_blanks_around_it(
    typed: str, key: str
) -> None:
    assert typed_id(typed) == key
