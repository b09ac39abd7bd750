"""`wholesale next` tells who is due, with windows and how often they were right, or why none is."""

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from wholesale.errors import Unanswerable, WholesaleError
from wholesale_elt import Published
from wholesale_elt.answers import REASONS
from wholesale_elt.cli.main import cli

TODAY = datetime.now(UTC).date()
"""The published file is of UTC."""
UP_TO = TODAY - timedelta(days=7)
Row = Mapping[str, Any]


def window(buyer: str, standing: str, **changes: Any) -> Row:
    has = standing not in REASONS
    days = {
        f"{end}_day_{share}": UP_TO + timedelta(days=day) if has else None
        for share, *both in ((50, 2, 4), (80, 1, 6), (90, 1, 9))
        for end, day in zip(("first", "last"), both, strict=True)
    }
    return {
        "buyer_id": buyer,
        "buyer_name": f"Shop {buyer}",
        "account_manager_id": "m1",
        "state": None,
        "standing": standing,
        "purchase_count": 9,
        "last_ordered_date": UP_TO - timedelta(days=3),
        **days,
        "usual_amount": "150",
        "low_amount": "99.5" if has else None,
        "high_amount": "1200.25" if has else None,
        "order_in_week_share": "0.625" if has else None,
        "order_again_share": None,
        "judged_count": 4,
        "right_count": 3,
        "figures_up_to": UP_TO,
    } | changes


WINDOWS = (
    window("b", "due"),
    window("a", "due", order_in_week_share="0.75", judged_count=0, right_count=0),
    window("c", "later", account_manager_id=None),
    window("d", "passed", buyer_name=None),
    window("e", "too_few_purchases"),
    window("f", "right_too_seldom"),
    window("g", "right_too_seldom", buyer_name="shop B"),
)
ORDER = ["a", "b", "d", "c"]


