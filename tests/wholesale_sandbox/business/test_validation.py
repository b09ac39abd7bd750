"""Bodies are checked field by field, and their literals are kept."""

from typing import Any

import msgspec
import pytest

from wholesale_sandbox.business.validation import Record, checked, fields_sent, is_guid, text_of
from wholesale_sandbox.contract.fields import RESOURCE, Field, FieldType, Resource
from wholesale_sandbox.responses.response import Refused

GUID = "00000000-0000-4000-8000-000000000001"


def resource_with(type: FieldType, **rules: Any) -> Resource:
    return Resource("things", "thing", "2", (Field("it", type, "2", **rules),))


def read(resource: Resource, literal: str, *, creating: bool = False) -> str:
    """The literal that is kept."""
    sent = fields_sent(f'{{"thing":{{"it":{literal}}}}}'.encode(), resource)
    return bytes(checked(sent, resource, creating=creating)["it"]).decode()


def details(refused: pytest.ExceptionInfo[Refused]) -> str:
    assert refused.value.response.status == 422
    return str(msgspec.json.decode(refused.value.response.body)["details"])


@pytest.mark.parametrize(
    ("type", "literal"),
    [
        ("guid", f'"{GUID}"'),
        ("guid", '"ABCDEF00-0000-4000-8000-00000000000A"'),
        ("text", '""'),
        ("text", '"\\u00e9 \\n"'),
        ("decimal", "12.50"),
        ("decimal", "-1e3"),
        ("decimal", "0"),
        ("decimal", '"12.50"'),
        ("decimal", '"-1E-3"'),
        ("decimal", "123456789012345678901234567890.123456789"),
        ("number", "1.10"),
        ("number", "7"),
        ("integer", "2147483647"),
        ("integer", "-2147483648"),
        ("boolean", "true"),
        ("timestamp", '"2025-01-02T03:04:05Z"'),
        ("email", '"a@b"'),
        ("map", '{"a": [1.50]}'),
        ("map", "{}"),
        ("texts", '["a", "b"]'),
        ("item_options", '[{"name":"a","values":[]}]'),
        ("item_options", '[{"name":"a","_destroy":true}]'),
        ("variant_options", '[{"name":"a","value":"b","_destroy":false}]'),
    ],
)
def test_a_value_that_fits_is_kept_as_it_was_written(type: FieldType, literal: str) -> None:
    assert read(resource_with(type), literal) == literal


def test_an_integer_written_as_a_decimal_becomes_one() -> None:
    assert read(resource_with("integer"), "3.0") == "3"


