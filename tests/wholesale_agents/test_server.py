"""Agents: what they are told is what was published, with its verdict, and nothing else."""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.services.service import WHOLESALE
from support.warehouses.added import SIZES, add
from support.warehouses.edits import publish_again
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.figures import read_metrics
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.verification import verify

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
from mcp import Client, StdioServerParameters, stdio_client

from wholesale_agents import bounds, sql_process
from wholesale_agents.bounds import bytes_of
from wholesale_agents.questions import conditions_of
from wholesale_agents.server import make_server
from wholesale_agents.sql_process import SqlProcess
from wholesale_agents.version import DescribedColumn, DescribedTable

Answer = dict[str, Any]
Ask = Callable[..., Answer]
ABOUT = {"verdict", "as_of", "figures_up_to", "reasons", "version", "currency", "time_zone"}


@pytest.fixture(scope="module")
def business(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """A business whose marts and reports are published beside it."""
    marts = built.copy(tmp_path_factory.mktemp("agents"))
    shutil.copytree(published, beside(marts), symlinks=True)
    return marts


def beside(marts: Marts) -> Path:
    return marts.database.parent / "published"


@pytest.fixture(scope="module")
def run_sql(business: Marts) -> Iterator[Ask]:
    """A call of the tool `run_sql`."""
    with SqlProcess() as process:
        ask = asking(beside(business), process=process)
        yield lambda query: ask("run_sql", query=query)


def asking(folder: Path, marts: Marts | None = None, *, process: SqlProcess | None = None) -> Ask:
    """A call of a tool by a client of the protocol; what it is told, or the error's text."""
    server = make_server(folder, marts.warehouse if marts else None, process=process)

    async def call(tool: str, given: dict[str, Any]) -> Answer:
        async with Client(server) as client:
            result = await client.call_tool(tool, given)
        if result.is_error:
            return {"error": "".join(getattr(part, "text", "") for part in result.content)}
        assert result.structured_content is not None
        return dict(result.structured_content)

    return lambda tool, **given: asyncio.run(call(tool, given))


@pytest.mark.slow
def test_with_json_what_it_says_beside_its_answers_is_json_too(business: Marts) -> None:
    begin = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [WHOLESALE, "--log-format", "json", "mcp", "--published", str(beside(business))],
        input=f"no JSON\n{json.dumps(begin)}\n",
        capture_output=True,
        text=True,
    )

    told = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 0
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in told)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers if "result" in answer] == [1]


@pytest.fixture
def ask(business: Marts) -> Ask:
    return asking(beside(business))


def test_a_client_of_the_protocol_starts_it_and_is_told_a_figure(business: Marts) -> None:
    command = StdioServerParameters(
        command=WHOLESALE,
        args=["mcp", "--published", str(beside(business))],
        env=dict(os.environ),
    )

    async def first_answer() -> tuple[list[str], Answer]:
        async with Client(stdio_client(command)) as client:
            tools = await client.list_tools()
            given = {"report": "rpt_headlines", "columns": ["sales_amount"]}
            result = await client.call_tool("read_report", given)
        return [tool.name for tool in tools.tools], dict(result.structured_content or {})

    names, answer = asyncio.run(first_answer())

    assert names == [
        *("list_metrics", "list_dimensions", "figures", "why", "list_reports"),
        *("explain", "read_report", "read_freshness", "read_orders_behind", "next_orders"),
        "expected_sales",
    ]
    ((sales,),) = business.rows("select sales_amount from wholesale_bi.rpt_headlines")
    assert answer["rows"] == [{"sales_amount": f"{sales.normalize():f}"}]
    assert (answer["verdict"], answer["rows_not_shown"]) == ("complete", 0)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("list_reports", {}),
        ("list_metrics", {}),
        ("list_dimensions", {"metric": "sales"}),
        ("figures", {"metrics": ["sales"]}),
        ("explain", {"name": "rpt_headlines"}),
        ("explain", {"name": "sales_amount"}),
        ("read_report", {"report": "rpt_headlines"}),
        ("read_freshness", {}),
        ("read_orders_behind", {}),
        ("next_orders", {}),
        ("expected_sales", {}),
    ],
)
def test_every_answer_says_whether_it_is_complete_and_as_of_when(
    ask: Ask, tool: str, given: dict[str, Any]
) -> None:
    answer = ask(tool, **given)

    assert answer.keys() >= ABOUT
    assert (answer["verdict"], answer["reasons"]) == ("complete", [])
    assert answer["as_of"]


