"""Masking: what is left of a batch."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from support.records.lists import decoded
from support.records.people import MARK, nameless, text_of, world
from support.records.samples import guid
from wholesale.api import CLASSES
from wholesale.privacy.erased import Erased
from wholesale.privacy.masking import STORE_ALL, Masking
from wholesale.privacy.policy import Policy, PrivacySettings
from wholesale.tables import Decoded

KEY = "a key of sixteen characters"
EVERY = list(CLASSES)


def masking(**settings: Any) -> Masking:
    return Masking(Policy.of(PrivacySettings.model_validate({"hash_key": KEY, **settings})))


def rows(decoded: Decoded) -> dict[str, list[dict[str, Any]]]:
    return {name: table.to_pylist() for name, table in decoded.tables.items()}


def test_what_may_be_kept_stays_as_it_came() -> None:
    orders = decoded("orders", world()["orders"])

    assert STORE_ALL.mask(orders) is orders
    assert rows(masking(drop=["payment"]).mask(orders)) != rows(orders)


@pytest.mark.parametrize("treatment", ["hash", "drop"])
@pytest.mark.parametrize("resource", ["orders", "buyers", "buyer_users", "vendors"])
def test_no_value_is_left_of_classes_that_are_not_kept(resource: str, treatment: str) -> None:
    came = decoded(resource, world()[resource])
    assert MARK in str(rows(came))

    left = masking(**{treatment: EVERY}).mask(came)

    assert MARK not in str(rows(left))
    for name, table in left.tables.items():
        assert table.schema == came.tables[name].schema
        table.validate(full=True)


@pytest.mark.parametrize("class_", EVERY)
def test_of_one_class_only_its_own_values_go(class_: str) -> None:
    """Those that no column holds have the class of their field's name."""
    for resource, records in world().items():
        came = decoded(resource, records)

        left = str(rows(masking(drop=[class_]).mask(came)))

        for other in EVERY:
            said = text_of({resource: records}).count(f"{MARK}-{other}-")
            assert left.count(f"{MARK}-{other}-") == (0 if other == class_ else said), other


def test_a_value_has_one_hash_in_every_table() -> None:
    hashing = masking(hash=["company", "name"])
    of = {name: rows(hashing.mask(decoded(name, found)))[name] for name, found in world().items()}

    assert of["orders"][0]["buyer_company_name"] == of["buyers"][0]["company_name"]
    assert of["orders"][0]["shipping_name"] == of["buyer_users"][0]["full_name"]
    assert of["orders"][2]["shipping_name"] != of["buyer_users"][0]["full_name"]


def test_a_hash_stands_in_texts_and_in_json_and_of_numbers_and_times_nothing_is_left() -> None:
    hashing = masking(hash=["undocumented"])
    came = decoded(
        "prices",
        [{"id": "1", "memo": "a", "floor": 1.5, "seen_at": "2026-01-01", "tree": {"a": 1}}],
    )
    [row] = rows(hashing.mask(came))["prices"]

    assert rows(came)["prices"] == [
        {
            "id": "1",
            "memo": "a",
            "floor": came.root["floor"][0].as_py(),
            "seen_at": datetime(2026, 1, 1, tzinfo=UTC),
            "tree": '{"a":1}',
            "_extra": None,
            "_deleted_at": None,
        }
    ]
    assert row == {
        "id": "1",
        "memo": hashing.policy.hash("a"),
        "floor": None,
        "seen_at": None,
        "tree": json.dumps(hashing.policy.hash('{"a":1}')),
        "_extra": None,
        "_deleted_at": None,
    }


def test_a_value_beside_the_columns_has_the_treatment_of_its_name_or_is_undocumented() -> None:
    came = decoded("buyers", [{"id": "1", "email": {"a": 1}, "city": [2], "price_list_id": {}}])
    hashing = masking(hash=["contact"], drop=["undocumented"])

    [row] = rows(hashing.mask(came))["buyers"]

    assert json.loads(row["_extra"]) == {"email": hashing.policy.hash('{"a":1}'), "city": "[2]"}


@pytest.mark.parametrize(
    ("settings", "body"),
    [
        ({}, '{"company_name":"zq-company-nobody","email":"zq-contact-nobody"}'),
        ({"drop": ["name"]}, None),
        ({"drop": ["name"], "hash": ["undocumented"]}, '"ea1b517270671ea9edb01547113675e4"'),
    ],
)
def test_of_a_record_without_an_id_all_is_kept_or_nothing_can_be_read(
    settings: dict[str, Any], body: str | None
) -> None:
    came = decoded("buyers", [nameless()])

    [quarantined] = masking(**settings).mask_bodies(came.quarantined, "buyers")

    assert quarantined.body == body


