"""A fleet holds what its accounts have published, every row and digit, and says what it lacks."""

import os
import shutil
import signal
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import wholesale_fleet.consolidation.publisher as publishing
from support.warehouses.accounts import columns_of, rows_of
from support.warehouses.fleets import OF_SOUTH, Desk
from wholesale.errors import WholesaleError
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.publish.folder import Folder
from wholesale_fleet.consolidation.tables import INCLUDED_TABLES, OF_A_DAY, OF_ALL_TIME


def test_every_row_of_every_account_is_there_with_all_its_columns(desk: Desk) -> None:
    desk.publish()

    for key in INCLUDED_TABLES:
        found = desk.rows(f"select account_id, * exclude account_id from {key}(?)", str(desk.fleet))
        expected = [
            (name, *row)
            for name in desk.names
            for row in rows_of(desk.account(name) / "wholesale.duckdb", f"from {key}")
        ]
        assert sorted(found, key=repr) == sorted(expected, key=repr), key
        assert len(found) > 0


def test_the_tables_that_are_taken_are_published_with_the_columns_that_they_need() -> None:
    for key, taken in INCLUDED_TABLES.items():
        assert set(taken.needs) <= columns_of(key).keys(), key


def test_sums_are_those_of_the_accounts_to_the_last_digit_within_one_currency(desk: Desk) -> None:
    desk.publish()
    sums = {
        (row[0], row[1]): dict(zip(OF_ALL_TIME, row[3:], strict=True))
        for row in desk.rows(
            "select currency, time_zone, account_count,"
            f" {', '.join(OF_ALL_TIME)} from wholesale_bi.fleet_sales"
        )
    }
    of_days = {
        currency: dict(zip(OF_A_DAY, found, strict=True))
        for currency, *found in desk.rows(
            f"select currency, {', '.join(f'sum({name})' for name in OF_A_DAY)}"
            " from wholesale_bi.fleet_daily_sales group by currency"
        )
    }

    east, west, south = (
        desk.sums(name, OF_ALL_TIME, "wholesale_bi.rpt_headlines")
        for name in ("east", "west", "south")
    )
    assert sums == {
        ("EUR", "Europe/Vienna"): {name: east[name] + west[name] for name in OF_ALL_TIME},
        ("USD", "America/New_York"): south,
    }
    assert Decimal(east["sales_amount"]).normalize().as_tuple().exponent == -9
    east, west, south = (
        desk.sums(name, OF_A_DAY, "wholesale_bi.rpt_daily_sales")
        for name in ("east", "west", "south")
    )
    assert of_days == {
        "EUR": {name: east[name] + west[name] for name in OF_A_DAY},
        "USD": south,
    }


@pytest.mark.slow
def test_what_means_something_else_is_not_added_up_and_a_table_says_so(desk: Desk) -> None:
    others = {
        "time_zone": "'Europe/Paris'",
        "is_discount_in_amounts": "true",
        "cancelled_order_statuses": "'cancelled, void'",
        "refunded_payment_statuses": "''",
        "largest_amount": "cast(10 as decimal(38, 9))",
        "largest_quantity": "cast(10 as bigint)",
        "first_plausible_day": "date '2020-01-01'",
        "build_key": "'4567'",
    }
    desk.names = ["east", "west", *others]
    for seed, (name, value) in enumerate(others.items()):
        desk.build(name, seed, **{name: value})
    desk.publish()

    counts = desk.rows("select currency, account_count from wholesale_bi.fleet_sales order by all")
    assert counts == [("EUR", 1)] * len(others) + [("EUR", 2)]
    settings = {
        account: (settings_id, values)
        for account, settings_id, *values in desk.rows(
            f"select account_id, settings_id, {', '.join(others)} from wholesale_bi.fleet_settings"
        )
    }
    assert settings["west"] == settings["east"]
    for place, name in enumerate(others):
        settings_id, values = settings[name]
        assert settings_id != settings["east"][0]
        differing = [at for at, value in enumerate(values) if value != settings["east"][1][at]]
        assert differing == [place]


