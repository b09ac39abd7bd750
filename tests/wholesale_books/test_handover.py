"""What a receiver is handed: each kind, each filter, each refusal; nothing where nothing came."""

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.handed import BEGIN, PERSONAL
from support.warehouses.receivers import Desk
from wholesale.errors import ConfigurationError
from wholesale_books.handover.commands import wanted
from wholesale_books.handover.handing import Handing
from wholesale_books.handover.making import Older
from wholesale_books.handover.places import place_at
from wholesale_books.handover.settings import filter_of, require_name
from wholesale_elt.process.lock import AlreadyRunning
from wholesale_elt.warehouse import Warehouse


def deleted(is_deleted: bool) -> dict[str, Any]:
    return {"is_deleted": is_deleted, "deleted_at": BEGIN if is_deleted else None}


RECEIVED = {"order_status": "received", "is_cancelled": False}
CANCELLED = {"order_status": "void", "is_cancelled": True}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([{"total": Decimal("12.51")}], ["changed"]),
        ([CANCELLED], ["cancelled"]),
        ([CANCELLED, {"total": Decimal(1)}], ["cancelled", "changed"]),
        (
            [CANCELLED, {"order_status": "received", "is_cancelled": False}],
            ["cancelled", "changed"],
        ),
        ([deleted(True)], ["gone"]),
        ([deleted(True), deleted(False)], ["gone", "returned"]),
        ([deleted(True), {"total": Decimal(1)}], ["gone", "gone"]),
        ([deleted(True), deleted(False) | CANCELLED], ["gone", "returned"]),
        ([{"total": Decimal("12.500")}], [None]),
        ([{"buyer_company_name": None}], ["changed"]),
        ([{"buyer_company_name": ""}], ["changed"]),
    ],
)
def test_what_becomes_of_an_order_is_its_kind(
    desk: Desk, steps: Sequence[dict[str, Any]], expected: Sequence[str | None]
) -> None:
    for change, kind in zip(steps, expected, strict=True):
        desk.business.orders["o2"] |= change
        desk.versions.publish(desk.business)
        assert desk.hand_over() == ([(kind, "o2", None)] if kind else [])
    assert desk.counting.has | desk.counting.gone == desk.contents()


def test_a_sync_that_brought_nothing_hands_over_nothing(desk: Desk) -> None:
    for _ in range(3):
        desk.versions.publish(desk.business)
        assert desk.hand_over() == []
    assert desk.counting.number == 1


def test_lines_and_comments_are_of_the_content(desk: Desk) -> None:
    desk.business.lines["o1"].pop()
    desk.business.comments["o3"].clear()
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("changed", "o1", None), ("changed", "o3", None)]
    assert desk.counting.has == desk.contents()
    assert desk.counting.has["o3"]["order_comments"] == []


def test_what_was_deleted_before_it_was_handed_over_is_none_of_the_receivers(desk: Desk) -> None:
    desk.business.order("o4", **deleted(True))
    desk.versions.publish(desk.business)
    assert desk.hand_over() == []
    desk.business.orders["o4"] |= deleted(False)
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("new", "o4", None)]


def test_an_order_that_a_version_does_not_have_is_gone_without_content(desk: Desk) -> None:
    for rows in (desk.business.orders, desk.business.lines, desk.business.comments):
        del rows["o2"]
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("gone", "o2", "missing")]
    assert [line["order"] for line in desk.lines(2)] == [None]
    assert desk.hand_over() == []


def test_a_filter_that_changes_says_what_enters_and_leaves(desk: Desk) -> None:
    desk.business.orders["o2"]["vendor_id"] = "v2"
    desk.versions.publish(desk.business)
    assert desk.hand_over("vendor=v1") == [("left", "o2", "filter vendor")]
    assert [line["order"] for line in desk.lines(2)] == [None]
    assert desk.hand_over("vendor=v1", "state=shipped") == [
        ("left", "o1", "filter state"),
        ("left", "o3", "filter state"),
    ]
    desk.business.orders["o1"]["order_status"] = " SHIPPED"
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("entered", "o1", "state")]
    assert desk.hand_over("all") == [
        ("entered", "o2", "filter vendor"),
        ("entered", "o3", "filter state"),
    ]
    assert desk.counting.has == desk.contents()