def test_an_agent_is_told_why_a_figure_moved(
    built: Marts, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, edited = publish_again(built.copy(tmp_path), published, tmp_path / "published")
    ask = asking(tmp_path / "published")
    answer = ask("why", metric="orders", limit=1)

    assert answer.keys() >= ABOUT
    assert (answer["difference"], answer["residue"]) == (-1, 0)
    [cause] = answer["causes"]
    assert (cause["cause"], cause["order_ids"], cause["order_count"]) == ("deleted", [gone], 1)
    told = {each["cause"]: each["order_ids"] for each in ask("why", metric="sales")["causes"]}
    assert told == {"deleted": [gone], "edited": [edited]}
    by_buyer = ask("why", metric="sales", by=["buyer"])
    moved = [abs(Decimal(row["difference"])) for row in by_buyer["rows"]]
    assert moved == sorted(moved, reverse=True)
    assert (by_buyer["rows_in_all"], by_buyer["rows_not_shown"]) == (len(moved), 0)
    monkeypatch.setattr(bounds, "MOST_BYTES", bytes_of(by_buyer) - 1)
    cut = ask("why", metric="sales", by=["buyer"])
    kept = len(cut["rows"])
    assert (cut["rows"], cut["rows_in_all"]) == (by_buyer["rows"][:kept], len(moved))
    assert cut["rows_not_shown"] == len(moved) - kept > 0
    database = tmp_path / "wholesale.duckdb"
    assert "error" in ask("why", metric="orders", **{"from": str(database)}), (
        "a file of the machine"
    )


def test_an_agent_is_told_why_a_figure_moved_since_a_moment_before_all_versions(
    built: Marts, published: Path, tmp_path: Path
) -> None:
    marts, folder = built.copy(tmp_path), tmp_path / "published"
    gone, edited = publish_again(marts, published, folder)
    [(loaded,)] = marts.rows("select max(ended_at) from wholesale_raw.sync_runs")
    asked = {"metric": "sales", "from": loaded.isoformat()}
    answer = asking(folder, marts)("why", **asked)

    assert answer["from"]["version"] is None
    told = {each["cause"]: each["order_ids"] for each in answer["causes"]}
    assert told == {"deleted": [gone], "edited": [edited]}
    assert "error" in asking(folder)("why", **asked), "there is no warehouse to ask"


def test_a_number_is_read_with_conditions_to_its_last_digit(ask: Ask, business: Marts) -> None:
    wanted = business.rows(
        "select vendor_name, sales_amount from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = 'all_time' and state = 'all' and vendor_id <> 'all'"
        " order by sales_amount desc nulls last limit 2"
    )
    ((several,),) = business.rows(
        "select count(*) from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = 'all_time' and state = 'all'"
    )

    answer = ask(
        "read_report",
        report="rpt_sales_by_period_totals",
        columns=["vendor_name", "sales_amount"],
        where={"period_key": ["all_time", "no such period"], "state": "all"},
        order_by=["-sales_amount"],
        limit=3,
    )

    assert answer["rows"][1:] == [
        {"vendor_name": name, "sales_amount": f"{sales.normalize():f}"} for name, sales in wanted
    ]
    assert answer["rows"][0]["vendor_name"] == "all"
    assert (answer["rows_in_all"], answer["rows_not_shown"]) == (several, several - 3)


def test_what_there_is_to_do_is_read_like_any_report(ask: Ask, business: Marts) -> None:
    rows = business.rows(
        "select order_id, waiting_days from wholesale_bi.rpt_tasks where task_kind = 'old'"
        " order by waiting_days desc, amount desc nulls last, order_id"
    )
    assert len(rows) > 2

    answer = ask(
        "read_report",
        report="rpt_tasks",
        columns=["order_id", "waiting_days"],
        where={"task_kind": "old"},
        order_by=["position"],
        limit=2,
    )

    assert [tuple(row.values()) for row in answer["rows"]] == rows[:2]
    assert answer["rows_in_all"] == len(rows)


def test_the_orders_behind_a_number_add_up_to_it(ask: Ask, business: Marts) -> None:
    period, vendor, count, sales = business.rows(
        "select period_key, vendor_id, order_count, sales_amount"
        " from wholesale_bi.rpt_sales_by_period_totals where period_key = 'last_12_months'"
        " and state = 'all' and vendor_id <> 'all' order by order_count desc limit 1"
    )[0]

    answer = ask(
        "read_orders_behind", period=period, where={"vendor_id": vendor, "state": "all"}, limit=1000
    )

    assert (answer["order_count"], answer["sales_amount"]) == (count, f"{sales.normalize():f}")
    assert len(answer["rows"]) == answer["rows_in_all"] == count
    assert {row["vendor_id"] for row in answer["rows"]} == {vendor}


@pytest.mark.parametrize("period", ["last_month", "last_quarter", "last_year", "month_to_date"])
def test_the_orders_behind_any_period_are_those_of_its_figure(ask: Ask, period: str) -> None:
    behind = ask("read_orders_behind", period=period)

    assert (
        behind["order_count"]
        == ask("figures", metrics=["orders"], period=period)["total"]["orders"]
    )


def test_an_id_is_the_same_however_an_agent_spells_it(ask: Ask) -> None:
    vendor = ask("read_orders_behind", limit=1)["rows"][0]["vendor_id"]
    plain = ask("read_orders_behind", where={"vendor_id": vendor})

    for spelled in (vendor.upper(), [f"{{{vendor}}}", "nobody"], f" {vendor.replace('-', '')}"):
        assert ask("read_orders_behind", where={"vendor_id": spelled}) == plain


def test_a_range_includes_both_its_ends_and_null_is_a_condition(ask: Ask, business: Marts) -> None:
    days = [
        str(day)
        for (day,) in business.rows(
            "select distinct ordered_date from wholesale_bi.rpt_orders order by 1 limit 3"
        )
    ]

    answer = ask(
        "read_report",
        report="rpt_orders",
        where={"ordered_date": {"from": days[0], "to": days[2]}, "order_id": None},
    )
    assert answer["rows"] == []

    answer = ask(
        "read_report",
        report="rpt_orders",
        columns=["ordered_date"],
        where={"ordered_date": {"from": days[0], "to": days[2]}},
        order_by=["ordered_date"],
    )
    assert sorted({row["ordered_date"] for row in answer["rows"]}) == days


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ({"from": "2025-01-01", "to": None}, {"from": "2025-01-01"}),
        ({"from": None, "to": "2999-01-01"}, {"to": "2999-01-01"}),
    ],
)
def test_a_range_with_a_null_end_is_open_there(
    ask: Ask, wanted: dict[str, Any], meant: dict[str, Any]
) -> None:
    for tool in ("read_report", "read_orders_behind"):
        given = {"report": "rpt_orders"} if tool == "read_report" else {}
        answers = [ask(tool, **given, where={"ordered_date": ends}) for ends in (wanted, meant)]
        assert answers[0]["rows_in_all"] > 0
        assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("read_report", {"report": "rpt_headline"}, "no table called 'rpt_headline': did you mean"),
        ("explain", {"name": "sale_amount"}, "called 'sale_amount': did you mean sales_amount?"),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"sales": 1}},
            "there is no column of rpt_headlines called 'sales'",
        ),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"1=1; drop table x": 1}},
            "there is no column of rpt_headlines called '1=1; drop table x'",
        ),
        ("read_report", {"report": "rpt_headlines", "limit": 1001}, "a limit is from 1 to 1,000"),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"sales_amount": "many"}},
            "a value does not fit its column",
        ),
        (
            "read_report",
            {"report": "rpt_orders", "where": {"ordered_date": {"since": "2026-01-01"}}},
            "a range of ordered_date has `from`, `to` or both",
        ),
        (
            "read_report",
            {"report": "rpt_orders", "where": {"ordered_date": {"from": None, "to": None}}},
            "a range of ordered_date has `from`, `to` or both",
        ),
        (
            "read_report",
            {"report": "rpt_orders", "where": {"ordered_date": {}}},
            "a range of ordered_date has `from`, `to` or both",
        ),
        (
            "read_report",
            {
                "report": "rpt_orders",
                "where": {"ordered_date": {"from": "2026-02-01", "to": "2026-01-31"}},
            },
            "the range of ordered_date matches nothing: its `from` comes after its `to`",
        ),
        ("read_report", {"report": "rpt_orders", "limit": True}, "limit: Input should be"),
        ("read_orders_behind", {"limit": False}, "limit: Input should be"),
        ("why", {"metric": "sales", "limit": True}, "limit: Input should be"),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"order_count": True}},
            "a condition on order_count takes no true or false",
        ),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"order_count": [1, False]}},
            "a condition on order_count takes no true or false",
        ),
        (
            "read_report",
            {"report": "rpt_headlines", "where": {"sales_amount": {"from": True}}},
            "a condition on sales_amount takes no true or false",
        ),
        (
            "read_report",
            {"report": "rpt_reorders", "where": {"is_late": 1}},
            "a condition on is_late takes true or false",
        ),
        (
            "read_report",
            {"report": "rpt_orders", "where": {"sub_total": {"from": "10", "to": "9"}}},
            "the range of sub_total matches nothing",
        ),
        (
            "read_orders_behind",
            {"where": {"order_id": []}},
            "the list of order_id is empty",
        ),
        (
            "read_report",
            {"report": "rpt_orders", "where": {"order_id": [{"a": 1}]}},
            "a condition on order_id is a value, a list of values, or a range",
        ),
        ("read_orders_behind", {"period": "?"}, "'?' names no period: use all_time"),
        (
            "read_orders_behind",
            {"where": {"ordered_date": "soon"}},
            "a value does not fit its column",
        ),
    ],
)
def test_what_is_not_there_is_said_in_a_line(
    ask: Ask, tool: str, given: dict[str, Any], said: str
) -> None:
    told = ask(tool, **given)["error"]

    assert said in told
    assert "\n" not in told


