"""Tables and metrics that users added have sheets, as ours have."""

from pathlib import Path

import duckdb
import pytest

from support.warehouses.added import FILES, SIZES, add
from support.warehouses.marts import Marts
from wholesale_elt.figures import Question, ask
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts
from wholesale_spreadsheets.sheets import MONTHS, read_sheets

pytestmark = pytest.mark.slow
ODD = """select
    [1, 2] as listed, {'a': 1} as named, 1.5::double as ratio, 'nan'::double as none,
    uuid() is null as known, interval 1 day as gap, 1 as company_name, 2 as buyer_company_name
"""


def test_each_table_and_what_is_counted_of_it_is_a_sheet(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPREADSHEETS__XLSX", "true")
    monkeypatch.setenv("SPREADSHEETS__CSV", "true")
    long = "models/one_that_is_called_by_more_letters_than_excel_takes.sql"
    odd = {"models/days.sql": ODD, "models/history.sql": "select 1 as a", long: "select 1 as a"}
    add(tmp_path, monkeypatch, {**FILES, **odd})
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"

    with duckdb.connect(str(find_site(Path("published")).database), read_only=True) as connection:
        sheets = {sheet.title: sheet for sheet in read_sheets(connection, "EUR")}
        rows = list(sheets["Size sales"].rows())
        [days] = sheets["Days 2"].rows()
        [total] = sheets["Buyer size in all"].rows()
        expected = ask(connection, Question(metrics=["sized_sales"])).total
    assert rows == marts.rows(SIZES)
    assert list(total) == list(expected.values())
    assert days[:3] == ("[1, 2]", "{'a': 1}", 1.5)
    assert [column.heading for column in sheets["Days 2"].columns][-2:] == [
        "company_name",
        "buyer_company_name",
    ]
    assert "Large orders" in {column.heading for column in sheets[MONTHS].columns}
    assert list(sheets)[-5:] == [
        *("Days 2", "History 2", "One that is called by more lett", "Size sales"),
        "Buyer size in all",
    ]
    assert (tmp_path / "published/csv/days_2.csv").exists()
    assert (tmp_path / "published/wholesale.xlsx").exists()
