"""The API key: whatever happens, it is in no output and no file, and reaches the service alone."""

import base64
import contextlib
import gzip
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import duckdb
import pytest

from support.few import few
from support.records.samples import line, order
from support.services.command import start_command
from support.services.service import WHOLESALE
from wholesale.api.endpoints import PATH_PREFIX
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

KEY = "k3y-Zq8vR1xW-never-shown"
FORMS = (
    KEY.encode(),
    KEY.encode("utf-16-le"),
    KEY.encode().hex().encode(),
    # The last letters of base64 depend on what follows.
    base64.b64encode(KEY.encode())[:-4],
)
AUDIT = """
import os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        address = arguments[1] if event != "socket.getaddrinfo" else arguments[:2]
        if isinstance(address, tuple):
            with open(os.environ["ADDRESSES"], "a") as file:
                file.write(f"{address[0]}:{address[1]}\\n")

sys.addaudithook(note)
"""


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True, api_key=KEY)) as running:
        for number in range(20):
            running.put("orders", order(f"A{number}", order_line_items=[line("x"), line("y")]))
        yield running


class Runner:
    """Runs `wholesale` in a folder, and keeps what it printed there, beside what it wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs = 0

    @staticmethod
    def environment(url: str, key: str) -> dict[str, str]:
        return os.environ | {
            "SOURCES__WHOLESALE__BASE_URL": url,
            "SOURCES__WHOLESALE__API_KEY": key,
            "SOURCES__WHOLESALE__ATTEMPTS": "2",
        }

    def __call__(
        self,
        *arguments: str,
        url: str,
        key: str = KEY,
        seconds: float | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> int | None:
        """Exit code, or None when it was killed after these seconds."""
        self._runs += 1
        output = self.folder / f"{self._runs}.output"
        settings = self.environment(url, key) | dict(environment or {})
        process = start_command(arguments, self.folder, settings, output)
        process.join(seconds)
        if process.is_alive():
            process.kill()
            process.join()
            return None
        return process.exitcode

    def places_of_the_key(self) -> list[str]:
        """Files below the folder that hold the key, also compressed or in a table."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        assert any(path.suffix == ".output" for path in files)
        return sorted(
            str(path.relative_to(self.folder))
            for path in files
            if any(form in str(path).encode() + _bytes_of(path) for form in FORMS)
        )


def _bytes_of(path: Path) -> bytes:
    # What a killed run had half written can be read as bytes only.
    with contextlib.suppress(EOFError, duckdb.InvalidInputException):
        return path.read_bytes() + _inside(path)
    return path.read_bytes()