def test_a_value_is_never_sql(ask: Ask) -> None:
    odd = "x' or 1=1 --"

    assert ask("read_report", report="rpt_orders", where={"order_id": odd})["rows"] == []


def test_sql_is_run_only_where_it_is_allowed(ask: Ask, business: Marts, run_sql: Ask) -> None:
    query = "select order_count from wholesale_bi.rpt_headlines"
    wanted = business.rows("select order_count from wholesale_bi.rpt_headlines")

    assert "Unknown tool" in ask("run_sql", query=query)["error"]
    answer = run_sql(query)

    assert answer["rows"] == [{"order_count": count} for (count,) in wanted]
    assert (answer["verdict"], answer["has_more_rows"]) == ("complete", False)


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from '/etc/passwd'",
        "select 1; select 2",
        "copy (select 1) to '/tmp/out.csv'",
        "attach '/tmp/other.duckdb'",
        "install httpfs",
        "delete from wholesale_bi.rpt_headlines",
        "set enable_external_access = true",
        "select getenv('HOME')",
        "selec 1",
    ],
)
def test_sql_reaches_nothing_but_the_version(business: Marts, run_sql: Ask, query: str) -> None:
    told = run_sql(query)

    assert "error" in told, told
    assert "\n" not in told["error"]


def test_all_in_a_list_is_all(ask: Ask) -> None:
    orders = ask("read_orders_behind")["order_count"]

    assert (
        ask("read_orders_behind", where={"state": ["all", "United States-California"]})[
            "order_count"
        ]
        == orders
    )


