"""What is asked in Python is what the command line prints, and a table wherever one is wanted."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from support.warehouses.marts import Marts
from wholesale.errors import ConfigurationError, Unanswerable, WholesaleError
from wholesale_elt import Answer, Published
from wholesale_elt.answers.answer import MOST_SHOWN
from wholesale_elt.cli.main import cli
from wholesale_elt.cli.output.consoles import as_text


@pytest.fixture(scope="module")
def asked(published: Path, built: Marts) -> Published:
    return Published(published, built.warehouse.database)


def printed(asked: Published, *words: str) -> Any:
    """What a command prints for programs."""
    of_warehouse = ["--database", str(asked.database)] if words[0] not in TELL_NO_WAREHOUSE else []
    called = [*words, "--published", str(asked.folder), "--json", *of_warehouse]
    return json.loads(CliRunner().invoke(cli, called).stdout)


TELL_NO_WAREHOUSE = ("figures", "sql", "tasks", "next")


def as_json(answer: Answer[Any]) -> Any:
    return json.loads(json.dumps(dict(answer.document), default=as_text))


def test_each_question_has_the_answer_of_its_command(asked: Published, tmp_path: Path) -> None:
    by_vendor = asked.figures(
        ["sales", "orders"], by="vendor", where={"weekday": ["1", "2"]}, period="2026"
    )
    words = ["figures", "sales", "orders", "--by", "vendor", "--period", "2026"]
    assert as_json(by_vendor) == printed(
        asked, *words, *("--where", "weekday=1", "--where", "weekday=2")
    )
    held = tmp_path / "answer.json"
    held.write_text(json.dumps(as_json(by_vendor)), "utf-8")
    for answer, words in (
        (asked.tasks(), ["tasks"]),
        (asked.tasks("silent", limit=1), ["tasks", "--kind", "silent", "--limit", "1"]),
        (asked.next(limit=2), ["next", "--limit", "2"]),
        (asked.expected_sales("vendor"), ["next", "--sales", "--by", "vendor"]),
        (asked.sql("select 0.10::decimal(9, 2) as a"), ["sql", "select 0.10::decimal(9, 2) as a"]),
        (asked.why("sales", "current"), ["why", "sales", "--from", "current"]),
        (asked.verify(), ["verify"]),
        (asked.verify(held), ["verify", str(held)]),
        (asked.verify(is_of_warehouse=True), ["verify", "--warehouse"]),
    ):
        assert as_json(answer) == printed(asked, *words), words


def test_an_answer_says_how_far_to_trust_it(asked: Published) -> None:
    current = json.loads((Path(asked.folder) / "current.json").read_text("utf-8"))
    for answer in (asked.figures("sales"), asked.tasks(), asked.next(), asked.sql("select 1 as a")):
        told = (answer.verdict, answer.as_of, answer.version)
        assert told == tuple(current[name] for name in ("verdict", "as_of", "version"))
    figures = asked.figures("sales", by="vendor")
    again = asked.sql(str(figures.statement))
    assert again.rows == figures.rows
    assert sum(row["sales"] for row in figures.rows) == asked.figures("sales").rows[0]["sales"]


def test_rows_are_a_table_of_arrow_and_of_pandas_exactly(asked: Published) -> None:
    pytest.importorskip("pandas")
    answer = asked.sql(
        "select 1 as n, 0.1::decimal(38, 9) as amount, date '2026-01-02' as day, null as nothing"
        " union all select 2, 12345678901234567890.000000001, null, null order by n"
    )
    rows = [
        (1, Decimal("0.1"), date(2026, 1, 2), None),
        (2, Decimal("12345678901234567890.000000001"), None, None),
    ]
    table = answer.arrow()
    assert isinstance(table, pa.Table)
    assert [tuple(row.values()) for row in table.to_pylist()] == rows
    frame = answer.df()
    assert list(frame.columns) == ["n", "amount", "day", "nothing"]
    assert list(frame["amount"]) == [row[1] for row in rows]
    empty = asked.sql("select 1 as n where false")
    assert (empty.arrow().column_names, list(empty.df().columns), len(empty)) == (["n"], ["n"], 0)


def test_numbers_of_two_kinds_in_a_column_are_decimals() -> None:
    rows: list[dict[str, Any]] = [{"a": 1, "b": None}, {"a": Decimal("0.5")}]
    answer = Answer(["a", "b"], rows, None, None, None, None, "", {}, None)
    assert answer.arrow().to_pylist() == [
        {"a": Decimal(1), "b": None},
        {"a": Decimal("0.5"), "b": None},
    ]


def test_values_of_any_type_are_in_a_table(asked: Published) -> None:
    answer = asked.sql(
        "select (2::hugeint << 70) as wide, uuid '00000000-0000-0000-0000-000000000001' as id,"
        " [1, 2] as list, {'a': 0.5} as struct, interval 1 day as span, 'x'::blob as bytes"
    )
    [row] = answer.arrow().to_pylist()
    assert str(row["id"]) == "00000000-0000-0000-0000-000000000001"
    assert str(row["wide"]) == str(2**71)
    assert row["list"] == [1, 2]
    assert row["struct"] == {"a": Decimal("0.5")}
    assert answer.df().shape == (1, 6)
    assert answer._repr_html_().count("<td") == 6


def test_without_pandas_it_says_what_to_install(
    asked: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ConfigurationError, match="pandas"):
        asked.sql("select 1 as n").df()


def test_of_what_is_damaged_a_line_names_the_first_and_counts_no_others(
    asked: Published, tmp_path: Path
) -> None:
    folder = shutil.copytree(asked.folder, tmp_path / "published", symlinks=True)
    one, other = sorted((folder / "versions").glob("*/parquet/**/*.parquet"))[:2]
    for damaged in (one, other):
        damaged.chmod(0o600)
        damaged.write_bytes(b"PAR1")

    answer = Published(folder).verify()

    assert [row["what"] for row in answer.rows] == [
        str(each.relative_to(folder)) for each in (one, other)
    ]
    assert str(one.relative_to(folder)) in answer.summary
    assert str(answer.detail.count) not in answer.summary
    assert str(answer.detail.count) in asked.verify().summary


def test_a_notebook_shows_some_rows_and_what_they_are_of(asked: Published) -> None:
    answer = asked.sql(f"select '<b>' as \"a&b\", n from range({MOST_SHOWN + 2}) as r(n)")
    shown = answer._repr_html_()
    assert shown.count("<tr>") == MOST_SHOWN + 1
    assert "<td>&lt;b&gt;</td>" in shown
    assert "<th>a&amp;b</th>" in shown
    assert "2 rows more" in shown
    assert str(answer.verdict) in shown


def test_what_cannot_be_answered_is_an_error_of_ours(asked: Published, tmp_path: Path) -> None:
    names: tuple[Callable[[], object], ...] = (
        lambda: asked.figures("slaes"),
        lambda: asked.figures("sales", by="vender"),
        lambda: asked.why("sales", "2001"),
        lambda: asked.why("sales", "current", orders="weather"),
        lambda: asked.verify("file.json", is_of_warehouse=True),
    )
    for ask in names:
        with pytest.raises(Unanswerable):
            ask()
    others: tuple[Callable[[], object], ...] = (
        lambda: asked.tasks("sleep"),
        lambda: asked.sql("drop table orders"),
        lambda: asked.changes("yesterday"),
        lambda: Published(tmp_path).figures("sales"),
        lambda: Published(tmp_path).tasks(),
    )
    for ask in others:
        with pytest.raises(WholesaleError):
            ask()


OF_A_USER = """
from decimal import Decimal
from typing import Any

