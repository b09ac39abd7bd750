"""`wholesale figures`: any metric by any dimension, as a table, CSV or JSON."""

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result

from wholesale_elt.cli.main import cli
from wholesale_elt.figures import Question
from wholesale_elt.publish import find_site


def call(published: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["figures", *words, "--published", str(published)])


def number(value: str | int | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def document(published: Path, *words: str) -> dict[str, Any]:
    done = call(published, *words, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_an_answer_has_its_rows_and_total_and_tells_how_far_to_trust_it(published: Path) -> None:
    manifest = find_site(published).manifest
    found = document(
        published,
        *("sales", "--by", "vendor", "--period", "last_28_days", "--compare", "year"),
    )

    names = ["vendor", "vendor_name", "sales", "sales_before", "sales_difference", "sales_growth"]
    assert [list(row) for row in found["rows"]] == [names] * len(found["rows"])
    sums = {name: sum(Decimal(row[name]) for row in found["rows"]) for name in names[2:5]}
    assert sums == {name: Decimal(found["total"][name]) for name in names[2:5]}
    about = {name: found[name] for name in ("verdict", "as_of", "version", "currency", "reasons")}
    assert about == {name: getattr(manifest, name) for name in about}
    assert found["period"]["last_day"] == found["figures_up_to"]
    assert set(found["compared_with"]) == {"first_day", "last_day", "is_known"}
    with duckdb.connect(str(find_site(published).database), read_only=True) as connection:
        rows = connection.execute(found["statement"]).fetchall()
    told = [
        [*list(row.values())[:2], *map(number, list(row.values())[2:])] for row in found["rows"]
    ]
    assert [list(row) for row in rows] == told


def test_csv_has_the_rows_of_json(published: Path) -> None:
    words = ("orders", "discount_rate", "--by", "order_status", "--grain", "month")
    rows = list(csv.DictReader(io.StringIO(call(published, *words, "--csv").stdout)))

    told = document(published, *words)["rows"]
    as_csv = {"None": "", "True": "TRUE", "False": "FALSE"}
    assert rows == [
        {name: as_csv.get(str(value), str(value)) for name, value in row.items()} for row in told
    ]
    assert len(rows) > 20


def test_a_file_is_named_by_what_it_is_of_and_has_headings_that_people_read(
    published: Path, tmp_path: Path
) -> None:
    words = ("sales", "--by", "vendor", "--where", "order_status=shipped", "--compare", "year")
    asked = (*words, "--period", "last_28_days")
    done = call(published, *asked, "--to", str(tmp_path / "new"))

    assert done.exit_code == 0, done.output
    [path] = (tmp_path / "new").iterdir()
    assert path.name == "sales_by-vendor_last_28_days_and-year-before_order_status-shipped.csv"
    text = path.read_bytes().decode("utf-8")
    assert text.startswith("\ufeffVendor,Vendor name,Sales,Sales before,")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))[1:]
    told = document(published, *asked)["rows"]
    assert [(row[0], number(row[2])) for row in rows] == [
        (row["vendor"], number(row["sales"])) for row in told
    ]


def test_a_name_of_a_file_holds_nothing_that_leads_elsewhere() -> None:
    question = Question(metrics=["sales"], where={"vendor": ["../etc/Ä & b", None]})

    assert question.file_name == "sales_all_time_vendor-..-etc-Ä-b-none"


def test_a_table_has_names_and_a_total(published: Path) -> None:
    done = call(published, "sales", "--by", "vendor", "--where", "order_status=delivered")

    found = document(published, "sales", "--by", "vendor", "--where", "order_status=delivered")
    assert done.exit_code == 0
    assert all(row["vendor"] not in done.stdout for row in found["rows"])
    assert f"{Decimal(found['total']['sales']):,.2f}" in done.stdout


def test_the_metrics_are_listed_with_the_dimensions_of_each(published: Path) -> None:
    metrics = {each["metric"]: each for each in document(published)["metrics"]}

    assert "category" in metrics["product_sales"]["dimensions"]
    assert "category" not in metrics["sales"]["dimensions"]
    assert metrics["active_buyers"]["kind"] == "distinct"
    assert call(published).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("salez",),
        ("sales", "--where", "vendor=nobody"),
        ("sales", "--period", "soon"),
        ("refunds",),
        ("orders", "--where", "order_status=cancelled"),
        ("sales", "--by", "vendor", "--where", "order_status=Cancelled", "--period", "this_year"),
        ("sales", "--where", "vendor="),
        ("sales", "--where", "buyer"),
        ("sales", "--where", ""),
    ],
)
def test_what_cannot_be_answered_is_one_line(words: tuple[str, ...], published: Path) -> None:
    done = call(published, *words)

    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_each_metric_is_a_macro_of_the_file(published: Path) -> None:
    with duckdb.connect(str(published / "wholesale.duckdb"), read_only=True) as connection:
        found = connection.execute(
            "select vendor_id, sales(orders), average_order_value(orders), active_buyers(orders)"
            " from orders group by all order by all"
        ).fetchall()
        described = connection.execute(
            "select function_name from duckdb_functions()"
            " where not internal and comment is not null"
        ).fetchall()
    rows = document(
        published,
        *("sales", "average_order_value", "active_buyers", "--by", "vendor"),
    )["rows"]

    told = [[row[n] for n in ("vendor", *list(row)[2:])] for row in rows]
    assert [[key, *map(number, values)] for key, *values in sorted(told)] == [
        [key, *values] for key, *values in found
    ]
    metrics = {each["metric"] for each in document(published)["metrics"]}
    assert {name for (name,) in described} == metrics