@pytest.mark.parametrize("column", ["vendor_name", "buyer_company_name", "order_status"])
def test_all_is_a_value_like_any_other_where_no_totals_are(ask: Ask, column: str) -> None:
    assert ask("read_orders_behind", where={column: "all"})["order_count"] == 0


@pytest.mark.parametrize(
    ("period", "where"),
    [
        ("all_time", {"vendor": "all"}),
        ("last_28_days", {"ordered_date": "2020-01-01"}),
        ("last_28_days", {"ordered_date": None}),
    ],
)
def test_a_condition_is_never_dropped(ask: Ask, period: str, where: dict[str, object]) -> None:
    assert "error" in ask("read_orders_behind", period=period, where=where)


@pytest.mark.parametrize("column", ["vendor_id", "state"])
def test_null_finds_what_a_report_calls_unknown(column: str) -> None:
    described = {column: DescribedColumn(column, "VARCHAR", "", False)}
    where, values = conditions_of(DescribedTable("t", "main", "", described), {column: None})

    with duckdb.connect() as connection:
        source = f"(values ('unknown'), (null), ('x'), ('all')) as t ({column})"
        found = connection.execute(f"select {column} from {source}{where} order by all", values)
        assert found.fetchall() == [("unknown",), (None,)]


def test_a_fraction_is_no_whole_number(ask: Ask) -> None:
    [row] = ask("read_report", report="rpt_orders", limit=1)["rows"]
    [whole, below] = [
        ask("read_report", report="rpt_orders", where={"age_in_days": days})["rows_in_all"]
        for days in (row["age_in_days"], row["age_in_days"] - 0.5)
    ]

    assert whole > 0
    assert below == 0