from wholesale_elt import Answer, Published

shop = Published("published", database="wholesale.duckdb")
where = {"country": "US", "brand": None}
sales = shop.figures("sales", by=["vendor"], where=where, period="2026-05")
total: Decimal = sales.detail.figures.total["sales"]
is_whole: bool = sales.verdict == "complete" and sales.as_of is not None
for row in shop.why("sales", "previous", by="vendor").rows:
    print(row["cause"])
answers: list[Answer[Any]] = [shop.tasks("silent"), shop.changes(), shop.sql("from orders")]
rows: int = shop.verify().detail.count + shop.tasks().detail.stateless + sales.arrow().num_rows
wrong = shop.figures("sales", granularity="month")
wrong = shop.detail
wrong = sales.detail.figure
"""


CHECKERS = {
    "mypy": ("-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", "cache"),
    "pyright": ("-m", "basedpyright", "--pythonpath", sys.executable),
}


@pytest.mark.slow
@pytest.mark.parametrize("checker", CHECKERS)
def test_types_of_a_user_s_file_are_known(checker: str, tmp_path: Path) -> None:
    file = tmp_path / "of_a_user.py"
    file.write_text(OF_A_USER, "utf-8")
    # The rules of pyright itself: those that this package adds blame libraries without types.
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}', "utf-8")
    checked = subprocess.run(
        [sys.executable, *CHECKERS[checker], file.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = OF_A_USER.splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.startswith("wrong")}
    told = re.findall(r"of_a_user\.py:(\d+).*error", checked.stdout)
    assert set(map(int, told)) == wrong, checked.stdout