def test_of_an_erased_buyer_nothing_is_left_but_keys_and_business() -> None:
    erased = Erased(b"salt").adding("buyer", [guid("B1")])
    for resource in ("buyers", "buyer_users", "orders"):
        came = decoded(resource, world()[resource])

        left = rows(Masking(erased=erased).mask(came))

        for table, before in rows(came).items():
            for was, row in zip(before, left[table], strict=True):
                if guid("B2") in was.values() or was.get("order_id") == guid("O3"):
                    assert row == was
                else:
                    assert MARK not in str(row)
                    business = {"id", "order_id", "buyer_id", "total", "status", "updated_at"}
                    assert {k: row[k] for k in business & row.keys()} == {
                        k: was[k] for k in business & row.keys()
                    }


def test_of_an_erased_person_the_company_stays_and_so_do_its_other_people() -> None:
    world_ = world()
    erased = (
        Erased(b"salt")
        .adding("person", [guid("P1")])
        .adding("contact", ["zq-contact-P1"])
        .adding_name(guid("B1"), "zq-name-P1")
    )

    def left(resource: str) -> dict[str, list[dict[str, Any]]]:
        return rows(Masking(erased=erased).mask(decoded(resource, world_[resource])))

    first, second, third = left("orders")["orders"]
    assert (first["shipping_name"], first["billing_name"], first["buyer_company_name"]) == (
        None,
        None,
        "zq-company-B1",
    )
    assert (second["shipping_name"], second["billing_name"]) == ("zq-name-P2", None)
    assert third["billing_name"] == "zq-name-P3"
    assert [row["author"] for row in left("orders")["orders__order_comments"]] == [
        None,
        "zq-name-P2",
        "zq-name-P3",
    ]
    assert [row["full_name"] for row in left("buyer_users")["buyer_users"]] == [
        None,
        "zq-name-P2",
        "zq-name-P3",
    ]


def test_a_vendor_is_not_reached_by_the_address_of_who_was_erased() -> None:
    came = decoded("vendors", world()["vendors"])
    erased = Erased(b"salt").adding("contact", ["zq-contact-V1"])

    left = rows(Masking(erased=erased).mask(came))

    (was,) = rows(came)["vendors"]
    assert was["email"] == "zq-contact-V1"
    assert left == {**rows(came), "vendors": [{**was, "email": None}]}


def test_where_anybody_was_erased_no_record_without_an_id_that_may_be_theirs_is_kept() -> None:
    quarantined = decoded("buyers", [nameless()]).quarantined
    erased = Masking(erased=Erased(b"salt").adding("buyer", ["1"]))

    assert [found.body for found in erased.mask_bodies(quarantined, "buyers")] == [None]
    assert erased.mask_bodies(quarantined, "items") == quarantined
    named = Masking(erased=Erased(b"salt").adding("contact", ["zq-contact-nobody@quux.test"]))
    told = [replace(quarantined[0], body='{"by":"\\nZQ-contact-nobody@quux.test"}'), *quarantined]
    assert [found.body for found in named.mask_bodies(told, "items")] == [
        None,
        quarantined[0].body,
    ]


@pytest.mark.parametrize("spelled", [guid("B1").upper(), guid("B1").replace("-", "")])
def test_who_was_erased_is_known_in_every_spelling_of_the_id(spelled: str) -> None:
    came = decoded("orders", [world()["orders"][0] | {"buyer_id": spelled}])
    erased = Erased(b"salt").adding("buyer", [guid("B1")]).adding_name(guid("B1"), "zq-name-P1")

    (row,) = rows(Masking(erased=erased).mask(came))["orders"]

    assert (row["buyer_id"], row["shipping_name"], row["buyer_company_name"]) == (
        guid("B1"),
        None,
        None,
    )


@pytest.mark.parametrize("treatment", ["keep", "hash"])
def test_an_erased_contact_is_found_in_whatever_may_be_personal(treatment: str) -> None:
    """As it came, or as the hash that a policy stores of it."""
    mail = "xyz@quux.test"
    policy = masking(**{treatment: ["contact", "undocumented", "reference"]}).policy
    stored = mail if treatment == "keep" else policy.hash(mail)
    erased = Erased(b"salt").adding("contact", [stored, "555123"])
    fields = {"email": mail, "memo": mail, "city": "for\nXYZ@quux.test", "zip": "555123"}
    came = decoded("buyers", [{"id": "1", **fields, "rank": 1, "tree": ["x\nxyz@quux.test"]}])

    [row] = rows(Masking(policy, erased).mask(came))["buyers"]

    assert (row["id"], row["email"], row["memo"], row["zip"]) == ("1", None, None, "555123")
    assert (row["city"] is None) == (treatment == "keep")
    assert mail not in str(row["tree"])


def test_where_no_contact_was_erased_none_is_looked_for() -> None:
    came = decoded("buyers", [{"id": "1", "memo": "xyz@quux.test"}])

    [row] = rows(Masking(erased=Erased(b"salt").adding("buyer", ["2"])).mask(came))["buyers"]

    assert row["memo"] == "xyz@quux.test"
