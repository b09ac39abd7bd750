"""Records are created, changed and deleted by the rules, seen from the storage."""

from datetime import UTC, datetime

import msgspec
import pytest
from msgspec import Raw

from wholesale_sandbox.business import records
from wholesale_sandbox.business.validation import Record
from wholesale_sandbox.responses.response import Refused
from wholesale_sandbox.storage.database import Storage

NOW = datetime(2026, 1, 2, 3, 4, 5, 6, UTC)
EARLIER = datetime(2026, 1, 1, tzinfo=UTC)


def sent(**values: object) -> Record:
    return {name: Raw(msgspec.json.encode(value)) for name, value in values.items()}


def plain(record: Record) -> dict[str, object]:
    return {name: msgspec.json.decode(value) for name, value in record.items()}


def test_a_timestamp_is_utc_with_microseconds() -> None:
    assert records.timestamp(NOW) == "2026-01-02T03:04:05.000006Z"


def test_a_record_has_all_its_fields_and_is_stored_as_it_is_answered() -> None:
    storage = Storage()

    made = records.create(storage, "price_lists", sent(title="Retail"), now=NOW, record_id="p")

    stamp = "2026-01-02T03:04:05.000006Z"
    assert plain(made) == {
        "id": "p",
        "title": "Retail",
        "description": None,
        "created_at": stamp,
        "updated_at": stamp,
    }
    assert storage.collection("price_lists").get("p") == msgspec.json.encode(made)


def test_each_change_has_a_later_time_even_when_the_clock_has_not() -> None:
    storage = Storage()
    records.create(storage, "price_lists", sent(title="Retail"), now=NOW, record_id="p")

    times = [
        plain(records.update(storage, "price_lists", "p", {}, now=now))["updated_at"]
        for now in (NOW, EARLIER)
    ]

    assert times == ["2026-01-02T03:04:05.000007Z", "2026-01-02T03:04:05.000008Z"]


@pytest.mark.parametrize("former", [b'"no time"', b"5", b"null"])
def test_a_record_of_odd_time_can_be_changed(former: bytes) -> None:
    storage = Storage()
    storage.collection("price_lists").put("p", b'{"id":"p","updated_at":%b}' % former)

    changed = records.update(storage, "price_lists", "p", sent(title="New"), now=NOW)

    assert plain(changed) == {
        "id": "p",
        "updated_at": "2026-01-02T03:04:05.000006Z",
        "title": "New",
    }


def test_a_change_keeps_fields_that_are_not_known_and_every_other_literal() -> None:
    storage = Storage()
    storage.collection("prices").put("p", b'{"unheard_of": 1.50, "unit_price": 2.0, "id": "p"}')

    records.update(storage, "prices", "p", {"unit_price": Raw(b"3.00")}, now=NOW)

    body = storage.collection("prices").get("p")
    assert body == (
        b'{"unheard_of":1.50,"unit_price":3.00,"id":"p","updated_at":"2026-01-02T03:04:05.000006Z"}'
    )


def test_a_variant_whose_parent_did_not_change_for_it_keeps_its_very_bytes() -> None:
    storage = Storage()
    item = b'{"id":"i","title":"Mug","product_code":"M","category_id":null,"variants_count":1}'
    variant = (
        b'{ "id":"v", "parent_id":"i", "parent_title":"Mug", "parent_product_code":"M",'
        b' "title":"", "category_id":null, "vendor_id":null, "brand_id":null,'
        b' "category_name":null, "vendor_name":null, "brand_name":null }'
    )
    storage.collection("items").put("i", item)
    storage.collection("variants").put("v", variant, parent_id="i")

    records.update(storage, "items", "i", sent(description="New"), now=NOW)

    assert storage.collection("variants").get("v") == variant


def test_what_is_not_there_is_not_found() -> None:
    storage = Storage()

    for act in (
        lambda: records.update(storage, "items", "x", {}, now=NOW),
        lambda: records.set_fields(storage, "items", "x", {}, now=NOW),
        lambda: records.delete(storage, "items", "x"),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.response.status == 404


def test_a_refused_record_leaves_nothing_behind() -> None:
    storage = Storage()

    with pytest.raises(Refused):
        records.create(
            storage,
            "prices",
            sent(price_list_id="00000000-0000-4000-8000-000000000001", unit_price=1),
            now=NOW,
        )

    assert storage.collection("prices").count() == 0