def test_values_of_sql_are_told_exactly_whatever_their_type(
    business: Marts, run_sql: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    query = (
        "select timestamp '2026-01-01 00:00:00' as naive, [1.10, 2.0] as list,"
        " {'a': 0.1} as pair, '\\x00\\xFF'::blob as bytes,"
        " 12345678901234567890123456789.123456789 as long, 1e-7 as small, 1 / 0 as endless"
    )

    answer = run_sql(query)

    assert answer["rows"] == [
        {
            "naive": "2026-01-01T00:00:00+00:00",
            "list": ["1.1", "2"],
            "pair": {"a": "0.1"},
            "bytes": "00ff",
            "long": "12345678901234567890123456789.123456789",
            "small": "0.0000001",
            "endless": "Infinity",
        }
    ]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("select repeat('x', 20000000) as long", "the answer has"),
        ("select 1 as a, 2 as a", "two columns have one name"),
        ("select * from range(1200) as many(n)", ""),
    ],
)
def test_an_answer_is_bounded(business: Marts, run_sql: Ask, query: str, said: str) -> None:
    answer = run_sql(query)

    if said:
        assert said in answer["error"]
    else:
        assert (len(answer["rows"]), answer["has_more_rows"]) == (1000, True)


@pytest.mark.parametrize(
    "much",
    [
        "select n, row_number() over (order by hash(n)) from range(60000000) as many(n)",
        "select length(repeat('x', 1000000000))",
        "select length(lpad('x', 1000000000, 'y'))",
        "select repeat('x', 2000000000)",
        "select [n for n in range(200000000)]",
        "select length(string_agg(repeat('x', 1000000))) from range(2000)",
    ],
)
def test_what_does_not_fit_into_memory_is_refused_and_writes_nothing(
    business: Marts, run_sql: Ask, much: str
) -> None:
    before = sorted(beside(business).rglob("*"))

    assert run_sql(much).keys() == {"error"}

    assert sorted(beside(business).rglob("*")) == before
    assert run_sql("select 1 as n")["rows"] == [{"n": 1}]


