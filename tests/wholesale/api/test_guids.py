"""An id is the same however somebody types it."""

import pytest

from wholesale.api.guids import spelled_like, typed_id

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


PLAIN = "3ce8dc4b-e541-5c94-baf4-dc6068a50230"


@pytest.mark.parametrize(
    ("example", "written"),
    [
        ("0000abcd-0000-4000-8000-00000000000b", PLAIN),
        ("0000ABCD-0000-4000-8000-00000000000B", PLAIN.upper()),
        ("0000abcd00004000800000000000000b", PLAIN.replace("-", "")),
        ("0000ABCD00004000800000000000000B", PLAIN.replace("-", "").upper()),
        ("{0000ABCD-0000-4000-8000-00000000000B}", "{" + PLAIN.upper() + "}"),
        ("urn:uuid:0000abcd-0000-4000-8000-00000000000b", f"urn:uuid:{PLAIN}"),
        ("URN:UUID:0000ABCD-0000-4000-8000-00000000000B", f"URN:UUID:{PLAIN.upper()}"),
        ("00000000-0000-4000-8000-000000000000", PLAIN),
        ("A-17", PLAIN),
    ],
)
def test_a_guid_is_written_as_another_one_is(example: str, written: str) -> None:
    assert spelled_like(example, PLAIN) == written
    assert spelled_like(example, written) == written
    assert spelled_like(written, PLAIN) == spelled_like(written, written) == written
    assert spelled_like(example, "A-17") == "A-17"
