"""App: a host of agents shows figures by a page that asks nobody but the host for anything."""

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from playwright.sync_api import Browser, Frame, Page

from support.warehouses.browsing import launched
from support.warehouses.edits import publish_again
from support.warehouses.marts import Marts

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
from mcp import Client
from mcp.server import MCPServer
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from wholesale_agents.app import FIGURES
from wholesale_agents.server import make_server

HOST = """<!doctype html><html><body><iframe sandbox="allow-scripts"></iframe><script>
const [frame, heard, asked] = [document.querySelector("iframe"), [], ASKED];
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
window.heard = heard;
window.send = send;
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  heard.push(data);
  const { id, method, params } = data;
  if (asked.refused.includes(method)) send({ id, error: { code: -32000, message: "not here" } });
  else if (method === "ui/initialize") send({ id, result: asked.begun });
  else if (method === "ui/notifications/initialized")
    for (const each of asked.first) send(each);
  else if (method === "tools/call")
    send({ id, result: await callTool(params.name, params.arguments) });
  else if (method !== undefined && id !== undefined) send({ id, result: {} });
});
frame.style = "width: 100%; height: 900px; border: 0";
frame.srcdoc = asked.page;
</script></body></html>"""
"""A host, which keeps what it hears from the page."""
CAPABILITIES: Mapping[str, Any] = {"serverTools": {}, "updateModelContext": {}}
MESSAGE = {
    "type": "object",
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": "integer"},
        "method": {
            "enum": [
                *("ui/initialize", "ui/notifications/initialized", "tools/call"),
                *("ui/notifications/size-changed", "ui/update-model-context"),
            ]
        },
        "params": {"type": "object"},
        "result": {"type": "object"},
        "error": {"type": "object", "required": ["code", "message"]},
    },
    "required": ["jsonrpc"],
    "additionalProperties": False,
}
"""What a page may send, of the extension's methods those that ours uses."""
PARAMS = {
    "ui/initialize": {
        "type": "object",
        "properties": {
            "protocolVersion": {"const": "2026-01-26"},
            "appInfo": {"type": "object", "required": ["name", "version"]},
            "appCapabilities": {
                "type": "object",
                "properties": {
                    "availableDisplayModes": {
                        "type": "array",
                        "items": {"enum": ["inline", "fullscreen", "pip"]},
                    }
                },
                "additionalProperties": False,
            },
        },
        "required": ["protocolVersion", "appInfo", "appCapabilities"],
        "additionalProperties": False,
    },
    "ui/notifications/size-changed": {
        "type": "object",
        "properties": {"width": {"type": "number"}, "height": {"type": "number"}},
        "additionalProperties": False,
    },
    "tools/call": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["name"],
        "additionalProperties": False,
    },
    "ui/update-model-context": {
        "type": "object",
        "properties": {"content": {"type": "array"}},
        "additionalProperties": False,
    },
}
Result = dict[str, Any]


@pytest.fixture(scope="module")
def server(
    built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory
) -> MCPServer[Any]:
    folder = tmp_path_factory.mktemp("app")
    publish_again(built.copy(folder), published, folder / "published")
    return make_server(folder / "published")


def told(server: MCPServer[Any], ask: Callable[[Client], Any]) -> Any:
    """What the client is told, as it is on the wire."""

    async def answer() -> Any:
        async with Client(server) as client:
            found = await ask(client)
            return found.model_dump(mode="json", by_alias=True, exclude_none=True)

    with ThreadPoolExecutor(1) as worker:  # playwright has a loop of its own in this thread
        return worker.submit(lambda: asyncio.run(answer())).result()


def page_of(server: MCPServer[Any]) -> Mapping[str, Any]:
    [content] = told(server, lambda client: client.read_resource(FIGURES))["contents"]
    return dict(content)


