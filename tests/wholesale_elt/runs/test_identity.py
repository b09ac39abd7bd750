"""One warehouse, one service: whatever answers, no run adds data of another one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from conftest import Loader
from support.records.samples import guid, order
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.inspect.estimate import plan_sync
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

PREFIX = "/api/external/v1"
LIST = (
    b'{"data":[{"id":"v"}],"pagination":{"current":1,"previous":null,"next":null,"limit":3,'
    b'"total_pages":1,"total_count":1}}'
)


class Tunnel(HTTPServer):
    """A service on a port of this machine, as a tunnel to a real one: it has one vendor."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.requests = 0
        self.base_url = f"http://127.0.0.1:{self.server_port}{PREFIX}"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Tunnel)
        self.server.requests += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(LIST)))
        self.end_headers()
        self.wfile.write(LIST)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Tunnel]:
    with Tunnel() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def loader_of(base_url: str, warehouse: Warehouse) -> Loader:
    settings = ApiSettings.of(base_url=base_url, api_key="sandbox", page_size=3, attempts=1)
    return Loader(settings, warehouse)


def services(loader: Loader) -> set[str]:
    return {str(name) for (name,) in loader.rows("select distinct service from sync_runs")}


def test_a_sandbox_goes_by_where_its_records_come_from_whatever_its_port(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    ports = set()
    for _ in range(2):
        with Sandbox(SandboxSettings(orders=3)) as running:
            ports.add(running.base_url)
            loader = loader_of(running.base_url, warehouse)
            assert loader.load("orders").is_complete

    assert len(ports) == 2
    assert services(loader) == {"wholesale-sandbox (seed 1 with 3 orders)"}


def test_records_of_two_sandboxes_do_not_mix(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    before = loader.contents()

    with Sandbox(SandboxSettings(orders=3)) as other:
        asked = loader_of(other.base_url, loader.warehouse)
        with pytest.raises(ConfigurationError) as refused:
            asked.load("orders")
        with pytest.raises(ConfigurationError) as unplanned:
            plan_sync(asked.settings, asked.warehouse, ["orders"])

    assert str(unplanned.value) == str(refused.value)
    assert str(refused.value) == (
        f"{loader.warehouse.name} holds data of wholesale-sandbox (nothing), and this run asks"
        " wholesale-sandbox (seed 1 with 3 orders): name another file with --database"
    )
    assert loader.contents() == before


def test_a_service_on_this_machine_is_no_sandbox_unless_it_says_so(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("vendors", {"id": guid("vendor")})
    loader.load("vendors")
    before = loader.contents()

    with serving() as tunnel:
        address = tunnel.base_url.removeprefix("http://")
        with pytest.raises(ConfigurationError, match=rf"this run asks {address}: name another"):
            loader_of(tunnel.base_url, loader.warehouse).load("vendors")
        assert loader.contents() == before

        other = Warehouse(loader.warehouse.database.with_name("other.duckdb"))
        tunnelled = loader_of(tunnel.base_url, other)
        assert tunnelled.load("vendors").is_complete
        assert services(tunnelled) == {address}


def test_a_sandbox_is_not_taken_for_the_service_that_was_at_its_address(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    with serving() as tunnel:
        loader_of(tunnel.base_url, warehouse).load("vendors")
    port = tunnel.server_port
    with (
        Sandbox(SandboxSettings(empty=True, port=port)) as running,
        pytest.raises(ConfigurationError, match="this run asks wholesale-sandbox"),
    ):
        loader_of(running.base_url, warehouse).load("vendors")


def test_a_service_at_another_address_is_refused_before_it_is_asked(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    with serving() as first, serving() as second:
        loader_of(first.base_url, warehouse).load("vendors")
        with pytest.raises(ConfigurationError, match="holds data of 127"):
            loader_of(second.base_url, warehouse).load("vendors")

        assert first.requests > 0
        assert second.requests == 0


def test_the_name_of_a_host_is_the_same_in_capitals(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "test.duckdb")
    with serving() as tunnel:
        for host in ("localhost", "LocalHost"):
            url = tunnel.base_url.replace("127.0.0.1", host)
            assert loader_of(url, warehouse).load("vendors").is_complete