@pytest.mark.slow
def test_amounts_in_no_known_currency_are_added_to_no_others(desk: Desk) -> None:
    desk.names = ["east", "west", "south"]
    for seed, name in enumerate(desk.names):
        desk.build(name, seed, **({} if name == "south" else {"currency": "'XXX'"}))
    desk.publish()

    sums = desk.rows("select currency, account_count from wholesale_bi.fleet_sales order by all")
    assert sums == [("EUR", 1), ("XXX", 1), ("XXX", 1)]


@pytest.mark.slow
def test_only_files_of_an_account_that_has_published_since_are_new(desk: Desk) -> None:
    first = desk.publish()
    before = {name: desk.inodes(name) for name in desk.names}
    desk.build("west", 4)
    second = desk.publish()
    after = {name: desk.inodes(name) for name in desk.names}

    assert (first.changed, first.same) == (["east", "south", "west"], [])
    assert (second.changed, second.same, second.gone) == (["west"], ["east", "south"], [])
    assert after["east"] == before["east"]
    assert after["south"] == before["south"]
    # Settings that are the same are one file in both versions of the account.
    assert {
        table for table in INCLUDED_TABLES if after["west"][table] == before["west"][table]
    } == {"wholesale_marts.dim_settings"}
    assert [entry.account_id for entry in desk.manifest.accounts] == ["east", "south", "west"]


@pytest.mark.slow
def test_what_is_taken_over_is_what_a_fleet_made_afresh_has(desk: Desk) -> None:
    desk.publish()
    desk.build("west", 4)
    desk.publish()
    found = desk.tables()
    shutil.rmtree(desk.fleet)
    desk.publish()

    assert found == desk.tables()
    assert len(found) == len(INCLUDED_TABLES) + 7


def test_files_are_those_of_the_accounts_and_take_no_room(desk: Desk) -> None:
    desk.publish()

    for part in desk.manifest.parts:
        own = desk.account(part.account_id)
        [path] = own.glob(f"versions/*/parquet/{part.schema}/{part.table}.parquet")
        assert path.samefile(desk.fleet / part.path)


def test_a_fleet_of_which_nothing_changed_is_not_published_again(desk: Desk) -> None:
    first = desk.publish()
    again = desk.publish()
    desk.told["west"] = {"status": "incomplete", "trouble": "the service answered 503"}
    told = desk.publish()

    assert (first.result, again.result, told.result) == (
        *("published", "already published", "published"),
    )
    assert (again.version, again.changed, again.same) == (first.version, [], desk.names)
    assert told.changed == []
    assert desk.rows(
        "select verdict, is_counted, status, trouble from wholesale_bi.fleet_accounts"
        " where account_id = 'west'"
    ) == [("complete", True, "incomplete", "the service answered 503")]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["fleet.duckdb", "parquet/*/fct_orders/*west/*"])
def test_a_version_of_which_a_file_is_gone_is_made_anew(desk: Desk, path: str) -> None:
    desk.publish()
    expected = desk.tables()
    [lost] = desk.fleet.glob(f"versions/*/{path}")
    lost.unlink()
    again = desk.publish()

    assert again.result == "published"
    assert desk.tables() == expected


def test_an_account_that_is_dead_keeps_its_last_version_and_one_without_has_no_numbers(
    desk: Desk,
) -> None:
    desk.names += ["young"]
    desk.told["young"] = {"status": "never synced", "status_as_of": None}
    desk.told["west"] = {"status": "complete", "trouble": "GET /orders got no usable response"}
    desk.build("south", 3, reason="pages moved", **OF_SOUTH)
    found = desk.publish()

    assert found.changed == ["east", "south", "west"]
    assert found.reasons == ["south: orders: pages moved", "young: nothing is published"]
    accounts = desk.rows(
        "select account_id, verdict, as_of is null, is_counted, reason, status, trouble"
        " from wholesale_bi.fleet_accounts order by 1"
    )
    assert accounts == [
        ("east", "complete", False, True, None, "complete", None),
        ("south", "incomplete", False, True, "orders: pages moved", "complete", None),
        ("west", "complete", False, True, None, "complete", "GET /orders got no usable response"),
        ("young", None, True, False, "nothing is published", "never synced", None),
    ]
    assert desk.rows("select currency, verdict from wholesale_bi.fleet_sales order by 1") == [
        ("EUR", "complete"),
        ("USD", "incomplete"),
    ]
    assert (desk.manifest.verdict, desk.manifest.as_of) == (
        *("incomplete", "2026-03-01T06:00:00.000000Z"),
    )