@pytest.mark.parametrize(
    "endless",
    [
        pytest.param(
            "select count(*) from range(10000000000) as a(n), range(1000) as b(m) where n <> m",
            marks=pytest.mark.slow,
        ),
        pytest.param("select sleep_ms(100000)", marks=pytest.mark.slow),
        "with recursive a as (select 1 as n union all select n + 1 from a) select max(n) from a",
    ],
)
def test_sql_that_has_no_end_is_given_up_and_the_next_is_answered(
    business: Marts, endless: str
) -> None:
    with SqlProcess(3) as process:
        ask = asking(beside(business), process=process)

        assert "longer than 3 s" in ask("run_sql", query=endless)["error"]
        assert ask("run_sql", query="select 1 as n")["rows"] == [{"n": 1}]


def test_one_query_is_answered_at_a_time(business: Marts) -> None:
    database = find_site(beside(business)).database
    with SqlProcess(2) as process, ThreadPoolExecutor(8) as threads:
        process.ask(database, "select 1")
        asked = [
            threads.submit(process.ask, database, "select sleep_ms(800) as n") for _ in range(8)
        ]
        refused = [one.exception() for one in asked if one.exception()]

    assert 0 < len(refused) < len(asked)
    assert {type(error) for error in refused} == {Unanswerable}


def test_where_the_system_has_no_limit_the_memory_of_a_process_is_watched(
    business: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_process, "HAS_LIMIT", False)
    monkeypatch.setattr(sql_process, "MOST_MEMORY", 1)
    with SqlProcess() as process:
        asked = asking(beside(business), process=process)
        assert "gigabyte" in asked("run_sql", query="select sleep_ms(100000)")["error"]


@pytest.mark.slow
def test_a_newer_version_is_answered_from_as_soon_as_it_is_in_force(
    built: Marts, tmp_path: Path
) -> None:
    marts = built.copy(tmp_path)
    publish_marts(marts.warehouse, str(beside(marts)))
    ask = asking(beside(marts))
    before = ask("read_report", report="rpt_headlines", columns=["order_count"])
    marts.change(
        "update wholesale_bi.rpt_freshness set built_at = built_at + interval 1 second",
        "update wholesale_bi.rpt_headlines set order_count = order_count + 1",
    )

    assert publish_marts(marts.warehouse, str(beside(marts))).result == "published"

    after = ask("read_report", report="rpt_headlines", columns=["order_count"])
    assert after["rows"] == [{"order_count": before["rows"][0]["order_count"] + 1}]
    assert after["version"] != before["version"]


def test_where_nothing_is_published_it_says_what_to_do(tmp_path: Path) -> None:
    told = asking(tmp_path / "nothing")("list_reports")["error"]

    assert "holds no published version: run `wholesale publish`" in told


@pytest.mark.parametrize(
    "query", ["select current_setting('s3_secret_access_key')", "select * from duckdb_secrets()"]
)
def test_sql_finds_no_credentials(
    business: Marts, run_sql: Ask, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "planted")
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "planted")

    assert "planted" not in str(run_sql(query))


def test_no_column_of_a_person_is_there_unless_it_was_published(ask: Ask) -> None:
    reports = ask("list_reports")["reports"]
    [orders] = (report for report in reports if report["report"] == "rpt_orders")

    assert "customer_name" not in {column for report in reports for column in report["columns"]}
    assert "order_id" in orders["columns"]


