"""Pages become tables, page by careful page where one holds what the fast decoder cannot take."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

import pytest

from wholesale.api.resources import RESOURCE
from wholesale.errors import ContentError
from wholesale.json.page import RawPage
from wholesale.tables.decoded import Misfit, Quarantined
from wholesale.tables.decoder import decode
from wholesale.tables.shapes import shape_of
from wholesale.tables.values import LONGEST_ID

T = TypeVar("T")

GUID = "8d4dfa72-e173-4266-aeb6-95ef0b5b6ed4"

PRICES = shape_of(RESOURCE["prices"])
ITEMS = shape_of(RESOURCE["items"])
ORDERS = shape_of(RESOURCE["orders"])
USERS = shape_of(RESOURCE["buyer_users"])


def page(number: int, *records: Any, parent: str | None = None) -> RawPage:
    return RawPage(json.dumps(records).encode(), number, parent)


def test_normal_pages_need_no_care() -> None:
    decoded = decode([page(1, {"id": "a", "moq": 1}), page(2, {"id": "b"}), page(3)], ITEMS)

    assert decoded.root.select(["id", "moq"]).to_pylist() == [
        {"id": "a", "moq": 1},
        {"id": "b", "moq": None},
    ]
    assert (decoded.careful_pages, decoded.records) == (0, 2)


def test_only_the_odd_page_is_read_with_care() -> None:
    pages = [page(1, {"id": "a"}), page(2, {"id": "b", "moq": "many"}), page(3, {"id": "c"})]

    decoded = decode(pages, ITEMS)

    assert decoded.root.select(["id", "moq", "_extra"]).to_pylist() == [
        {"id": "a", "moq": None, "_extra": None},
        {"id": "b", "moq": None, "_extra": '{"moq":"many"}'},
        {"id": "c", "moq": None, "_extra": None},
    ]
    assert decoded.careful_pages == 1
    assert decoded.misfits == (Misfit("items", "moq"),)


def test_what_does_not_fit_is_kept_as_it_was_sent() -> None:
    records = b'[{"id":"a","title":true,"sku":[1.50,"x"],"msrp":1e400,"moq":"3 x","upc":{}}]'

    (extra,) = decode([RawPage(records)], ITEMS).root["_extra"].to_pylist()

    assert json.loads(extra) == {
        "title": "true",
        "sku": '[1.50,"x"]',
        "msrp": "1e400",
        "moq": "3 x",
        "upc": "{}",
    }


def test_what_is_too_fine_is_rounded_in_its_column_and_kept_as_it_was_sent() -> None:
    records = b'[{"id":"a","msrp":1230.5600000000002},{"id":"b","msrp":"0.5"}]'

    found = decode([RawPage(records)], ITEMS)

    assert found.root.select(["id", "msrp", "_extra"]).to_pylist() == [
        {
            "id": "a",
            "msrp": Decimal("1230.560000000"),
            "_extra": '{"msrp":"1230.5600000000002"}',
        },
        {"id": "b", "msrp": Decimal("0.500000000"), "_extra": None},
    ]
    assert found.misfits == (Misfit("items", "msrp"),)


def test_a_field_has_one_column_in_whatever_style_its_name_comes() -> None:
    first = page(1, {"id": "a", "salesChannel": "web", "productCode": "P1"})
    second = page(2, {"id": "b", "SalesChannel": "shop", "product_code": "P2"})
    third = page(3, {"id": "c", "sales_channel": "fair", "sales-channel": "fair"})
    fourth = page(4, {"id": "d", "sales_channel": "fair", "salesChannel": "phone"})

    found = decode([first, second, third, fourth], ITEMS)
    again = decode([first, second], found.shape)

    columns = ["id", "sales_channel", "product_code", "_extra"]
    rows = [
        {"id": "a", "sales_channel": "web", "product_code": "P1", "_extra": None},
        {"id": "b", "sales_channel": "shop", "product_code": "P2", "_extra": None},
        {"id": "c", "sales_channel": "fair", "product_code": None, "_extra": None},
        {
            "id": "d",
            "sales_channel": "fair",
            "product_code": None,
            "_extra": '{"salesChannel":"phone"}',
        },
    ]
    assert found.root.select(columns).to_pylist() == rows
    assert again.root.select(columns).to_pylist() == rows[:2]
    assert (found.careful_pages, again.careful_pages) == (4, 0)


@pytest.mark.parametrize("is_first", [True, False])
def test_another_spelling_of_a_field_takes_no_column_from_its_own_name(is_first: bool) -> None:
    other, own = {"unitPrice": 5, "Title": "x"}, {"unit_price": "12.50", "title": "Candle"}
    both = {**other, **own} if is_first else {**own, **other}
    misfit = {"unitPrice": 5, "unit_price": "12,50"}

    found = decode([page(1, {"id": "a", **both}, {"id": "b", **misfit})], ITEMS)

    kept = [json.loads(text) for text in found.root["_extra"].to_pylist()]
    assert found.root.select(["title", "unit_price"]).to_pylist() == [
        {"title": "Candle", "unit_price": Decimal("12.5")},
        {"title": None, "unit_price": None},
    ]
    assert kept == [{"unitPrice": "5", "Title": "x"}, {"unit_price": "12,50", "unitPrice": "5"}]


@pytest.mark.parametrize("odd", [{}, {"moq": "many"}])
def test_guids_have_one_spelling_in_ids_and_references_of_records_and_their_children(
    odd: dict[str, str],
) -> None:
    """Fast and, where something is odd, with care. What is no GUID of an id stays as it came."""
    spelled = [GUID.upper(), GUID.replace("-", ""), f"{{{GUID}}}", f"URN:UUID:{GUID}", GUID]
    items = [
        {"id": record_id, "brand_id": GUID.upper(), "makerId": record_id, "title": record_id} | odd
        for record_id in spelled
    ]
    others = [{"id": f"{GUID.upper()}0", "brand_id": " A-b ", "makerId": f"{GUID} "}]
    orders = [
        {"id": spelled[0], "order_line_items": [{"order_id": spelled[1], "item_id": spelled[2]}]}
    ]

    found = decode([page(1, *items, *others)], decode([page(1, items[0])], ITEMS).shape)
    (line,) = decode([page(1, *orders)], ORDERS).tables["orders__order_line_items"].to_pylist()

    columns = ["id", "brand_id", "maker_id", "title"]
    assert [tuple(row.values()) for row in found.root.select(columns).to_pylist()] == [
        *((GUID, GUID, GUID, title) for title in spelled),
        (others[0]["id"], " A-b ", f"{GUID} ", None),
    ]
    assert found.careful_pages == len(odd)
    assert [line[name] for name in ("order_id", "item_id", "_extra")] == [GUID, GUID, None]


def test_a_list_whose_name_comes_in_another_style_is_read_with_care() -> None:
    sizes = page(1, {"id": "a", "options": [{"Values": ["S", "M"]}]})
    shape = decode([sizes], ITEMS).shape

    again = decode([sizes], shape)

    assert again.tables["items__options"]["values"].to_pylist() == ['["S","M"]']
    assert again.careful_pages == 1


def test_a_field_first_seen_on_one_page_has_a_column_on_all() -> None:
    pages = [page(1, {"id": "a"}), page(2, {"id": "b", "amount": "1.50"}), page(3, {"id": "c"})]

    decoded = decode(pages, PRICES)

    assert decoded.root.select(["id", "amount"]).to_pylist() == [
        {"id": "a", "amount": None},
        {"id": "b", "amount": Decimal("1.5")},
        {"id": "c", "amount": None},
    ]
    assert decoded.root.schema == decoded.shape.schema
    assert decode([page(4, {"id": "d", "amount": 2})], decoded.shape).careful_pages == 0


def test_children_follow_their_owners_over_pages() -> None:
    option = {"name": "Size", "values": ["S", "M"]}
    pages = [
        page(1, {"id": "a", "options": [option]}),
        page(2, {"id": "b", "options": "none"}, {"id": "c", "options": [7, None, option]}),
    ]

    decoded = decode(pages, ITEMS)

    size, none = {"name": "Size", "values": '["S","M"]'}, {"name": None, "values": None}
    assert decoded.tables["items__options"].to_pylist() == [
        size | {"item_id": "a", "option_number": 1, "_extra": None},
        none | {"item_id": "c", "option_number": 1, "_extra": '{"entry":"7"}'},
        none | {"item_id": "c", "option_number": 2, "_extra": None},
        size | {"item_id": "c", "option_number": 3, "_extra": None},
    ]
    assert decoded.owners["items__options"].to_pylist() == [0, 2, 2, 2]
    assert decoded.root["_extra"].to_pylist() == [None, '{"options":"none"}', None]


SIZE = {"name": "Size"}


@pytest.mark.parametrize(
    "sent", [SIZE, {"0": SIZE, "1": SIZE}, {"data": [SIZE]}, {}, "Size", 0, False]
)
def test_what_is_no_list_in_the_place_of_one_is_kept_as_it_was_sent(sent: Any) -> None:
    decoded = decode([page(1, {"id": "a", "options": sent})], ITEMS)

    assert decoded.carried["items__options"].to_pylist() == [False]
    assert len(decoded.tables["items__options"]) == 0
    text = sent if isinstance(sent, str) else json.dumps(sent, separators=(",", ":"))
    (extra,) = decoded.root["_extra"].to_pylist()
    assert json.loads(extra) == {"options": text}
    assert [(misfit.table, misfit.field) for misfit in decoded.misfits] == [("items", "options")]


def test_a_list_that_is_null_or_missing_is_neither_there_nor_a_misfit() -> None:
    decoded = decode([page(1, {"id": "a", "options": None}, {"id": "b"})], ITEMS)

    assert decoded.carried["items__options"].to_pylist() == [False, False]
    assert decoded.root["_extra"].to_pylist() == [None, None]


@pytest.mark.parametrize("odd", [{}, {"email": 5}], ids=["fast", "careful"])
def test_a_record_knows_the_parent_in_whose_list_it_was(odd: dict[str, Any]) -> None:
    pages = [
        page(1, {"id": "a"} | odd, {"id": "b", "buyer_id": "other"}, parent="p"),
        page(1, {"id": "c", "buyer_id": None}, parent="q"),
    ]

    decoded = decode(pages, USERS)

    assert decoded.root.select(["id", "buyer_id"]).to_pylist() == [
        {"id": "a", "buyer_id": "p"},
        {"id": "b", "buyer_id": "other"},
        {"id": "c", "buyer_id": "q"},
    ]


def test_records_without_a_usable_id_go_to_quarantine() -> None:
    pages = [
        page(7, {"id": "a"}, {"title": "x"}, None, {"id": []}, [1], 5),
        page(8, {"id": "b"}, None),
    ]

    decoded = decode(pages, ITEMS)

    assert decoded.root["id"].to_pylist() == ["a", "b"]
    assert decoded.records == 8
    assert decoded.quarantined == (
        Quarantined(7, 1, "has no id", '{"title":"x"}'),
        Quarantined(7, 2, "is no object", "null"),
        Quarantined(7, 3, "has an id that cannot be used", '{"id":[]}'),
        Quarantined(7, 4, "is no object", "[1]"),
        Quarantined(7, 5, "is no object", "5"),
        Quarantined(8, 1, "is no object", "null"),
    )


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (b'[{"id":"a","title":"\xff"}]', "page 3: body is no UTF-8 at byte 20"),
        (b'{"id":"a"}', "page 3: the list of records is no array"),
    ],
)
def test_a_page_that_cannot_be_kept_is_named(records: bytes, message: str) -> None:
    with pytest.raises(ContentError) as refusal:
        decode([page(2, {"id": "z"}), RawPage(records, 3)], ITEMS)

    assert str(refusal.value).startswith(message)


def test_a_page_that_cannot_be_kept_is_asked_for_again_where_that_is_possible() -> None:
    def refetch(read: Callable[[RawPage], T]) -> T:
        return read(page(3, {"id": "a", "title": "whole"}))

    decoded = decode([RawPage(b'[{"id":"a","id":"b"}]', 3, refetch=refetch)], ITEMS)

    assert decoded.root.select(["id", "title"]).to_pylist() == [{"id": "a", "title": "whole"}]


def test_a_page_that_is_broken_otherwise_when_it_comes_again_is_asked_for_once_more() -> None:
    def refetch(read: Callable[[RawPage], T]) -> T:
        with pytest.raises(ContentError):
            read(RawPage(b'[{"id":"a","id":"c"}]', 3))
        return read(page(3, {"id": "a", "title": "whole"}))

    decoded = decode([RawPage(b'[{"id":"a","id":"b"}]', 3, refetch=refetch)], ITEMS)

    assert decoded.root.select(["id", "title"]).to_pylist() == [{"id": "a", "title": "whole"}]
    assert decoded.quarantined == ()


def test_an_id_that_fits_no_address_goes_to_quarantine() -> None:
    longest = "x" * LONGEST_ID
    page = RawPage(json.dumps([{"id": longest}, {"id": longest + "x"}]).encode())

    decoded = decode([page], shape_of(RESOURCE["brands"]))

    assert decoded.root["id"].to_pylist() == [longest]
    assert [record.reason for record in decoded.quarantined] == ["has an id that cannot be used"]


def test_a_record_that_comes_again_with_a_key_twice_goes_to_quarantine_and_no_other() -> None:
    deep = '{"id":"c","x":' + "[" * 800 + "]" * 800 + "}"
    records = f'[{{"id":"a","title":"A"}},{{"id":"b","id":"x"}},{deep}]'.encode()
    again = RawPage(records, 3)

    def refetch(read: Callable[[RawPage], T]) -> T:
        return read(again)

    for found in (RawPage(records, 3, refetch=refetch), again):
        decoded = decode([found], ITEMS)

        assert decoded.root.select(["id", "title"]).to_pylist() == [{"id": "a", "title": "A"}]
        assert [(q.page, q.index, q.body) for q in decoded.quarantined] == [
            (3, 1, '{"id":"b","id":"x"}'),
            (3, 2, deep),
        ]
        assert decoded.quarantined[0].reason == "an object of the body names its key 'id' twice"
        assert decoded.quarantined[1].reason.startswith("body is nested too deep")
        assert decoded.records == 3


def test_line_breaks_between_and_within_records_do_no_harm() -> None:
    records = b'\r\n[\n  {\n    "id": "a",\n    "title": "x\\ny"\n  }\n]\n'

    decoded = decode([RawPage(records)], ITEMS)

    assert decoded.root.select(["id", "title"]).to_pylist() == [{"id": "a", "title": "x\ny"}]
    assert decoded.careful_pages == 0


def test_no_pages_and_empty_pages_are_empty_tables() -> None:
    for pages in ([], [RawPage(b"[]"), RawPage(b" [ ] ")]):
        decoded = decode(pages, ITEMS)

        assert {name: len(table) for name, table in decoded.tables.items()} == {
            "items": 0,
            "items__options": 0,
        }
        assert decoded.root.schema == ITEMS.schema