def test_an_order_that_moves_says_by_which_rule(desk: Desk) -> None:
    assert desk.hand_over("vendor=v1", "state=received") == []
    desk.business.orders["o1"]["vendor_id"] = "v2"
    desk.business.orders["o2"]["order_status"] = "shipped"
    desk.business.order("o4", "v2")
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("left", "o1", "vendor"), ("left", "o2", "state")]
    desk.business.orders["o4"]["vendor_id"] = "v1"
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("entered", "o4", "vendor")]


def test_another_policy_is_told_as_why(desk: Desk) -> None:
    desk.business.orders["o2"]["shipping_zip"] = None
    desk.versions.publish(desk.business)
    assert desk.hand_over() == []
    desk.versions.publish(desk.business, allowed=PERSONAL[1:])
    assert desk.hand_over() == [("changed", "o1", "policy"), ("changed", "o3", "policy")]
    desk.handing().acknowledge(2)
    desk.business.orders["o3"]["total"] = Decimal(1)
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("changed", "o1", "policy"), ("changed", "o3", None)]
    assert desk.counting.has == desk.contents()


def test_what_a_stricter_policy_forbids_is_delivered_to_nobody_any_more(desk: Desk) -> None:
    desk.versions.publish(desk.business, allowed=PERSONAL)
    desk.place.rename(desk.folder / "away")
    assert desk.handing().hand_over().failure
    desk.versions.publish(desk.business)
    (desk.folder / "away").rename(desk.place)
    handed = desk.handing().hand_over()
    assert (list(handed.rewritten), len(handed.made)) == ([2], 0)
    texts = b"".join(path.read_bytes() for path in desk.folder.rglob("*.jsonl"))
    assert (b"10115" in texts, b"1234567" in texts) == (False, False)


def test_columns_of_another_release_are_told_as_why(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from support.warehouses import handed

    more = dict(handed.COLUMNS["fct_orders"], payment_status="varchar")
    monkeypatch.setitem(handed.COLUMNS, "fct_orders", more)
    desk.versions.publish(desk.business)
    assert desk.hand_over() == []
    desk.business.orders["o1"]["payment_status"] = "paid"
    desk.business.orders["o2"] |= {"payment_status": "paid", "total": Decimal(1)}
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("changed", "o1", "columns"), ("changed", "o2", None)]


def test_nothing_is_handed_over_of_what_is_not_certified(desk: Desk) -> None:
    desk.business.order("o4")
    desk.versions.publish(desk.business, is_complete=False)
    assert desk.run("ledger", "--to", str(desk.place))[0] == 3
    assert desk.run("ledger", "--status")[0] == 3
    assert desk.counting.read() == 1
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("new", "o4", None)]


def test_an_older_version_another_account_and_another_part_are_refused(desk: Desk) -> None:
    desk.versions.publish(desk.business, at=BEGIN)
    with pytest.raises(Older):
        desk.handing().hand_over()
    others: tuple[dict[str, Any], ...] = ({"source": "another"}, {"only": "vendor=v1"})
    for other in others:
        desk.versions.publish(desk.business, **other)
        with pytest.raises(ConfigurationError):
            desk.handing().hand_over()


def test_batches_are_acknowledged_in_order_and_once(desk: Desk) -> None:
    assert [desk.run("ledger", "--ack", number)[0] for number in ("2", "1", "1", "0")] == [
        1,
        0,
        0,
        2,
    ]
    assert desk.run("nobody", "--ack", "1")[0] == 2
    code, text = desk.run("ledger", "--status", "--json")
    told = json.loads(text)
    assert code == 0
    assert {
        name: told[name] for name in ("acknowledged", "delivered_up_to", "made", "waiting")
    } == {
        "acknowledged": 1,
        "delivered_up_to": 1,
        "made": 1,
        "waiting": [],
    }


