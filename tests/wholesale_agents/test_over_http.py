"""Over HTTP: who has the token is answered as over standard input; nobody else is told anything."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import wholesale_elt.publish.publisher as publishing
from support.services.service import WHOLESALE
from support.warehouses import handmade
from support.warehouses.desks import Desk
from wholesale_elt.cli.main import cli

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

TOKEN = "a-token-of-more-than-24-characters"
BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPTED = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    desk = Desk(tmp_path)
    desk.build(1)
    desk.publish()
    return desk.folder


@pytest.fixture
def address(published: Path) -> Iterator[str]:
    """Where a server answers, in a process of its own."""
    command = [WHOLESALE, "mcp", "--http", "127.0.0.1:0", "--published", str(published)]
    environment = {**os.environ, "AGENTS__TOKEN": TOKEN}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, cwd=published
    ) as process:
        assert process.stderr is not None
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stderr.readline())
            assert found, process.stderr.read()
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            said = process.stderr.read()
    assert TOKEN not in said


def post(address: str, **headers: str) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        return client.post(address, json=BEGIN, headers=ACCEPTED | headers)


async def ask(address: str, token: str) -> tuple[set[str], dict[str, Any]]:
    """The tools, and an answer, as a client of the protocol gets them."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport) as client:
            tools = await client.list_tools()
            found = await client.call_tool("read_freshness", {})
    assert found.structured_content is not None
    return {tool.name for tool in tools.tools}, dict(found.structured_content)


def test_who_has_the_token_is_answered_and_nobody_else(address: str) -> None:
    tools, answer = asyncio.run(ask(address, TOKEN))
    assert "figures" in tools
    assert "run_sql" not in tools
    assert answer["verdict"] == "complete"

    for headers in (
        {},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer"},
    ):
        refused = post(address, **headers)
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_token")
        assert refused.headers["www-authenticate"].startswith("Bearer")
    assert post(f"{address}?token={TOKEN}").status_code == 401
    assert post(address.replace("/mcp", "/")).status_code == 401
    assert post(address, authorization=f"bearer {TOKEN}", host="reports.example").status_code == 200


def test_without_a_token_nothing_is_served(published: Path) -> None:
    words = ["mcp", "--http", "127.0.0.1:0", "--published", str(published)]
    for token in (None, "short"):
        done = CliRunner().invoke(cli, words, env={"AGENTS__TOKEN": token})
        assert done.exit_code == 2
        assert "AGENTS__TOKEN" in done.output
        assert "short" not in done.output


@pytest.mark.parametrize("address", ["8765", "127.0.0.1:", ":8765", "127.0.0.1:99999", "[::1]"])
def test_an_address_without_host_or_port_is_refused(published: Path, address: str) -> None:
    words = ["mcp", "--http", address, "--published", str(published)]
    done = CliRunner().invoke(cli, words, env={"AGENTS__TOKEN": TOKEN})

    assert done.exit_code == 2
    assert "HOST:PORT" in done.output


def test_an_address_that_is_taken_is_named(published: Path, address: str) -> None:
    taken = address.removeprefix("http://").removesuffix("/mcp")
    words = ["mcp", "--http", taken, "--published", str(published)]
    done = CliRunner().invoke(cli, words, env={"AGENTS__TOKEN": TOKEN})

    assert done.exit_code == 2
    assert taken in done.output