def test_tools_name_a_page_that_the_server_has(server: MCPServer[Any]) -> None:
    tools = {tool["name"]: tool for tool in told(server, lambda c: c.list_tools())["tools"]}
    shown = {name: tool["_meta"] for name, tool in tools.items() if "_meta" in tool}

    assert shown == {name: {"ui": {"resourceUri": FIGURES}} for name in ("figures", "why")}
    listed = told(server, lambda client: client.list_resources())["resources"]
    [resource] = [each for each in listed if each["uri"] == FIGURES]
    content = page_of(server)
    assert FIGURES.startswith("ui://")
    assert resource["mimeType"] == content["mimeType"] == APP_MIME_TYPE
    assert content["_meta"] == resource["_meta"] == {"ui": {"prefersBorder": True}}
    assert content["text"].startswith("<!doctype html>")

    async def capabilities() -> Any:
        async with Client(server) as client:
            return client.server_capabilities

    assert EXTENSION_ID in (asyncio.run(capabilities()).extensions or {})


def test_a_host_without_apps_is_told_the_same_as_text(server: MCPServer[Any]) -> None:
    result = told(server, lambda client: client.call_tool("figures", {"metrics": ["sales"]}))

    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_the_page_runs_and_loads_nothing_but_what_it_holds(server: MCPServer[Any]) -> None:
    html = page_of(server)["text"]
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    [style] = re.findall(r"<style>(.*?)</style>", html, re.S)
    [script] = re.findall(r"<script>(.*?)</script>", html, re.S)

    def own(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": own(script),
        "style-src": own(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", html))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "innerHTML" not in html
    assert len(html) < 64_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def host(browser: Browser, server: MCPServer[Any]) -> Iterator[Callable[..., tuple[Page, Frame]]]:
    """A host that shows the answer of a tool; nothing is written to its console."""
    pages: list[Page] = []
    faults: list[str] = []

    def show(
        tool: str,
        given: dict[str, Any],
        *,
        result: Result | None = None,
        theme: str = "light",
        capabilities: Mapping[str, Any] = CAPABILITIES,
        refused: Sequence[str] = (),
    ) -> tuple[Page, Frame]:
        result = result or told(server, lambda client: client.call_tool(tool, given))
        asked = {
            "page": page_of(server)["text"],
            "refused": list(refused),
            "begun": {
                "protocolVersion": "2026-01-26",
                "hostInfo": {"name": "test", "version": "1"},
                "hostCapabilities": capabilities,
                "hostContext": {"theme": theme},
            },
            "first": [
                {"method": "ui/notifications/tool-input", "params": {"arguments": given}},
                {"method": "ui/notifications/tool-result", "params": result},
            ],
        }
        page = browser.new_page(viewport={"width": 600, "height": 900})
        pages.append(page)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url))
        page.expose_function(
            "callTool",
            lambda name, arguments: told(server, lambda client: client.call_tool(name, arguments)),
        )
        page.set_content(HOST.replace("ASKED", json.dumps(asked).replace("</", "<\\/")))
        frame = page.frames[1]
        frame.wait_for_selector("main[aria-busy=false] > *")
        return page, frame

    yield show
    for page in pages:
        page.close()
    assert [fault for fault in faults if not fault.startswith("about:")] == []


@pytest.mark.browser
def test_a_host_is_sent_what_the_extension_has_and_the_page_asks_further(
    host: Callable[..., tuple[Page, Frame]],
) -> None:
    page, frame = host("figures", {"metrics": ["sales"], "by": ["vendor"]})
    first = frame.inner_text("h1")
    largest = frame.locator("tbody th").first.inner_text()

    frame.get_by_role("button", name="See the largest by buyer").click()
    frame.wait_for_selector(".chip")

    assert (first, frame.inner_text("h1")) == ("Sales by vendor", "Sales by buyer")
    assert largest in frame.inner_text(".chip")
    assert frame.evaluate("document.activeElement.tagName") == "H1"
    frame.get_by_role("button", name="← Back").click()
    assert frame.inner_text("h1") == first
    heard = page.evaluate("heard")
    for message in heard:
        jsonschema.validate(message, MESSAGE)
        if "method" in message and message["method"] in PARAMS:
            jsonschema.validate(message["params"], PARAMS[message["method"]])
    methods = [message.get("method") for message in heard]
    assert methods[:2] == ["ui/initialize", "ui/notifications/initialized"]
    assert {"ui/notifications/size-changed", "tools/call"} <= {*methods}
    page.evaluate("send({ id: 7, method: 'ui/resource-teardown', params: {} })")
    page.evaluate("send({ id: 8, method: 'ui/nonsense' })")
    page.wait_for_function("heard.filter(({ method }) => method === undefined).length === 2")
    answers = {each["id"]: each for each in page.evaluate("heard") if "method" not in each}
    assert (answers[7]["result"], answers[8]["error"]["code"]) == ({}, -32601)


