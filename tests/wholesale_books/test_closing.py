"""A month that is closed stays what it was, and one that cannot be closed says why."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from support.warehouses.closing import Accounting
from wholesale.api.personal import CLASS_OF_FIELD
from wholesale_books.counting import count_month, metrics_of_a_month
from wholesale_books.months import closed_months, first_day
from wholesale_elt.causes import AFTER, BEFORE, difference
from wholesale_elt.figures import Question
from wholesale_elt.process.lock import hold
from wholesale_elt.publish import publish_marts
from wholesale_elt.publish.pins import pins_in
from wholesale_elt.runs import UnknownState
from wholesale_elt.warehouse import open_file, open_files


def test_a_month_is_closed_with_all_its_figures_and_the_version_that_has_them(
    accounting: Accounting,
) -> None:
    month, manifest = accounting.months[0], accounting.manifest

    done = accounting.run("close", month, "--note", " as agreed ", "--by", "Ann")

    assert (done.code, done.answer.get("is_new")) == (0, True), done.text
    [closed] = closed_months(accounting.book)
    assert (closed.month, closed.number) == (date.fromisoformat(f"{month}-01"), 1)
    assert (closed.by, closed.note, closed.reason) == ("Ann", "as agreed", None)
    assert (closed.version, closed.as_of) == (manifest.version, manifest.as_of)
    assert closed.about.digests == manifest.digests
    assert closed.about.notes == [*map(str, manifest.unknown_states)]  # words of vendors
    assert closed.file.name == f"{month}.1.duckdb"
    with open_file(accounting.database) as connection:
        counted = count_month(connection, month, metrics_of_a_month())
        days = f"ordered_date between date '{month}-01' and last_day(date '{month}-01')"
        ((sales, orders),) = connection.execute(
            "select sum(sub_total), count(*) from wholesale_marts.fct_orders"
            f" where is_sale and {days}"
        ).fetchall()
        settings = connection.sql("from wholesale_marts.dim_settings").to_arrow_table()
    assert closed.figures == counted.figures
    assert Decimal(closed.figures["sales"] or "") == sales
    assert closed.figures["orders"] == str(orders)
    assert {*closed.settings} == {*settings.column_names} - {"build_key"}
    assert closed.about.definitions["build_key"] == settings["build_key"][0].as_py()
    assert {*pins_in(accounting.published)} == {manifest.version}
    assert accounting.run("verify", month).answer["findings"] == []


def test_a_month_that_this_version_closed_is_not_closed_twice(accounting: Accounting) -> None:
    month = accounting.months[0]
    accounting.run("close", month)
    before = accounting.files

    again = accounting.run("close", month, "--note", "once more")

    assert (again.code, again.answer["is_new"], again.answer["note"]) == (0, False, None)
    assert accounting.files == before


def test_another_version_closes_a_month_after_it_was_reopened(accounting: Accounting) -> None:
    last, month = accounting.months[:2]
    for each in (last, month):
        accounting.run("close", each)
    first = accounting.manifest.version
    accounting.put("29990101T000000000Z-aaaaaaaa", "2999-01-01T00:00:00Z")

    refused = accounting.run("close", month)
    reopened = accounting.run("close", month, "--reopen", "a credit note", "--by", "Bob")
    pinned = {*pins_in(accounting.published)}
    twice = accounting.run("close", month, "--reopen", "once more")

    assert (refused.code, reopened.code, twice.code) == (2, 0, 2)
    assert pinned == {first}  # the other month is closed by it
    assert [(each.name, each.reason) for each in accounting.closes] == [
        (last, None),
        (month, "a credit note"),
    ]
    assert accounting.run("close", last, "--reopen", "too").code == 0
    assert pins_in(accounting.published) == {}
    assert sorted(accounting.files) == [
        "book.jsonl",
        f"closed/{month}.1.duckdb",
        f"closed/{last}.1.duckdb",
    ]
    assert [entry.kind for entry in accounting.book.read()] == ["closed"] * 2 + ["reopened"] * 2


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"verdict": "incomplete", "reasons": ["orders: 3 are missing"]}, 3),
        ({"unknown_states": [UnknownState("order_status", "odd", 2, "12.50")]}, 3),
        ({"only": "vendor=4c9d6b1e-0000-4000-8000-000000000001"}, 2),
    ],
)
def test_a_version_that_does_not_tell_all_closes_nothing(
    accounting: Accounting, changes: dict[str, object], code: int
) -> None:
    accounting.tell(**changes)

    done = accounting.run("close", accounting.months[0])

    assert (done.code, done.answer["exit_code"]) == (code, code)
    assert accounting.files == {}
    assert pins_in(accounting.published) == {}
    assert accounting.run("close").answer["closable"] == []


@pytest.mark.parametrize(
    "month",
    [
        "2026-13",
        "2026-1",
        "october",
        "",
        "2026-10-01",
        "2026-00",
        "\u0662\u0660\u0662\u0666-10",
        "0000-01",
    ],
)
def test_what_is_no_month_is_refused(accounting: Accounting, month: str) -> None:
    assert accounting.run("close", month).code == 2
    assert accounting.files == {}


@pytest.mark.parametrize("years", [-900, 0, 900])
def test_a_month_that_is_not_over_or_not_known_is_refused(
    accounting: Accounting, years: int
) -> None:
    following = date.fromisoformat(f"{accounting.months[0]}-28").replace(day=1)
    following = date(following.year + following.month // 12, following.month % 12 + 1, 1)
    month = f"{following.replace(year=following.year + years):%Y-%m}".zfill(7)

    assert accounting.run("close", month).code == 2
    assert accounting.files == {}


def test_orders_that_were_not_complete_after_the_end_of_the_month_do_not_close_it(
    accounting: Accounting,
) -> None:
    month = accounting.months[0]
    accounting.replace_database(
        f"update wholesale_bi.rpt_freshness set complete_as_of = last_day(date '{month}-01')"
        " + time '23:59:59' where resource = 'orders'"
    )
    assert accounting.run("close", month).code == 3
    assert accounting.run("close", accounting.months[1]).code == 0


def test_a_month_in_which_orders_ended_early_is_closed_once_it_is_over(
    accounting: Accounting,
) -> None:
    """A version that was built after the end of a month closes it, whenever the last order was."""
    month = accounting.months[0]
    accounting.replace_database(
        f"update wholesale_marts.dim_as_of set figures_up_to = date '{month}-20'"
    )
    closable = accounting.run("close").answer["closable"]

    assert month in closable
    assert accounting.run("close", month).code == 0


def test_a_month_is_not_over_on_its_last_day_in_the_time_zone_of_the_company(
    accounting: Accounting,
) -> None:
    """Midnight of UTC is evening in New York, and morning in Tokyo."""
    month = accounting.months[0]
    midnight = (first_day(month) + timedelta(days=31)).replace(day=1)
    accounting.tell(built_at=f"{midnight}T00:30:00+00:00", time_zone="America/New_York")
    early = accounting.run("close", month)
    closable = accounting.run("close").answer["closable"]
    accounting.tell(
        built_at=f"{midnight - timedelta(days=1)}T16:00:00+00:00", time_zone="Asia/Tokyo"
    )

    assert early.code == 2
    assert month not in closable
    assert accounting.run("close", month).code == 0


def test_a_month_after_the_last_day_that_is_known_is_refused(accounting: Accounting) -> None:
    last, before = accounting.months[:2]
    accounting.replace_database(
        f"update wholesale_marts.dim_as_of set figures_up_to = last_day(date '{before}-01')"
    )
    assert last not in accounting.run("close").answer["closable"]
    assert accounting.run("close", last).code == 2
    assert accounting.files == {}


def test_reports_alone_close_nothing(accounting: Accounting) -> None:
    month = accounting.months[0]
    accounting.replace_database("drop schema wholesale_marts cascade")
    assert accounting.run("close", month).code == 2
    assert accounting.files == {}


def test_a_damaged_version_closes_nothing(accounting: Accounting) -> None:
    month, path = accounting.months[0], accounting.database
    text = path.read_bytes()
    path.unlink()
    path.write_bytes(text[:-4096] + b"x" * 4096)
    assert accounting.run("close", month).code == 1
    assert accounting.files == {}
    assert pins_in(accounting.published) == {}


def test_models_of_the_user_that_the_build_left_out_close_nothing(
    accounting: Accounting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "rpt_own.sql").write_text("select order_id from {{ ref('fct_orders') }}")
    monkeypatch.setenv("BUILD__MODELS", str(models))
    assert accounting.run("close", accounting.months[0]).code == 3
    assert accounting.files == {}


@pytest.mark.parametrize("option", ["--reopen", "--note", "--by"])
def test_empty_words_are_refused(accounting: Accounting, option: str) -> None:
    assert accounting.run("close", accounting.months[0], option, "  ").code == 2
    assert accounting.files == {}


def test_a_place_without_pins_is_refused(accounting: Accounting) -> None:
    done = accounting.run("close", accounting.months[0], "--published", "s3://bucket/reports")
    assert done.code == 2


def test_a_damaged_book_takes_no_entry(accounting: Accounting) -> None:
    last, month = accounting.months[:2]
    accounting.run("close", last, "--by", "Ann")
    book = accounting.book.folder / "book.jsonl"
    book.write_bytes(book.read_bytes().replace(b'"by":"Ann"', b'"by":"Bob"'))
    before = accounting.files
    assert accounting.run("close", month).code == 1
    assert accounting.run("close", last, "--reopen", "why").code == 1
    assert accounting.files == before


def test_two_do_not_close_at_once(accounting: Accounting) -> None:
    month = accounting.months[0]
    accounting.book.folder.mkdir(parents=True)
    with hold(accounting.book.folder / ".lock"):
        assert accounting.run("close", month).code == 1
    with hold(accounting.published / ".lock"):  # a publication is on its way
        assert accounting.run("close", month).code == 1
    assert accounting.files == {}
    assert accounting.run("close", month).code == 0


def test_what_a_command_that_was_killed_left_goes_with_the_next_close(
    accounting: Accounting,
) -> None:
    closed, version = accounting.book.folder / "closed", accounting.manifest.version
    closed.mkdir(parents=True)
    left = [closed / f"{name}.duckdb" for name in (f"{accounting.months[0]}.1", "1999-01.1")]
    left.append(closed / f".{accounting.months[0]}.1.duckdb.partial")
    for path in left:
        path.write_text("half")
    (closed / "tmpabc").mkdir()
    (closed / "notes.txt").write_text("mine")
    pinned = accounting.published / "pinned"
    pinned.mkdir()
    (pinned / "20200101T000000000Z-aaaaaaaa").write_text('{"by":"books"}')
    (pinned / "20200101T000000000Z-bbbbbbbb").touch()

    assert accounting.run("close", accounting.months[0]).code == 0

    assert sorted(path.name for path in closed.iterdir()) == [
        f"{accounting.months[0]}.1.duckdb",
        "notes.txt",
    ]
    assert {*pins_in(accounting.published)} == {"20200101T000000000Z-bbbbbbbb", version}


def test_the_list_tells_what_is_closed_and_what_could_be(accounting: Accounting) -> None:
    last, *others = accounting.months
    accounting.run("close", last)

    done = accounting.run("close")

    assert (done.code, [each["month"] for each in done.answer["closed"]]) == (0, [last])
    assert {*others} <= {*done.answer["closable"]}
    assert last not in done.answer["closable"]
    assert (done.answer["version"], done.answer["reason"]) == (accounting.manifest.version, None)


def test_the_file_of_a_close_differs_in_nothing_that_is_counted(accounting: Accounting) -> None:
    month = accounting.months[1]
    accounting.run("close", month)
    [closed] = accounting.closes
    with open_files({BEFORE: closed.file, AFTER: accounting.database}) as connection:
        for metric in metrics_of_a_month():
            found = difference(connection, Question(metrics=[metric], period=month))
            assert (found.total.residue, found.total.causes) in ((0, []), (None, [])), metric
            assert found.settings == []


def test_the_file_of_a_close_names_nobody(accounting: Accounting) -> None:
    accounting.run("close", accounting.months[0])
    [closed] = accounting.closes
    with duckdb.connect(str(accounting.folder / "wholesale.duckdb"), read_only=True) as raw:
        there = {
            (table, column)
            for table, column in raw.execute(
                "select table_name, column_name from duckdb_columns()"
                " where schema_name = 'wholesale_raw' and data_type = 'VARCHAR'"
            ).fetchall()
        }
        personal = [
            (table, column)
            for table, columns in CLASS_OF_FIELD.items()
            if table.split("_")[0] in ("buyers", "buyer", "orders")
            for column, class_ in columns.items()
            if class_ and (table, column) in there
        ]
        values = {
            value
            for table, column in personal
            for (value,) in raw.execute(
                f'select distinct "{column}" from wholesale_raw."{table}" where "{column}" <> \'\''
            ).fetchall()
        }
        states = raw.execute(
            "select distinct unnest([shipping_state, billing_state]) from wholesale_raw.orders"
            " union select state from wholesale_raw.buyers"
        ).fetchall()
        vendors = raw.execute("select distinct name from wholesale_raw.vendors").fetchall()
    values -= {state for (state,) in states}  # New York is a city, too
    values -= {vendor for (vendor,) in vendors}  # in descriptions of what they sell
    assert len(personal) > 20
    assert len(values) > 500
    found: dict[str, set[str]] = {}
    with open_file(closed.file) as connection:
        for schema, table in connection.execute(
            "select schema_name, table_name from duckdb_tables()"
        ).fetchall():
            rows = connection.execute(f'from {schema}."{table}"')
            for row in rows.fetchall():
                for (column, *_), value in zip(rows.description, row, strict=True):
                    if str(value) in values:
                        found.setdefault(f"{table}.{column}", set()).add(str(value))
    kept = {name for name in found if name.endswith("state")}  # Washington is a city, too
    values -= {value for name in kept for value in found[name]}
    assert found.keys() == kept
    content = closed.file.read_bytes()
    names = [value for value in values if len(value) > 6]
    assert [value for value in names if value.encode() in content] == []
    book = (accounting.book.folder / "book.jsonl").read_text("utf-8")
    assert [value for value in names if value in book] == []


def test_the_next_publication_keeps_what_is_pinned(accounting: Accounting) -> None:
    accounting.run("close", accounting.months[0])
    version = accounting.manifest.version
    accounting.put("29990101T000000000Z-aaaaaaaa", "2999-01-01T00:00:00Z")

    published = publish_marts(accounting.warehouse, str(accounting.published), keep=1)

    assert published.pruned.pinned == [version]
    assert (accounting.published / "versions" / version / "manifest.json").exists()