def test_an_account_that_is_no_longer_named_goes(desk: Desk) -> None:
    desk.publish()
    desk.names.remove("west")
    found = desk.publish()

    assert (found.accounts, found.gone, found.same) == (2, ["west"], ["east", "south"])
    assert desk.inodes("west") == {}
    assert desk.rows(
        "select distinct account_id from wholesale_marts.fct_orders(?) order by 1", str(desk.fleet)
    ) == [("east",), ("south",)]


def test_its_functions_read_a_folder_whose_name_has_signs_of_a_pattern(desk: Desk) -> None:
    desk.publish()
    read = "select distinct account_id from wholesale_marts.fct_orders(?) order by 1"
    before = desk.rows(read, str(desk.fleet))
    moved = desk.fleet.rename(desk.fleet.with_name("shops [eu] *"))

    database = next(moved.rglob("fleet.duckdb"))
    with duckdb.connect(str(database), read_only=True) as connection:
        assert connection.execute(read, [str(moved)]).fetchall() == before != []


def test_a_fleet_without_any_numbers_says_of_each_account_why(desk: Desk) -> None:
    desk.names = ["young"]
    found = desk.publish()

    assert (found.as_of, found.reasons) == (None, ["young: nothing is published"])
    assert desk.rows("select count(*) from wholesale_bi.fleet_sales") == [(0,)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "drop table wholesale_marts.dim_items",
            "its version has no wholesale_marts.dim_items: publish it with its marts",
        ),
        (
            "alter table wholesale_bi.rpt_headlines drop fee_amount",
            "its version has no wholesale_bi.rpt_headlines.fee_amount: run it with this release",
        ),
        (
            "alter table wholesale_marts.fct_orders alter total type double",
            "its wholesale_marts.fct_orders.total is DOUBLE, and DECIMAL(18,9) elsewhere:"
            " run it with this release",
        ),
    ],
)
def test_what_cannot_stand_with_others_is_refused_in_a_line(
    desk: Desk, change: str, said: str
) -> None:
    desk.build("west", 2, change)
    desk.build("east", 1)
    found = desk.publish()

    assert found.reasons == [f"west: {said}"]
    assert found.changed == ["east", "south"]
    assert desk.inodes("west") == {}


@pytest.mark.slow
def test_an_account_that_was_counted_has_no_numbers_once_it_is_refused(desk: Desk) -> None:
    desk.names = ["west"]
    desk.build("west", 2, "alter table wholesale_marts.fct_orders alter total type double")
    desk.publish()
    desk.build("east", 1)
    desk.names = ["east", "west"]
    found = desk.publish()

    assert (found.changed, found.gone) == (["east"], ["west"])
    for table in ("columns", "settings", "account_sales", "account_daily_sales"):
        assert desk.rows(f"select distinct account_id from wholesale_bi.fleet_{table}") == [
            ("east",)
        ]


def test_a_column_that_an_account_lacks_is_null_there_and_a_table_says_so(desk: Desk) -> None:
    desk.build("west", 2, "alter table wholesale_marts.fct_orders drop unit_count")
    desk.publish()

    assert desk.manifest.verdict == "complete"
    assert desk.rows(
        "select account_id, count(unit_count) > 0 from wholesale_marts.fct_orders(?) group by 1"
        " order by 1",
        str(desk.fleet),
    ) == [("east", True), ("south", True), ("west", False)]
    assert desk.rows("from wholesale_bi.fleet_columns where is_absent") == [
        ("west", "wholesale_marts.fct_orders", "unit_count", "BIGINT", True)
    ]


