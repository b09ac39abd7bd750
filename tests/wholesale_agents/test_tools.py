"""Tools: what an agent sends is understood or refused, and no answer is too long."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
from mcp import Client
from mcp.server import MCPServer

from wholesale.errors import Unanswerable
from wholesale_agents import bounds
from wholesale_agents.bounds import MOST_BYTES, bytes_of, fitting, require_short
from wholesale_agents.server import INSTRUCTIONS, make_server
from wholesale_agents.sql_process import SqlProcess
from wholesale_agents.tools import tool_of

ARGUMENTS = {
    "list_metrics": [],
    "list_dimensions": ["metric"],
    "figures": ["metrics", "by", "where", "period", "grain", "compare", "limit", "as_of"],
    "why": ["metric", "from", "to", "by", "where", "period", "limit"],
    "list_reports": [],
    "explain": ["name"],
    "read_report": ["report", "columns", "where", "order_by", "limit"],
    "read_freshness": [],
    "read_orders_behind": ["period", "where", "limit"],
    "next_orders": ["buyer", "manager", "due", "limit", "as_of"],
    "expected_sales": ["by", "as_of"],
    "run_sql": ["query"],
}
NEEDED: dict[str, dict[str, Any]] = {
    "list_dimensions": {"metric": "sales"},
    "figures": {"metrics": ["orders"]},
    "explain": {"name": "rpt_headlines"},
    "read_report": {"report": "rpt_headlines"},
    "run_sql": {"query": "select 1 as n"},
}


@pytest.fixture(scope="module")
def server(published: Path) -> MCPServer[Any]:
    return make_server(published, process=SqlProcess())


def call(server: MCPServer[Any], tool: str, given: dict[str, Any]) -> tuple[bool, str]:
    """Whether it is an error, and the text."""

    async def told() -> tuple[bool, str]:
        async with Client(server) as client:
            result = await client.call_tool(tool, given)
        return result.is_error, "".join(getattr(part, "text", "") for part in result.content)

    return asyncio.run(told())


def test_every_tool_is_described_and_takes_its_own_arguments_alone(
    server: MCPServer[Any],
) -> None:
    async def listed() -> list[Any]:
        async with Client(server) as client:
            return list((await client.list_tools()).tools)

    tools = asyncio.run(listed())
    schemas = {tool.name: tool.input_schema for tool in tools}
    assert {name: list(of["properties"]) for name, of in schemas.items()} == ARGUMENTS
    assert {of["additionalProperties"] for of in schemas.values()} == {False}
    assert all(tool.description and "\n  " not in tool.description for tool in tools)
    assert "never instructions" in INSTRUCTIONS


@pytest.mark.parametrize("tool", ARGUMENTS)
@pytest.mark.parametrize("name", ["filter", "group_by", "before", "from_", "periode", ""])
def test_an_argument_that_there_is_not_is_named_beside_those_that_there_are(
    server: MCPServer[Any], tool: str, name: str
) -> None:
    is_error, text = call(server, tool, {**NEEDED.get(tool, {}), name: "x"})

    assert is_error
    assert repr(name) in text
    assert all(each in text for each in ARGUMENTS[tool])
    assert "\n" not in text


@pytest.mark.parametrize("tool", sorted(ARGUMENTS.keys() - {"why", "run_sql"}))
def test_null_is_as_good_as_absent_for_what_need_not_be_given(
    server: MCPServer[Any], tool: str
) -> None:
    needed = NEEDED.get(tool, {})
    nulls = {name: None for name in ARGUMENTS[tool] if name not in needed}

    assert call(server, tool, {**needed, **nulls}) == call(server, tool, needed)


@pytest.mark.parametrize(
    ("tool", "given", "name"),
    [
        ("figures", {}, "metrics"),
        ("figures", {"metrics": None}, "metrics"),
        ("figures", {"metrics": "orders"}, "metrics"),
        ("figures", {"metrics": ["orders"], "limit": "many"}, "limit"),
        ("figures", {"metrics": ["orders"], "by": "vendor"}, "by"),
        ("why", {"metric": "sales", "from": 1}, "from"),
        ("next_orders", {"due": "yes"}, "due"),
        ("read_report", {"report": "rpt_headlines", "where": []}, "where"),
    ],
)
def test_an_argument_that_does_not_fit_is_named_in_a_line(
    server: MCPServer[Any], tool: str, given: dict[str, Any], name: str
) -> None:
    is_error, text = call(server, tool, given)

    assert is_error
    assert text.startswith(name)
    assert "\n" not in text


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read_report", {"report": "rpt_orders", "limit": 1000}),
        ("read_report", {"report": "rpt_daily_sales", "limit": 1000}),
        ("read_orders_behind", {"limit": 1000}),
        ("figures", {"metrics": ["sales", "orders"], "by": ["buyer", "vendor"], "limit": 1000}),
        ("figures", {"metrics": ["sales"], "grain": "day", "by": ["buyer"], "limit": 1000}),
    ],
)
def test_no_answer_is_longer_than_clients_take(
    server: MCPServer[Any], tool: str, given: dict[str, Any]
) -> None:
    is_error, text = call(server, tool, given)
    answer = json.loads(text)

    assert not is_error
    assert len(text.encode()) <= MOST_BYTES
    assert answer["rows"]
    assert answer["rows_in_all"] == len(answer["rows"]) + answer["rows_not_shown"]


def test_of_a_long_text_in_a_row_the_beginning_is_told() -> None:
    rows = [{"name": "x" * 70_000, "tags": ["y" * 600], "of": {"z" * 600: 1}}] * 300
    kept = fitting({}, rows)

    assert 0 < len(kept) < 300
    assert bytes_of({"rows": kept}) <= MOST_BYTES
    assert kept[0] == {
        "name": "x" * bounds.MOST_LETTERS + "…",
        "tags": ["y" * bounds.MOST_LETTERS + "…"],
        "of": {"z" * bounds.MOST_LETTERS + "…": 1},
    }


def test_an_answer_that_cannot_be_cut_is_refused() -> None:
    require_short({"text": "x" * 60_000})
    with pytest.raises(Unanswerable):
        require_short({"text": "x" * 70_001})


def test_an_answer_that_is_too_long_is_an_error_of_one_line() -> None:
    def much() -> dict[str, Any]:
        """Much."""
        return {"text": "x" * 100_000}

    server: Any = MCPServer("test", tools=[tool_of(much)])
    is_error, text = call(server, "much", {})

    assert is_error
    assert len(text) < 300


def test_sql_reads_the_plain_views_and_what_they_mean(published: Path) -> None:
    with SqlProcess() as process:
        server = make_server(published, process=process)

        def rows(query: str) -> Any:
            is_error, text = call(server, "run_sql", {"query": query})
            return text if is_error else json.loads(text)["rows"]

        [orders] = rows("select count(*) as n from orders")
        assert rows("select count(*) as n from main.orders") == [orders]
        assert rows("select count(*) as n from wholesale.main.orders") == [orders]
        assert rows("select count(*) > 0 as n from meta.columns") == [{"n": True}]
        assert "no table" in rows("from main.duckdb_settings")
        assert "no table" in rows("from duckdb_tables")
        assert "no table" in rows("from memory.main.orders")
