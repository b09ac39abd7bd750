"""Guides: what an answer, a prompt and a resource lead to works as it stands."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.edits import publish_again
from support.warehouses.marts import Marts

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
from mcp import Client
from mcp.server import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS

from wholesale_agents import following
from wholesale_agents.following import call
from wholesale_agents.server import make_server
from wholesale_agents.sql_process import SqlProcess
from wholesale_elt.figures import read_metrics
from wholesale_elt.publish import find_site, kept_versions
from wholesale_elt.publish.publisher import publish_marts

Answer = dict[str, Any]
STEP = re.compile(r"^\d+\. (\w+) (\{.*\}) \(to .+\)$", re.M)
MOST_FOLLOWED = 60


@pytest.fixture(scope="module")
def server(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MCPServer[Any]]:
    """Of two versions, between which orders changed."""
    folder = tmp_path_factory.mktemp("guides")
    publish_again(built.copy(folder), published, folder / "published")
    with SqlProcess() as process:
        yield make_server(folder / "published", process=process)


def told(server: MCPServer[Any], ask: Callable[[Client], Any]) -> Any:
    async def answer() -> Any:
        async with Client(server) as client:
            return await ask(client)

    return asyncio.run(answer())


def answered(server: MCPServer[Any], tool: str, given: Mapping[str, Any]) -> Answer:
    result = told(server, lambda client: client.call_tool(tool, dict(given)))
    text = "".join(getattr(part, "text", "") for part in result.content)
    assert not result.is_error, f"{tool} {given}: {text}"
    return dict(result.structured_content)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("list_metrics", {}),
        ("list_dimensions", {"metric": "lost_buyers"}),
        ("list_reports", {}),
        ("figures", {"metrics": ["revenue"], "by": ["customer"]}),
        ("figures", {"metrics": ["late_buyers"]}),
        ("figures", {"metrics": ["product_units"], "by": ["category", "weekday"]}),
        ("figures", {"metrics": ["open_amount"], "by": ["due_bucket"], "where": {"buyer": None}}),
        ("figures", {"metrics": ["sales"], "period": "last_12_months", "grain": "month"}),
        ("figures", {"metrics": ["cancelled_sales"], "by": ["order_status"], "compare": "none"}),
        ("why", {"metric": "sales"}),
        ("why", {"metric": "average_order_value", "by": ["vendor"], "period": "last_12_months"}),
        ("explain", {"name": "rpt_orders"}),
        ("read_report", {"report": "rpt_vendor_scorecard"}),
        ("read_freshness", {}),
        ("read_orders_behind", {"period": "last_12_months", "limit": 2}),
        ("next_orders", {}),
        ("next_orders", {"as_of": "current"}),
        ("expected_sales", {"by": "vendor", "as_of": "current"}),
        ("run_sql", {"query": "from orders"}),
    ],
)
def test_the_calls_after_an_answer_work_as_they_stand(
    server: MCPServer[Any], tool: str, given: dict[str, Any]
) -> None:
    if tool == "figures" and given.get("where"):
        given = {"metrics": given["metrics"], "by": given["by"]}
    following_calls = answered(server, tool, given)["next"]

    assert 0 < len(following_calls) <= following.MOST_CALLS
    for each in following_calls:
        assert each.keys() == {"tool", "arguments", "to"}
        answered(server, each["tool"], each["arguments"])


@pytest.mark.slow
def test_whoever_follows_them_never_meets_an_error(server: MCPServer[Any]) -> None:
    waiting: list[Answer] = [{"tool": "list_metrics", "arguments": {}}]
    seen: set[str] = set()
    while waiting and len(seen) < MOST_FOLLOWED:
        each = waiting.pop(0)
        name = json.dumps([each["tool"], each["arguments"]], sort_keys=True)
        if name not in seen:
            seen.add(name)
            waiting += answered(server, each["tool"], each["arguments"])["next"]

    assert len(seen) == MOST_FOLLOWED or not waiting
    assert len(seen) > MOST_FOLLOWED // 2


def test_where_one_version_is_kept_nobody_is_sent_to_ask_why(published: Path) -> None:
    assert len(kept_versions(published)) == 1
    answer = answered(make_server(published), "figures", {"metrics": ["sales"]})

    assert "why" not in {each["tool"] for each in answer["next"]}


def test_where_reports_alone_are_published_they_are_what_is_next(
    built: Marts, tmp_path: Path
) -> None:
    marts = built.copy(tmp_path)
    publish_marts(marts.warehouse, str(tmp_path / "published"), is_only_bi=True)
    server = make_server(tmp_path / "published")

    behind = answered(server, "read_orders_behind", {"limit": 1})
    for answer in (answered(server, "list_metrics", {}), answered(server, "list_reports", {})):
        for each in answer["next"]:
            answered(server, each["tool"], each["arguments"])
    assert behind["next"] == []


def test_a_call_without_what_is_its_default_and_none_that_is_too_long() -> None:
    short = call("figures", "see", metrics=["sales"], by=[], period="all_time", compare="none")

    assert short["arguments"] == {"metrics": ["sales"]}
    long = call("figures", "see", where={"buyer": ["x" * following.LONGEST]})
    assert following.following(None, long, short) == [short]


def test_figures_are_asked_as_of_a_version(server: MCPServer[Any]) -> None:
    asked = {"metrics": ["orders"]}
    now = answered(server, "figures", asked)
    then = answered(server, "figures", {**asked, "as_of": "previous"})

    assert then["version"] < now["version"]
    assert then["total"]["orders"] == now["total"]["orders"] + 1
    assert {each["tool"] for each in then["next"]} == {"figures"}, "and not why"
    for each in then["next"]:
        assert answered(server, "figures", each["arguments"])["version"] == then["version"]


def test_each_prompt_names_calls_that_work(server: MCPServer[Any]) -> None:
    prompts = {each.name for each in told(server, lambda client: client.list_prompts()).prompts}
    assert prompts == {"morning", "why_did_sales_move", "close_the_month"}
    for name, given in (
        ("morning", {}),
        ("why_did_sales_move", {}),
        ("why_did_sales_move", {"metric": "active_buyers", "period": "last_month"}),
        ("close_the_month", {}),
        ("close_the_month", {"month": "last_quarter"}),
    ):
        [message] = told(server, methodcaller("get_prompt", name, given)).messages
        steps = STEP.findall(message.content.text)
        assert len(steps) > 2
        for tool, arguments in steps:
            answered(server, tool, json.loads(arguments))


@pytest.mark.parametrize(
    ("name", "given"), [("evening", {}), ("morning", {"month": "2026-10"}), ("morning\n", {})]
)
@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_prompt_that_there_is_not_is_asked_for_wrongly(
    server: MCPServer[Any], name: str, given: dict[str, str], era: Any
) -> None:
    async def ask() -> Any:
        async with Client(server, mode=era) as client:
            with pytest.raises(MCPError) as told:
                await client.get_prompt(name, given)
        return told.value

    told = asyncio.run(ask())
    assert (told.code, told.message.isprintable()) == (INVALID_PARAMS, True)


def test_the_server_says_which_release_it_is(server: MCPServer[Any]) -> None:
    async def ask() -> Any:
        async with Client(server) as client:
            return client.server_info

    told = asyncio.run(ask())
    assert (told.name, told.version) == ("wholesale", version("wholesale-elt"))


def test_each_resource_tells_of_the_version_in_force(
    server: MCPServer[Any], published: Path
) -> None:
    listed = told(server, lambda client: client.list_resources()).resources
    read = {
        each.name: json.loads(
            told(server, methodcaller("read_resource", each.uri)).contents[0].text
        )
        for each in listed
        if each.uri.startswith("wholesale://")
    }

    assert read.keys() == {"version", "metrics", "terms", "tables"}
    assert read["version"]["verdict"] == "complete"
    assert read["version"]["version"] > find_site(published).manifest.version
    assert read["metrics"].keys() == read_metrics().keys()
    assert "revenue" in read["terms"]["metrics"]["sales"]
    assert "rep" in read["terms"]["dimensions"]["account_manager"]["called"]
    assert read["tables"]["rpt_orders"]
