"""`wholesale try`: an export of orders ends as what is published, and a later one as changes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.warehouses.edits import without_pages
from wholesale_elt.cli.main import cli

EXPORT = (
    "Order,Date,Customer,SKU,Product,Qty,Unit price,Currency,Colour\n"
    "1001,2026-03-01,Böhm,A,Mug,2,10.05,EUR,red\n"
    '1001,2026-03-01,Böhm,B,Cup,1,"1,234.50",EUR,blue\n'
    "1002,2026-03-02,Weiß,A,Mug,3,10.05,EUR,red\n"
)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


@pytest.mark.slow
def test_an_export_is_loaded_built_and_published_and_a_later_one_changes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my shop.csv").write_text(EXPORT, "utf-8")
    with without_pages():
        first = run("try", "my shop.csv", "--json")
        Path("my shop.csv").write_text(EXPORT + "1003,2026-03-03,Weiß,A,Mug,1,9.95,EUR,\n", "utf-8")
        later = run("try", "my shop.csv", "--json")

    assert (first.exit_code, later.exit_code) == (0, 0)
    orders = [
        row for row in json.loads(later.stdout)["sync"]["resources"] if row["resource"] == "orders"
    ]
    assert [(row["new"], row["changed"], row["verdict"]) for row in orders] == [(1, 0, "complete")]
    sales = json.loads(run("figures", "sales", "orders", "--json").stdout)
    assert sales["total"] == {"sales": "1294.7", "orders": 3}
    told = json.loads(run("sql", "select any_value(currency) c from orders", "--json").stdout)
    assert told["rows"] == [{"c": "EUR"}]
    assert run("sql", "select colour from wholesale_raw.orders").exit_code != 0  # not published


def test_to_look_shows_the_matching_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("export.csv").write_text(EXPORT, "utf-8")

    shown = run("try", "export.csv", "--look")

    assert shown.exit_code == 0
    for word in ("order_number", "unit_price", "colour (extra)", "Unit price"):
        assert word in shown.stdout
    assert not Path("wholesale.duckdb").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("none.csv",),
        ("export.csv", "--column", "total"),
        ("export.csv", "--column", "total=Sum"),
        ("export.csv", "--column", "order_number="),
        ("export.csv", "--days", "ymd"),
    ],
)
def test_a_wrong_question_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("export.csv").write_text(EXPORT, "utf-8")

    assert run("try", *words).exit_code == 2
