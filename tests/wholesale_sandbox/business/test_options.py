"""Options are merged by name; their values make the title of a variant."""

import pytest
from msgspec import Raw

from wholesale_sandbox.business.options import merged, title

STORED = Raw(b'[{"name":"Color","value":"Red"},{"name":"Size","value":"S"}]')


@pytest.mark.parametrize(
    ("sent", "after"),
    [
        (b"[]", b'[{"name":"Color","value":"Red"},{"name":"Size","value":"S"}]'),
        (
            b'[{"name":"Color","value":"Blue"}]',
            b'[{"name":"Color","value":"Blue"},{"name":"Size","value":"S"}]',
        ),
        (
            b'[{"name":"Color","_destroy":true},{"name":"Pack","value":"6","_destroy":false}]',
            b'[{"name":"Size","value":"S"},{"name":"Pack","value":"6"}]',
        ),
        (
            b'[{"name":"Absent","_destroy":true},{"name":"Size","value":"M","x":1}]',
            b'[{"name":"Color","value":"Red"},{"name":"Size","value":"M"}]',
        ),
    ],
)
def test_options_sent_are_merged_into_those_stored(sent: bytes, after: bytes) -> None:
    assert merged(STORED, Raw(sent), "value") == Raw(after)


def test_options_stored_in_no_known_shape_count_as_none() -> None:
    sent = Raw(b'[{"name":"Size","values":["S"]}]')

    assert merged(Raw(b'{"Size":1}'), sent, "values") == sent
    assert merged(Raw(b"null"), sent, "values") == sent


@pytest.mark.parametrize(
    ("options", "made"), [(STORED, "Red / S"), (Raw(b"[]"), ""), (Raw(b"null"), "")]
)
def test_a_title_is_all_option_values(options: Raw, made: str) -> None:
    assert title(options) == made