def _inside(path: Path) -> bytes:
    """What a file holds beneath its compression."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    with duckdb.connect() as connection:
        if path.suffix == ".parquet":
            return _text(connection, f"read_parquet('{path}')")
        if path.suffix == ".duckdb":
            connection.execute(f"attach '{path}' as found (read_only)")
            tables = connection.execute(
                "select schema_name, table_name from duckdb_tables() where database_name = 'found'"
            ).fetchall()
            names = [f'found."{schema}"."{table}"' for schema, table in tables]
            return b"".join(_text(connection, name) for name in names)
    return b""


def _text(connection: duckdb.DuckDBPyConnection, table: str) -> bytes:
    return str(connection.execute(f"select * from {table}").fetchall()).encode()


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


Answer = Callable[[BaseHTTPRequestHandler], tuple[int, str, str]]


@contextmanager
def listening(answer: Answer) -> Iterator[tuple[str, list[str]]]:
    """The address of a server that answers everything so, and the requests it got, as text."""
    got: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            got.append(f"{self.requestline}\n{self.headers}")
            status, kind, text = answer(self)
            self.send_response(status)
            self.send_header("Location" if 300 <= status < 400 else "Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_CONNECT = do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", got
        finally:
            server.shutdown()
            thread.join()


AS_JSON = ("--log-format", "json")


@pytest.mark.slow
def test_runs_that_succeed_keep_no_key(run: Runner, sandbox: Sandbox) -> None:
    everything = {"RUNTIME__LOG_LEVEL": "DEBUG"}
    for way in ((), AS_JSON):
        sandbox.dials.fail_next(1, 503)
        assert run("--debug", *way, "sync", url=sandbox.base_url, environment=everything) == 0
    assert run("--debug", "check", url=sandbox.base_url) == 0
    assert run("--debug", "status", url=sandbox.base_url) == 0
    assert run.places_of_the_key() == []


@pytest.mark.slow
def test_runs_that_fail_keep_no_key(run: Runner, sandbox: Sandbox) -> None:
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_vendors"]})
    assert run("--debug", "sync", "orders", "vendors", url=sandbox.base_url) == 1
    sandbox.dials.change({"error_share": 1.0, "error_status": 401, "fault_endpoints": []})
    for way in ((), AS_JSON):
        assert run("--debug", *way, "sync", "orders", url=sandbox.base_url) == 2
    assert run.places_of_the_key() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    few(
        [
            ("application/json", 200, 1),
            ("text/html", 200, 1),
            ("application/json", 401, 2),
            ("application/json", 422, 3),  # a refused parameter: the sentence names a setting
            ("text/html", 500, 1),
        ],
        2,
    ),
)
def test_a_service_that_sends_the_key_back_is_not_quoted(
    kind: str, status: int, expected: int, run: Runner
) -> None:
    def echo(request: BaseHTTPRequestHandler) -> tuple[int, str, str]:
        sent = request.headers["X-API-Key"]
        text = (
            f"<html>{sent}" if kind == "text/html" else f'{{"error":"{sent}","details":"{sent}"}}'
        )
        return status, kind, text

    with listening(echo) as (url, got):
        code = run("--debug", "sync", "orders", url=url + PATH_PREFIX)
    assert code == expected
    assert all(KEY in request for request in got)
    assert run.places_of_the_key() == []


@pytest.mark.slow
def test_runs_that_are_killed_leave_no_key_behind(run: Runner, sandbox: Sandbox) -> None:
    for seconds in (1.2, 1.8, 2.4):
        run("--debug", "sync", "orders", url=sandbox.base_url, seconds=seconds)
        assert run.places_of_the_key() == []
    assert run("--debug", "sync", "orders", url=sandbox.base_url) == 0
    assert run.places_of_the_key() == []


@pytest.mark.parametrize("key", [f"{KEY}\u00e9", f"{KEY}\n{KEY}"])
def test_a_key_that_cannot_be_right_is_not_shown(key: str, run: Runner, sandbox: Sandbox) -> None:
    assert run("--debug", "sync", url=sandbox.base_url, key=key) == 2
    assert run.places_of_the_key() == []


@pytest.mark.parametrize("status", [302, 308])
def test_the_key_follows_no_redirect(status: int, run: Runner) -> None:
    with listening(lambda _: (200, "application/json", "[]")) as (elsewhere, got_elsewhere):
        # The same machine by another name is another host.
        target = elsewhere.replace("127.0.0.1", "localhost") + PATH_PREFIX + "/orders"
        with listening(lambda _: (status, target, "")) as (url, got):
            assert run("--debug", "sync", "orders", url=url + PATH_PREFIX) == 1
    assert all(KEY in request for request in got)
    assert got
    assert got_elsewhere == []
    assert run.places_of_the_key() == []


@pytest.mark.slow
def test_a_sync_speaks_to_the_service_and_to_nobody_else(run: Runner, sandbox: Sandbox) -> None:
    # The connections of Python are all noted; those of native code would be made to the proxy,
    # which sees nothing that is meant for this machine.
    (run.folder / "sitecustomize.py").write_text(AUDIT)
    addresses = run.folder / "addresses"
    addresses.touch()
    path = os.pathsep.join([str(run.folder), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep)
    audited = {"PYTHONPATH": path, "ADDRESSES": str(addresses)}
    with listening(lambda _: (502, "text/plain", "")) as (proxy, got):
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy")
        environment = run.environment(sandbox.base_url, KEY) | audited
        environment |= dict.fromkeys(names, proxy)
        subprocess.run([WHOLESALE, "sync"], cwd=run.folder, env=environment, check=True)
    noted = set(addresses.read_text().splitlines())
    service = sandbox.base_url.removesuffix(PATH_PREFIX).removeprefix("http://")
    assert noted == {service}
    assert got == []