def test_status_tells_what_would_be_new_and_makes_nothing(desk: Desk) -> None:
    desk.business.order("o4")
    desk.versions.publish(desk.business)
    before = sorted(desk.folder.rglob("*"))
    assert json.loads(desk.run("ledger", "--status", "--json")[1])["new"] == {"new": 1}
    assert json.loads(desk.run("other", "--status", "--json")[1])["new"] == {"new": 4}
    assert sorted(desk.folder.rglob("*")) == before


def test_a_batch_is_delivered_again_byte_for_byte(desk: Desk) -> None:
    desk.business.order("o4")
    desk.versions.publish(desk.business)
    desk.hand_over()
    before = {path: path.read_bytes() for path in desk.place.rglob("*") if path.is_file()}
    (desk.place / "000001" / "orders.jsonl").write_text("torn")
    (desk.place / "000002" / "manifest.json").unlink()
    assert desk.run("ledger", "--replay", "1")[0] == 0
    assert {path: path.read_bytes() for path in desk.place.rglob("*") if path.is_file()} == before
    assert desk.run("ledger", "--replay", "3")[0] == 1


def test_batches_are_kept_as_long_as_is_set(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKS__HAND_OVER", '{"ledger": {"keep_days": 0}}')
    for number in range(4, 8):
        desk.business.order(f"o{number}")
        desk.versions.publish(desk.business)
        desk.hand_over()
        desk.handing().acknowledge(desk.counting.number)
    kept = [batch.number for batch in desk.handing().receiver.batches()]
    assert kept == [5]
    assert len(list(desk.folder.rglob("state.parquet"))) == 1
    assert desk.run("ledger", "--replay", "4")[0] == 1
    desk.business.order("o8")
    desk.versions.publish(desk.business)
    assert desk.hand_over() == [("new", "o8", None)]
    assert desk.counting.has == desk.contents()


def test_two_commands_at_once_are_kept_apart(desk: Desk) -> None:
    with desk.handing().receiver.locked(), pytest.raises(AlreadyRunning):
        desk.handing().hand_over()


def test_receivers_know_nothing_of_each_other(desk: Desk) -> None:
    code, _ = desk.run("other", "--to", str(desk.folder / "other"))
    assert code == 0
    assert (desk.folder / "other/000001/manifest.json").exists()
    assert desk.run("other", "--to", str(desk.place))[0] == 0  # nothing new, so nothing is written
    assert desk.run("third", "--to", str(desk.place))[0] == 2  # it has a batch of another one
    assert desk.counting.read() == 1


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_other_formats_have_the_same_rows(desk: Desk, format_: str) -> None:
    desk.versions.publish(desk.business, allowed=PERSONAL)
    place = desk.folder / format_
    handing = Handing.of(
        Warehouse(desk.folder / "wholesale.duckdb"),
        *("tables", desk.versions.folder, str(place), format_),
    )
    assert handing.hand_over().failure == ""
    read = (
        "read_csv('{}', all_varchar = true, allow_quoted_nulls = false, header = true, "
        "delim = ',', quote = '\"', escape = '\"')"
    )
    read = read if format_ == "csv" else "read_parquet('{}')"
    for part, table in (
        ("orders", "fct_orders"),
        ("order_lines", "fct_order_lines"),
        ("order_comments", "fct_order_comments"),
    ):
        rows = desk.business.rows()[table]
        file = place / "000001" / f"{part}.{format_}"
        relation = duckdb.sql(f"from {read.format(file)} order by position")
        found = [dict(zip(relation.columns, values, strict=True)) for values in relation.fetchall()]
        assert [row["order_id"] for row in found] == [row["order_id"] for row in rows]
        for name in ("total", "total_price", "buyer_company_name", "sku", "body", "shipping_zip"):
            if name in rows[0]:
                wanted = [row[name] for row in rows]
                texts = format_ == "csv" and name.startswith("total")
                assert [row[name] for row in found] == [
                    format(value.normalize(), "f") if texts else value for value in wanted
                ], name


PLACES = (
    *("ftp://host/x", "http://host/x", "sftp://a/b", "mailto://x", "postgre://h/d", "mysql://h/d"),
    *("iceberg:catalogue", "md:name", "quack:host", "s3:bucket", "s3:/bucket", "gs:x", "", "  "),
    *("file://elsewhere/x", "file:x", "redis://x", "snowflake://a", "x://", "postgres://h:x/d"),
    *("postgres://ann:a@b@127.0.0.1:1/books", "postgres://h:0/d"),
)


@pytest.mark.parametrize("place", PLACES)
def test_places_that_take_no_batches_are_refused(desk: Desk, place: str) -> None:
    before = sorted(desk.folder.rglob("*"))
    with pytest.raises(ConfigurationError) as refused:
        place_at(place)
    assert "\n" not in str(refused.value)
    assert desk.run("fresh", "--to", place)[0] == 2
    assert [path for path in desk.folder.rglob("*.jsonl") if path not in before] == []


@pytest.mark.parametrize(
    "uri",
    [
        "postgres://ann:top%20secret@127.0.0.1:1/books",
        "postgres://127.0.0.1:1/books?user=ann&password=top-secret",
        "postgres://ann:top-secret@[::1]:1/books",
    ],
)
def test_no_password_is_printed_or_kept(desk: Desk, uri: str) -> None:
    code, text = desk.run("fresh", "--to", uri)
    assert code == 1
    assert "secret" not in text
    kept = [path for path in desk.folder.rglob("*") if path.is_file()]
    assert not any(b"secret" in path.read_bytes() for path in kept)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "A", "a b", "-a", "a-", "ä", "x" * 65])