@pytest.mark.parametrize(
    ("type", "literal"),
    [
        ("guid", '"abc"'),
        ("guid", f'"{GUID}0"'),
        ("guid", f'"{GUID}\\n"'),
        ("guid", "5"),
        ("text", "5"),
        ("text", "[]"),
        ("decimal", '"abc"'),
        ("decimal", '""'),
        ("decimal", '"1.5\\n"'),
        ("decimal", '"1."'),
        ("decimal", '"NaN"'),
        ("decimal", "true"),
        ("number", '"1"'),
        ("number", "false"),
        ("integer", "2147483648"),
        ("integer", "-2147483649"),
        ("integer", "1.5"),
        ("integer", '"1"'),
        ("integer", "true"),
        ("boolean", "1"),
        ("boolean", '"true"'),
        ("timestamp", '"yesterday"'),
        ("timestamp", "5"),
        ("email", '"a.b"'),
        ("email", '"a b@c"'),
        ("email", "5"),
        ("map", "[]"),
        ("texts", '["a",1]'),
        ("texts", '"a"'),
        ("item_options", "[1]"),
        ("item_options", '[{"values":[]}]'),
        ("item_options", '[{"name":"a"}]'),
        ("item_options", '[{"name":"a","values":"b"}]'),
        ("item_options", '[{"name":"a","values":[],"_destroy":"yes"}]'),
        ("item_options", "{}"),
        ("variant_options", '[{"name":"a","value":null}]'),
        ("variant_options", '[{"name":1,"value":"a"}]'),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_the_fields_name(
    type: FieldType, literal: str
) -> None:
    with pytest.raises(Refused) as refused:
        read(resource_with(type), literal)

    assert details(refused).startswith("it must be ")


@pytest.mark.parametrize("literal", ["1e999", '"\\ud800"', '"\x01"', "[" * 5_000 + "]" * 5_000])
def test_a_value_that_cannot_be_read_is_refused(literal: str) -> None:
    with pytest.raises(Refused):
        read(resource_with("decimal"), literal)


@pytest.mark.parametrize(
    ("type", "kept"),
    [("text", "null"), ("texts", "[]"), ("map", "{}"), ("item_options", "[]")],
)
def test_null_clears_a_field(type: FieldType, kept: str) -> None:
    assert read(resource_with(type), "null") == kept
    assert read(resource_with(type), " null ") == kept


def test_null_puts_a_default_back() -> None:
    sent = fields_sent(b'{"item":{"status":null}}', RESOURCE["items"])

    assert checked(sent, RESOURCE["items"], creating=False) == {"status": msgspec.Raw(b'"draft"')}


def test_a_field_with_allowed_values_takes_no_other() -> None:
    resource = resource_with("text", allowed=("a", "b"))

    assert read(resource, '"b"') == '"b"'
    with pytest.raises(Refused) as refused:
        read(resource, '"c"')
    assert details(refused) == "it must be one of a, b"


@pytest.mark.parametrize("literal", ["null", '""', '" \\t"'])
@pytest.mark.parametrize("creating", [True, False])
def test_a_required_text_cannot_be_taken_away(literal: str, creating: bool) -> None:
    with pytest.raises(Refused):
        read(resource_with("text", required=True), literal, creating=creating)


def test_a_required_field_may_be_left_out_of_a_change_but_not_of_a_creation() -> None:
    resource = resource_with("text", required=True)

    assert checked({}, resource, creating=False) == {}
    with pytest.raises(Refused) as refused:
        checked({}, resource, creating=True)
    assert details(refused) == "it is required"


def test_read_only_and_unknown_fields_are_not_taken() -> None:
    resource = resource_with("text", read_only=True)
    sent = fields_sent(b'{"thing":{"it":5,"other":6},"beside":7}', resource)

    assert checked(sent, resource, creating=True) == {}


def test_a_refused_field_is_an_error_even_as_null() -> None:
    sent = fields_sent(b'{"variant":{"title":null}}', RESOURCE["variants"])

    with pytest.raises(Refused) as refused:
        checked(sent, RESOURCE["variants"], creating=False)

    assert details(refused) == "title is generated and not accepted in a body"


@pytest.mark.parametrize("body", [b'{"thing":5}', b'{"thing":[]}', b'{"thing":null}'])
def test_what_is_inside_the_wrapper_must_be_an_object(body: bytes) -> None:
    with pytest.raises(Refused) as refused:
        fields_sent(body, resource_with("text"))

    assert details(refused) == "thing must be an object"


@pytest.mark.parametrize(
    ("sent", "served"),
    [
        ('"02134"', "2134"),
        ('"000"', "0"),
        ('"90210"', "90210"),
        ("2134", "2134"),
        ('"SW1A 1AA"', '"SW1A 1AA"'),
        ('""', '""'),
        ('"٣"', '"٣"'),
    ],
)
def test_a_vendors_zip_is_a_number_where_it_is_all_digits(sent: str, served: str) -> None:
    fields = fields_sent(f'{{"vendor":{{"zip":{sent}}}}}'.encode(), RESOURCE["vendors"])

    zip_kept = checked(fields, RESOURCE["vendors"], creating=False)["zip"]

    assert bytes(zip_kept).decode() == served


def test_the_text_of_a_field_is_none_where_there_is_no_text() -> None:
    record: Record = {"a": msgspec.Raw(b'"x"'), "b": msgspec.Raw(b"5"), "c": msgspec.Raw(b"null")}

    assert [text_of(record, name) for name in "abcd"] == ["x", None, None, None]


def test_a_guid_is_36_characters_of_hex_and_hyphens() -> None:
    assert is_guid(GUID)
    assert not is_guid(GUID.replace("-", ""))
    assert not is_guid(5)