def test_columns_of_figures_have_units_and_what_is_only_a_number_has_none(ask: Ask) -> None:
    units: dict[str, str] = {}
    for report in ask("list_reports")["reports"]:
        for column in ask("explain", name=report["report"])["columns"]:
            if column["type"].startswith(("BIGINT", "DECIMAL")):
                units[column["column"]] = column.get("unit", "")

    assert {name for name, unit in units.items() if not unit} == {"position", "month_number"}
    told = {name: units[name] for name in ("sales_amount", "order_count", "fee_rate")}
    assert told == {
        "sales_amount": "currency of the account",
        "order_count": "count",
        "fee_rate": "share: 1 is all of it",
    }


def test_every_metric_is_listed_and_each_has_dimensions(ask: Ask) -> None:
    listed = [name for of in ask("list_metrics")["metrics"].values() for name in of]

    assert sorted(listed) == sorted(read_metrics())
    for name in listed:
        told = ask("list_dimensions", metric=name)
        assert (told["metric"], bool(told["meaning"])) == (name, True)
        assert "buyer" in told["dimensions"]


def test_figures_by_a_dimension_have_their_total_and_what_is_not_shown(
    ask: Ask, business: Marts
) -> None:
    answer = ask("figures", metrics=["sales", "orders"], by=["vendor"], limit=2)
    expected = business.rows(
        "select vendor_id, sum(sub_total), count(*) from wholesale_marts.fct_orders where is_sale"
        " group by all order by 2 desc"
    )

    assert [(row["vendor"], row["sales"], row["orders"]) for row in answer["rows"]] == [
        (vendor, f"{sales.normalize():f}", count) for vendor, sales, count in expected[:2]
    ]
    whole = sum(sales for _, sales, _ in expected)
    assert answer["total"] == {
        "sales": f"{whole.normalize():f}",
        "orders": sum(count for *_, count in expected),
    }
    assert answer["rows_not_shown"] == len(expected) - 2


def test_an_answer_that_was_kept_is_verified_by_the_version_that_it_names(
    ask: Ask, business: Marts, tmp_path: Path
) -> None:
    compared = ask(
        *("figures",),
        metrics=["sales", "average_order_value"],
        by=["vendor"],
        limit=2,
        compare="period",
        period="2026-05",
        grain="week",
    )
    for number, answer in enumerate((compared, ask("figures", metrics=["sales"]))):
        held = tmp_path / f"{number}.json"
        held.write_text(json.dumps(answer), "utf-8")
        found = verify(beside(business), held=held)
        assert (found.version, found.count, found.findings) == (
            *(answer["version"], len(answer["rows"]), []),
        )
        answer["rows"][0]["sales"] = "0.01"
        held.write_text(json.dumps(answer), "utf-8")
        [finding] = verify(beside(business), held=held).findings
        assert [row["sales"] for row in finding.rows if row["side"] == "added"] == ["0.01"]


@pytest.mark.parametrize(
    "given",
    [
        {"metrics": ["salez"]},
        {"metrics": ["sales"], "by": ["category"]},
        {"metrics": ["sales"], "where": {"vendor": "nobody"}},
        {"metrics": ["sales"], "limit": 0},
        {"metrics": ["sales"], "limit": True},
        {"metrics": ["sales"], "limit": "2"},
        {"metrics": ["sales"], "where": {"vendor": True}},
        {"metrics": []},
    ],
)
def test_figures_that_cannot_be_are_refused(ask: Ask, given: dict[str, Any]) -> None:
    assert ask("figures", **given).keys() == {"error"}