def test_names_of_receivers_are_plain_words(name: str) -> None:
    with pytest.raises(ConfigurationError):
        require_name(name)


@pytest.mark.parametrize("word", ["", "vendor", "vendor=", "=v1", "buyer=b1", "all=", "state= "])
def test_filters_are_of_vendors_and_states(word: str) -> None:
    with pytest.raises(ConfigurationError):
        filter_of([word])


def test_a_vendor_without_orders_hands_over_nothing_and_one_that_is_not_known_is_refused(
    desk: Desk,
) -> None:
    with pytest.raises(ConfigurationError):
        desk.hand_over("vendor=v9")
    assert desk.hand_over("vendor=v3") == [
        ("left", f"o{number}", "filter vendor") for number in (1, 2, 3)
    ]


def test_a_full_place_loses_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import os

    desk.business.order("o4")
    desk.versions.publish(desk.business)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", full)
        assert desk.run("ledger", "--to", str(desk.place))[0] == 1
    assert desk.counting.read() == 1
    assert desk.run("ledger")[0] == 0
    assert desk.counting.read() == 2
    assert desk.counting.has == desk.contents()


def test_a_run_delivers_to_the_receivers_that_are_set(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wanted() == {}
    place = desk.folder / "set"
    monkeypatch.setenv("BOOKS__HAND_OVER", json.dumps({"desk": {"to": str(place)}}))
    assert list(wanted()) == ["hand-over"]
    wrongs: tuple[dict[str, Any], ...] = (
        {"desk": {}},
        {"desk": {"to": "ftp://x"}},
        {"desk": {"two": 1}},
        {"A": {}},
    )
    for wrong in wrongs:
        monkeypatch.setenv("BOOKS__HAND_OVER", json.dumps(wrong))
        with pytest.raises(ConfigurationError):
            wanted()


def test_a_setting_that_is_wrong_shows_no_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    told = {"desk": {"to": "postgres://ann:secret@host/books", "format": "xml"}}
    monkeypatch.setenv("BOOKS__HAND_OVER", json.dumps(told))
    with pytest.raises(ConfigurationError) as refused:
        wanted()
    assert "secret" not in str(refused.value)