@pytest.mark.browser
def test_months_are_bars_that_arrows_go_along_and_a_table_has_them_too(
    host: Callable[..., tuple[Page, Frame]],
) -> None:
    given = {
        "metrics": ["sales", "orders"],
        "period": "last_12_months",
        "grain": "month",
        "compare": "year",
    }
    _, frame = host("figures", given)
    says = frame.locator(".says")
    last = says.inner_text()

    frame.focus("svg")
    frame.press("svg", "ArrowLeft")

    assert (frame.locator(".part").count(), says.inner_text() != last) == (12, True)
    frame.press("svg", "End")
    assert says.inner_text() == last
    frame.get_by_role("tab", name="Orders").click()
    assert "$" not in frame.inner_text(".says")
    frame.click("summary")
    assert frame.locator("tbody tr:visible").count() == 10
    frame.get_by_role("button", name="more").click()
    assert frame.locator("tbody tr:visible").count() == 12


@pytest.mark.browser
def test_the_causes_of_a_difference_add_up_on_the_page(
    host: Callable[..., tuple[Page, Frame]],
) -> None:
    _, frame = host("why", {"metric": "sales", "by": ["buyer"]})

    assert frame.inner_text("h1") == "Why sales moved"
    assert "add up to the difference" in frame.inner_text("main")
    causes = frame.locator("table.moved").first.locator("th > span:first-child").all_inner_texts()
    assert sorted(causes) == ["Deleted", "Edited"]


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_follows_light_and_dark_and_says_what_is_not_complete(
    host: Callable[..., tuple[Page, Frame]], server: MCPServer[Any], theme: str
) -> None:
    result = told(server, lambda client: client.call_tool("figures", {"metrics": ["sales"]}))
    result["structuredContent"] |= {
        "verdict": "incomplete",
        "reasons": ["orders: <b>2</b> missing"],
    }
    page, frame = host(
        "figures", {"metrics": ["sales"]}, result=result, theme=theme, capabilities={}
    )

    assert frame.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme
    assert "Not complete" in frame.inner_text(".doubtful")
    assert "<b>2</b>" in frame.inner_text(".doubtful"), "a text is a text"
    assert frame.locator("nav").count() == 0, "the host lets the page ask nothing"
    other = {"light": "dark", "dark": "light"}[theme]
    page.evaluate(
        "(theme) => send({ method: 'ui/notifications/host-context-changed', params: { theme } })",
        other,
    )
    frame.wait_for_selector(f":root[data-theme={other}]")


@pytest.mark.browser
def test_a_question_without_an_answer_is_said_and_so_is_one_withdrawn(
    host: Callable[..., tuple[Page, Frame]],
) -> None:
    page, frame = host("figures", {"metrics": ["refunds"]})

    assert frame.inner_text("[role=alert]").startswith("refunds may mean several")
    page.evaluate("send({ method: 'ui/notifications/tool-cancelled', params: { reason: 'x' } })")
    frame.wait_for_function("document.body.innerText.includes('withdrawn')")


@pytest.mark.browser
def test_a_host_that_refuses_is_no_fault_of_the_page(
    host: Callable[..., tuple[Page, Frame]],
) -> None:
    given = {"metrics": ["sales"], "by": ["vendor"]}
    page, frame = host("figures", given, refused=["ui/update-model-context"])
    frame.get_by_role("button", name="See the largest by buyer").click()
    page.wait_for_function("heard.some(({ method }) => method === 'ui/update-model-context')")
    assert frame.inner_text("h1") == "Sales by buyer"

    _, frame = host("figures", given, refused=["tools/call"])
    frame.get_by_role("button", name="See the largest by buyer").click()
    assert frame.inner_text("[role=alert]") == "not here"

    _, frame = host("figures", given, refused=["ui/initialize"])
    assert frame.inner_text("[role=alert]") == "not here"