@pytest.fixture(scope="module")
def folder(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published folder whose version has these windows."""
    folder = Path(shutil.copytree(published, tmp_path_factory.mktemp("next") / "published"))
    current = json.loads((folder / "current.json").read_text("utf-8"))
    with duckdb.connect(str(folder / current["database"]["path"])) as connection:
        report = "wholesale_bi.rpt_next_orders"
        connection.execute(f"alter table {report} alter usual_amount type decimal(18, 3)")
        for column in ("low_amount", "high_amount"):
            connection.execute(f"alter table {report} alter {column} type decimal(18, 3)")
        connection.execute(f"delete from {report}; update meta.versions set figures_up_to = ?",
                           [UP_TO])  # fmt: skip
        for table, rows in {report: WINDOWS, "main.forecast_claims": CLAIMS}.items():
            for row in rows:
                connection.execute(
                    f"insert into {table} ({', '.join(row)}) values ({', '.join('?' * len(row))})",
                    [*row.values()],
                )
        connection.execute(
            "update wholesale_bi.rpt_call_sheet_products set buyer_id = 'b'"
            " where buyer_id = (select min(buyer_id) from wholesale_bi.rpt_call_sheet_products)"
        )
    return folder


CLAIMS: tuple[Row, ...] = tuple(
    {"buyer_id": buyer, "ordered_date": UP_TO - timedelta(days=day), "is_right_80": is_right}
    for buyer, day, is_right in (("b", 30, True), ("b", 20, False), ("b", 3, None), ("c", 9, True))
)


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(
        cli, ["next", "--published", str(folder), *words], env={"COLUMNS": "200"}
    )


def found(folder: Path, *words: str) -> dict[str, Any]:
    done = run(folder, "--json", *words)
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def asked(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in Published(folder).sql(sql).rows]


def test_who_is_due_comes_first_with_all_windows_and_counts_of_those_without(folder: Path) -> None:
    answer = found(folder)
    assert [row["buyer_id"] for row in answer["rows"]] == ORDER
    told = dict(next(row for row in answer["rows"] if row["buyer_id"] == "a"))
    assert told.pop("usual_products") is None
    assert told.keys() == WINDOWS[1].keys() - {"figures_up_to"}
    assert (told["order_in_week_share"], told["low_amount"]) == ("0.75", "99.5")
    assert told["order_again_share"] is None
    assert answer["counts"] == {
        **{"due": 2, "later": 1, "passed": 1},
        **{"too_few_purchases": 1, "right_too_seldom": 2},
    }
    assert (answer["withheld"], answer["figures_up_to"]) == (None, str(UP_TO))
    again = Published(folder).sql(answer["statement"]).rows
    assert [row["buyer_id"] for row in again] == ORDER


def test_options_leave_others_out(folder: Path) -> None:
    def ids(*words: str) -> list[str]:
        return [row["buyer_id"] for row in found(folder, *words)["rows"]]

    assert ids("--due") == ["a", "b"]
    assert ids("--manager", "m1") == ["a", "b", "d"]
    assert ids("--limit", "1") == ["a", "d", "c"]
    assert ids("--due", "--limit", "0") == []


def test_a_buyer_is_found_by_id_or_name_and_told_with_claims_and_products(folder: Path) -> None:
    answer = found(folder, "b")
    assert [row["buyer_id"] for row in answer["rows"]] == ["b"]
    products = asked(
        folder,
        "select item_key, product_list from wholesale_bi.rpt_call_sheet_products"
        " where buyer_id = 'b' order by product_list desc, position",
    )
    assert [(row["item_key"], row["product_list"]) for row in answer["products"]] == products
    assert products
    claims = [(row["ordered_date"], row["is_right_80"]) for row in answer["claims"]]
    assert claims == [
        (str(UP_TO - timedelta(days=day)), is_right)
        for day, is_right in ((3, None), (20, False), (30, True))
    ]
    assert {row["claimed"]: (row["claim_count"], row["judged_count"], row["right_count"])
            for row in answer["kept"]} == {
        "50": (3, 0, 0), "80": (3, 2, 1), "90": (3, 0, 0), "amount": (3, 0, 0)
    }  # fmt: skip
    assert found(folder, " SHOP A ")["rows"] == found(folder, "a")["rows"]
    [hidden] = found(folder, "shop f")["rows"]
    assert (hidden["standing"], hidden["first_day_80"]) == ("right_too_seldom", None)


@pytest.mark.parametrize("words", [["nobody"], ["shop b"], ["--manager", "m2"]])
def test_a_name_that_none_or_several_have_is_refused(folder: Path, words: list[str]) -> None:
    assert run(folder, *words).exit_code == 2


def test_the_record_is_that_of_the_reports_and_of_what_was_published(folder: Path) -> None:
    answer = found(folder)
    record = asked(
        folder,
        " union all ".join(
            f"select part, member, claimed, judged_count from wholesale_bi.{report} where is_shown"
            for report in ("rpt_forecast_record_totals", "rpt_forecast_record where part = 'age'")
        ).replace("' where", "' and"),
    )
    keys = ("part", "member", "claimed", "judged_count")
    assert sorted(tuple(row[key] for key in keys) for row in answer["record"]) == sorted(record)
    weeks = asked(
        folder, "select week_start from wholesale_bi.rpt_due_weeks order by 1 desc limit 12"
    )
    assert [(date.fromisoformat(row["week_start"]),) for row in answer["weeks"]] == weeks
    kept = {row["claimed"]: (row["claim_count"], row["right_count"]) for row in answer["kept"]}
    assert kept == {"50": (4, 0), "80": (4, 2), "90": (4, 0), "amount": (4, 0)}


def test_windows_of_a_day_too_long_ago_are_not_told_but_those_of_a_version_asked_for_are(
    folder: Path, published: Path
) -> None:
    old = found(published)  # of a fixed day
    assert (old["rows"], old["withheld"] is None) == ([], False)
    assert run(published).exit_code == 0
    assert run(published, "--record").exit_code == 0
    then = found(published, "--as-of", "current")
    assert then["withheld"] is None
    [(count,)] = asked(
        published,
        "select count(*) from wholesale_bi.rpt_next_orders"
        " where standing in ('due', 'passed', 'later')",
    )
    assert len(then["rows"]) == count


@pytest.mark.parametrize("words", [[], ["--due"], ["--record"], ["b"], ["c"], ["e"], ["--limit=0"]])
def test_a_terminal_is_told_the_verdict_last_whatever_was_asked(
    folder: Path, words: list[str]
) -> None:
    done = run(folder, *words)
    assert done.exit_code == 0, done.output
    last = done.stdout.splitlines()[-1]
    assert "complete as of" in last
    assert "None" not in done.stdout


def test_a_terminal_shows_a_line_a_buyer(folder: Path) -> None:
    lines = run(folder, "--limit", "1").stdout.splitlines()
    cells = [line.split() for line in lines if line.strip().startswith(("Shop", "d", "1 more"))]
    months = [f"{UP_TO + timedelta(days=day):%b}" for day in (1, 6)]
    days = [f"{(UP_TO + timedelta(days=day)).day}" for day in (1, 6)]
    first = [days[0], *(months[:1] if months[0] != months[1] else [])]
    told = [*first, "to", days[1], months[1], "100", "to", "1,200"]
    assert cells == [
        ["Shop", "a", "due", "75%", *told],
        ["1", "more", "due"],
        ["d", "passed", "62%", *told, *["3", "of", "4"]],
        ["Shop", "c", "later", "62%", *told, *["3", "of", "4"]],
    ]


def test_python_has_the_answer_of_the_command(folder: Path) -> None:
    answer = Published(folder).next(manager="m1", is_due_only=True)
    assert [row["buyer_id"] for row in answer.rows] == ["a", "b"]
    assert (answer.verdict, answer.detail.figures_up_to) == ("complete", UP_TO)
    with pytest.raises(Unanswerable):
        Published(folder).next("nobody")


def test_a_file_of_an_earlier_release_says_so(published: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(published, tmp_path / "published"))
    current = json.loads((folder / "current.json").read_text("utf-8"))
    path = str(folder / current["database"]["path"])
    with duckdb.connect(path) as connection:
        connection.execute("drop table main.forecast_claims")
    assert found(folder)["kept"] == []
    with duckdb.connect(path) as connection:
        connection.execute("drop table wholesale_bi.rpt_next_orders")
    with pytest.raises(WholesaleError):
        Published(folder).next()