def test_a_metric_is_explained_down_to_the_raw_columns(ask: Ask) -> None:
    told = ask("explain", name="sales_amount")

    assert told["units"]["rpt_daily_sales"] == "currency of the account"
    assert told["lineage"]["rpt_daily_sales"] == {
        "models": [
            "wholesale_intermediate.int_daily_sales",
            "wholesale_intermediate.int_orders",
            "wholesale_marts.fct_orders",
            "wholesale_staging.stg_wholesale__orders",
        ],
        "raw_columns": [
            "wholesale_raw.orders._deleted_at",
            "wholesale_raw.orders.status",
            "wholesale_raw.orders.sub_total",
        ],
    }


@pytest.mark.parametrize(
    "query",
    [
        "select * from duckdb_databases()",
        "from duckdb_databases",
        "select path from duckdb_databases",
        "from main.duckdb_settings()",
        "from pragma_database_list",
        "select * from pragma_database_list()",
        "show databases",
        "show all tables",
        "summarize from duckdb_settings()",
        "describe wholesale_bi.rpt_headlines",
        "select current_setting('temp_directory')",
        "select pg_catalog.current_setting('home_directory')",
        "select * from pg_catalog.pg_settings",
        "select * from information_schema.tables",
        "select * from duckdb_extensions()",
        "select * from duckdb_temporary_files()",
        "select * from query('from duckdb_databases()')",
        "select * from query_table('duckdb_databases')",
        "with t as (select path from duckdb_databases()) select * from t",
        "select (select max(path) from duckdb_databases())",
        "with duckdb_databases as (select 1) select * from duckdb_databases()",
        "select * from (with duckdb_databases as (select 1) select 1), duckdb_databases",
        "with duckdb_databases as (select 1) from duckdb_databases",
        "with tables as (select 1) select * from information_schema.tables",
        "select * from sniff_csv('x')",
        "select * from glob('/*')",
        "pivot wholesale_bi.rpt_headlines on order_count",
    ],
)
def test_sql_is_told_nothing_of_the_machine(business: Marts, run_sql: Ask, query: str) -> None:
    told = run_sql(query)

    assert told.keys() == {"error"}, told
    assert str(business.database.parent) not in told["error"]


def test_sql_may_name_its_own_queries_and_rows_of_numbers(run_sql: Ask) -> None:
    query = (
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2), Orders as"
        " (select order_id from wholesale_bi.rpt_orders union all from (values ('x')) as"
        " v(order_id))"
        " select count(*) > 1 as many, (select sum(i) from n) as i, (select max(r) from range(3)"
        " as t(r)) as r, list_transform([1], lambda e: e + 1) as l from ORDERS"
        " where order_id in (select order_id from WHOLESALE_BI.rpt_orders) or order_id = 'x'"
    )

    answer = run_sql(query)

    assert answer["rows"] == [{"many": True, "i": "3", "r": 2, "l": [2]}]


@pytest.mark.slow
def test_agents_are_told_of_tables_and_metrics_that_users_added(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    marts.build()
    publish_marts(marts.warehouse, str(beside(marts)))
    ask = asking(beside(marts))

    reports = {each["report"] for each in ask("list_reports")["reports"]}
    metrics = ask("list_metrics")["metrics"]
    rows = ask("read_report", report="size_sales", order_by=["size"])["rows"]
    figures = ask("figures", metrics=["sized_sales"], by=["size"])

    expected = marts.rows(SIZES)
    assert {"buyer_size", "size_sales"} <= reports
    assert metrics["orders"]["large_orders"] == "Large orders"
    assert list(metrics["buyer_size"]) == ["sized_sales"]
    assert list(ask("list_dimensions", metric="sized_sales")["dimensions"]) == ["size"]
    assert [(row["size"], row["buyer_count"]) for row in rows] == [row[:2] for row in expected]
    assert figures["rows"] == [
        {"size": size, "sized_sales": f"{sales.normalize():f}"}
        for size, _, sales in sorted(expected, key=lambda row: -row[2])
    ]
    lineage = ask("explain", name="size")["lineage"]["size_sales"]
    assert "wholesale_own.buyer_size" in lineage["models"]