@pytest.mark.slow
def test_what_can_identify_a_person_stays_with_the_account(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIVACY__PUBLISHED", '["dim_buyers.email", "dim_buyers.phone"]')
    desk.build("west", 2)
    monkeypatch.delenv("PRIVACY__PUBLISHED")
    emails = rows_of(
        desk.account("west") / "wholesale.duckdb", "select email from wholesale_marts.dim_buyers"
    )
    assert len(emails) == 40
    desk.publish()
    first = desk.inodes("west")
    desk.build("east", 5)
    desk.publish()

    columns = [
        name
        for (name,) in desk.rows(
            "select column_name from (describe from wholesale_marts.dim_buyers(?))", str(desk.fleet)
        )
    ]
    assert "email" not in columns
    assert "phone" not in columns
    assert len(desk.rows("from wholesale_marts.dim_buyers(?)", str(desk.fleet))) == 3 * 40
    assert desk.inodes("west") == first
    mode = (desk.fleet / desk.manifest.parts[0].path).stat().st_mode
    assert mode & 0o044


@pytest.mark.parametrize("station", ["write_reports", "repair"])
def test_a_publication_that_is_killed_leaves_the_last_version(
    desk: Desk, station: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-way through its tables, and when all is there but what points to it."""
    desk.publish()
    before, tables = desk.manifest, desk.tables()
    desk.build("west", 4)
    child = os.fork()
    if not child:
        place = publishing if hasattr(publishing, station) else Folder
        monkeypatch.setattr(place, station, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        desk.publish()
        os._exit(1)
    _, status = os.waitpid(child, 0)

    assert os.WTERMSIG(status) == signal.SIGKILL
    assert desk.manifest == before
    assert desk.tables() == tables
    assert desk.publish().changed == ["west"]
    assert list((desk.fleet / "versions").glob(".*")) == []


@pytest.mark.slow
def test_old_versions_go_and_all_of_them_where_an_account_has_forgotten(desk: Desk) -> None:
    for seed in range(4, 8):
        desk.build("west", seed)
        last = desk.publish(keep=2)
    assert len(last.removed) == 1
    assert len(list((desk.fleet / "versions").iterdir())) == 2

    shutil.rmtree(desk.account("west"))  # as if all that was published had been made anew
    desk.build("west", 8)
    desk.publish(keep=5)

    assert [path.name for path in (desk.fleet / "versions").iterdir()] == [desk.manifest.version]


def test_two_at_once_do_not_mix(desk: Desk) -> None:
    desk.publish()
    with hold(desk.fleet / ".lock", "the folder"), pytest.raises(AlreadyRunning):
        desk.publish()


def test_a_version_that_goes_while_it_is_taken_is_a_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(path: Path, other: Path) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(publishing, "link", lose)
    with pytest.raises(WholesaleError, match="east was published anew; publish the fleet again"):
        desk.publish()


def test_any_engine_reads_the_files_by_account(desk: Desk) -> None:
    desk.publish()
    folder = desk.fleet / "versions" / desk.manifest.version / "parquet"

    found = duckdb.sql(
        f"select account_id, count(*) from '{folder}/wholesale_marts/fct_orders/*/*.parquet'"
        " group by 1"
        " order by 1"
    ).fetchall()

    assert found == [("east", 40), ("south", 40), ("west", 40)]


def test_amounts_of_an_account_may_need_more_digits_than_those_of_another(desk: Desk) -> None:
    desk.build("west", 2, "update wholesale_marts.fct_orders set total = 1e20")
    desk.build("east", 1, "update wholesale_marts.fct_orders set total = 1.5")

    assert desk.publish().reasons == []
    assert desk.rows(
        "select account_id, max(total) = if(account_id = 'west', 1e20::decimal(38, 9), 1.5)"
        " from wholesale_marts.fct_orders(?) where account_id <> 'south' group by 1 order by 1",
        str(desk.fleet),
    ) == [("east", True), ("west", True)]
