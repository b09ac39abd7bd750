"""The command as users run it: a process, its output, its exit code."""

import json
import os
import random
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.records.samples import guid, line, order
from support.services.command import run_command
from support.services.service import WHOLESALE, served
from wholesale.api.resources import RESOURCE
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox

KEY = "a-key-that-must-never-show-4711"
PREFIX = "/api/external/v1"


@pytest.fixture
def run(tmp_path: Path) -> "Runner":
    return Runner(tmp_path)


class Runner:
    """Runs `wholesale` in an empty folder, and holds that the key shows nowhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self, *arguments: str, url: str | None = None, key: str = KEY, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("SOURCES__")
        }
        if url:
            environment["SOURCES__WHOLESALE__BASE_URL"] = url
            environment["SOURCES__WHOLESALE__API_KEY"] = key
            environment["SOURCES__WHOLESALE__ATTEMPTS"] = "2"
        if options:
            return self._checked(
                subprocess.run(
                    [WHOLESALE, *arguments],
                    cwd=self.folder,
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=False,
                    **options,
                )
            )
        return self._checked(run_command(arguments, self.folder, environment))

    @staticmethod
    def _checked(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
        assert KEY not in done.stdout + done.stderr
        return done

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.folder / "wholesale.duckdb"), read_only=True) as connection:
            return connection.execute(sql).fetchall()


def only_line(text: str) -> str:
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    return lines[0]


def test_a_quiet_sync_prints_nothing(run: Runner, sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A"))

    done = run("--quiet", "sync", "orders", url=sandbox.base_url, key="sandbox")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_sync_takes_the_resources_that_are_named(run: Runner, sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    sandbox.put("vendors", {"id": "v", "zip": 2134})

    done = run("sync", "vendors", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 0, done.stderr
    assert run.rows("select id, zip from wholesale_raw.vendors") == [("v", "2134")]
    # How many records a page has is looked up in the list of orders.
    assert set(sandbox.requests.counts()) == {"list_vendors", "get_vendor", "list_orders"}
    assert run.rows("select count(*) from duckdb_tables() where table_name = 'orders'") == [(0,)]


def test_single_orders_are_read_again_and_what_is_not_found_fails(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.put("orders", order("A"))
    service = {"url": sandbox.base_url, "key": "sandbox"}
    run("sync", "orders", **service)
    sandbox.put("orders", order("A", status="shipped"))
    sandbox.put("orders", order("B"))

    done = run("sync", "orders", "--number", "A", "--id", guid("B"), "--json", **service)
    missed = run("sync", "orders", "--id", guid("C"), "--json", **service)
    wrong = run("sync", "categories", "--id", guid("A"), **service)

    assert (done.returncode, missed.returncode, wrong.returncode) == (0, 1, 2)
    nothing: dict[str, Any] = {"not_found": [], "unread": {}, "refused": []}
    told = {"resource": "orders", "read": 2, "new": 1, "changed": 1, **nothing}
    assert json.loads(done.stdout)["reread"] == told
    assert json.loads(missed.stdout)["reread"] == {
        **{"resource": "orders", "read": 0, "new": 0, "changed": 0},
        **(nothing | {"not_found": [guid("C")]}),
    }
    only_line(missed.stderr)
    assert run.rows("select order_number, status from wholesale_raw.orders order by 1") == [
        ("A", "shipped"),
        ("B", "received"),
    ]


def test_a_run_that_is_not_certified_exits_with_3_and_says_why(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.storage.collection("orders").put("odd", b'{"order_number":"B"}')

    done = run("sync", "orders", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 3
    assert "orders incomplete: 1 record in quarantine" in done.stdout
    assert "NOT certified complete" in done.stdout


def test_a_resource_that_fails_is_named_with_exit_1_and_the_others_are_certified(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_vendors"]})

    done = run("sync", "orders", "vendors", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "GET /vendors?page=1&limit=100" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert run.rows("select order_number from wholesale_raw.orders") == [("A",)]
    assert run.rows("select resource, verdict from wholesale_raw.sync_runs order by 1") == [
        ("orders", "complete"),
        ("vendors", "incomplete"),
    ]


def test_status_tells_rows_and_verdict_of_each_resource(run: Runner, sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A"))
    run("sync", "orders", url=sandbox.base_url, key="sandbox")

    table, as_json = run("status"), run("status", "--json")

    assert (table.returncode, as_json.returncode) == (0, 0)
    assert "never synced" in table.stdout
    overview = json.loads(as_json.stdout)
    orders, *others = overview.pop("resources")
    (entry,) = overview.pop("runs")
    ((started_at, complete_as_of),) = run.rows(
        "select started_at, complete_as_of from wholesale_raw.sync_runs"
    )
    assert orders == {
        "resource": "orders",
        "rows": 1,
        "last_run_at": started_at.astimezone(UTC).isoformat(),
        "verdict": "complete",
        "reason": None,
        "complete_as_of": complete_as_of.astimezone(UTC).isoformat(),
        "proof": "count",
        "open_suspects": 0,
        "lag_seconds": orders["lag_seconds"],
        "audited": 0,
        "silent": None,
    }
    assert 0 <= orders["lag_seconds"] < 3600
    assert {other["verdict"] for other in others} == {None}
    assert overview.pop("observed_at") >= entry.pop("ended_at") >= entry.pop("started_at")
    nothing: dict[str, Any] = {"changes": [], "unknown_states": [], "stale": []}
    assert overview == {"warehouse": "wholesale.duckdb", **nothing}
    assert entry.pop("process")
    assert entry == {
        "command": "sync",
        "exit_code": 0,
        "message": None,
        "state": "ended",
        "is_in_use": False,
    }


def test_status_says_that_there_is_no_warehouse(run: Runner) -> None:
    done = run("status", "--database", "typo.duckdb")

    assert "typo.duckdb" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize(("moved", "exit_code"), [("0 days", 0), ("-2 days", 3), ("700 days", 3)])
def test_status_wants_a_proof_that_is_young_and_of_no_time_to_come(
    run: Runner, sandbox: Sandbox, moved: str, exit_code: int
) -> None:
    sandbox.put("orders", order("A"))
    run("sync", "orders", url=sandbox.base_url, key="sandbox")
    with duckdb.connect(str(run.folder / "wholesale.duckdb")) as connection:
        for column in ("started_at", "ended_at", "complete_as_of"):
            connection.execute(
                f"update wholesale_raw.sync_runs set {column} = {column} + interval '{moved}'"
            )

    assert run("status", "--max-age", "24").returncode == exit_code


def test_check_shows_what_each_list_looks_like_and_writes_nothing(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.dials.change({"limit_cap": 2, "list_shape": {"vendors": "bare"}})
    for number in range(5):
        sandbox.put("orders", order(f"A{number}", created_at=f"2026-01-0{number + 1}T00:00:00Z"))
    sandbox.put("vendors", {"id": guid("vendor"), "name": "Nord"})

    done = run("check", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith(" orders"))
    assert row.split()[1:4] == ["200", "envelope", "5"]
    assert "created_at ascending" in row
    row = next(line for line in done.stdout.splitlines() if line.startswith(" vendors"))
    assert row.split()[1:3] == ["200", "bare"]
    assert list(run.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("dials", "cap"),
    [
        ({"limit_cap": 5, "limit_above_cap": "refused"}, "3"),  # the largest that was tried
        ({"first_page": 0}, "none"),
    ],
)
def test_check_reads_lists_that_are_paged_as_a_sync_would_read_them(
    run: Runner, sandbox: Sandbox, dials: dict[str, Any], cap: str
) -> None:
    sandbox.dials.change(dials)
    for number in range(7):
        sandbox.put("orders", order(f"A{number}", created_at=f"2026-01-0{number + 1}T00:00:00Z"))
    sandbox.put("buyers", {"id": "b"})
    sandbox.put("buyer_users", {"id": "u", "buyer_id": "b"})

    done = run("check", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith(" orders"))
    assert row.split()[1:4] == ["200", "envelope", "7"]
    row = next(line for line in done.stdout.splitlines() if line.startswith(" page_size"))
    assert row.split()[1] == cap
    row = next(line for line in done.stdout.splitlines() if line.startswith(" buyer_users"))
    assert row.split()[1:4] == ["200", "envelope", "1"]


def test_check_says_what_the_service_sends_otherwise_than_the_description_shows(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.put("orders", order("A", total="much"))
    sandbox.put("vendors", {"id": "v", "colour": "red"})

    done = run("check", url=sandbox.base_url, key="sandbox")

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("orders ") and line.endswith("orders.total")]
    (missing,) = [line for line in lines if line.startswith("vendors does not send")]
    assert {"email", "phone"} <= set(missing.partition(": ")[2].split(", "))
    assert next(line for line in lines if line.startswith(" vendors")).split()[-1] == "colour"


def test_plan_tells_what_a_sync_would_ask_for_and_writes_nothing(
    run: Runner, sandbox: Sandbox
) -> None:
    for number in range(250):
        minute, seconds = divmod(number, 60)
        at = f"2026-01-02T10:{minute:02}:{seconds:02}Z"
        sandbox.put("orders", order(f"A{number}", updated_at=at))

    first = run("plan", "orders", url=sandbox.base_url, key="sandbox")
    files = list(run.folder.iterdir())
    run("sync", "orders", url=sandbox.base_url, key="sandbox")
    sandbox.put("orders", order("A7", total="1"))
    sandbox.delete("orders", order("A8")["id"])
    sandbox.requests.clear()
    second = run("plan", "orders", url=sandbox.base_url, key="sandbox")
    planning = sandbox.requests.counts()
    run("sync", "orders", url=sandbox.base_url, key="sandbox")

    assert files == []
    assert "250 in full by page" in first.stdout
    assert "1 in full one by one" in second.stdout
    assert "10 requests, about" in second.stdout  # 3 pages, 2 looks, 1 order, 2 + 2 questions
    # A look, and the whole list, as its order is not newest first.
    assert planning == {"list_orders": 1 + 3}
    # What the sync does besides: a look at either end, two controls of what it finds gone, which
    # is asked for once more.
    assert sandbox.requests.counts() == {"list_orders": 4 + 3 + 2, "get_order": 2 + 2 + 1}


@pytest.mark.parametrize("command", ["sync", "check"])
def test_a_wrong_key_is_a_matter_of_credentials(
    run: Runner, sandbox: Sandbox, command: str
) -> None:
    done = run(command, url=sandbox.base_url)
    assert done.returncode == 2
    assert " 401 Invalid Credentials" in only_line(done.stderr.splitlines()[-1])
    assert "Traceback" not in done.stderr
    assert not (run.folder / "wholesale.duckdb").exists()


def test_missing_settings_are_named_with_the_place_to_set_them(run: Runner) -> None:
    done = run("sync")
    assert done.returncode == 2
    message = only_line(done.stderr)
    assert "SOURCES__WHOLESALE__BASE_URL" in message
    assert "SOURCES__WHOLESALE__API_KEY" in message


def test_settings_come_from_the_files_of_dlt_and_an_unknown_one_is_refused(
    run: Runner, sandbox: Sandbox
) -> None:
    (run.folder / ".dlt").mkdir()
    config = run.folder / ".dlt/config.toml"
    known = f'[sources.wholesale]\nbase_url = "{sandbox.base_url}"\npage_size = 7\n'
    config.write_text(f'{known}[sources.wholesale.schema]\nnaming = "direct"\n')
    (run.folder / ".dlt/secrets.toml").write_text('[sources.wholesale]\napi_key = "sandbox"\n')
    right = run("sync", "vendors")
    config.write_text(f"{known}atempts = 3\n")
    wrong = run("sync", "vendors")

    assert right.returncode == 0, right.stderr
    assert "page=1&limit=7" in {entry.query for entry in sandbox.requests.entries()}
    assert wrong.returncode == 2
    assert "setting atempts (.dlt/config.toml)" in only_line(wrong.stderr)
    assert "did you mean attempts?" in only_line(wrong.stderr)


def test_a_base_url_without_the_version_path_is_refused_before_anything_is_sent(
    run: Runner, sandbox: Sandbox
) -> None:
    done = run("sync", url=sandbox.base_url.removesuffix(PREFIX))
    assert done.returncode == 2
    assert "must end with /api/external/v1" in only_line(done.stderr)
    assert sandbox.requests.entries() == []


def test_an_unknown_resource_is_refused_with_those_there_are(run: Runner, sandbox: Sandbox) -> None:
    done = run("sync", "oders", url=sandbox.base_url)
    assert done.returncode == 2
    assert "oders" in only_line(done.stderr)
    assert ", ".join(RESOURCE) in only_line(done.stderr)


def test_an_unreachable_host_is_given_up_with_one_line(run: Runner) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}{PREFIX}"
        done = run("sync", "orders", url=url)
    assert done.returncode == 1
    assert "no usable response" in only_line(done.stderr)


@contextmanager
def answering(body: bytes, kind: str) -> Iterator[str]:
    """The base URL of a server that answers everything with this."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        finally:
            server.shutdown()
            thread.join()


def test_html_instead_of_json_is_said_and_nothing_is_loaded(run: Runner) -> None:
    with answering(b"<html><body>log in</body></html>", "text/html") as url:
        done = run("sync", "orders", url=url)
    assert done.returncode == 1
    assert "body is HTML or XML, not a list of records" in done.stderr.splitlines()[-1]
    assert not (run.folder / "wholesale.duckdb").exists()


@pytest.mark.slow
def test_a_file_that_may_not_grow_is_said_and_leaves_the_old_data_whole(
    run: Runner, sandbox: Sandbox
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    assert run("sync", url=sandbox.base_url, key="sandbox").returncode == 0
    before = run.rows("select * from wholesale_raw.orders")
    size = (run.folder / "wholesale.duckdb").stat().st_size
    draw = random.Random(1)
    for number in range(200):
        lines = [line(draw.randbytes(8_000).hex()) for _ in range(3)]
        sandbox.put("orders", order(f"B{number}", order_line_items=lines))

    def stop_files_growing() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4096, size + 4096))

    done = run("sync", "orders", url=sandbox.base_url, key="sandbox", preexec_fn=stop_files_growing)

    assert done.returncode == 1
    assert "a file may not grow" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert run.rows("select * from wholesale_raw.orders") == before
    assert run("sync", url=sandbox.base_url, key="sandbox").returncode == 0
    assert run.rows("select count(*) from wholesale_raw.orders") == [(201,)]


def test_debug_shows_the_traceback_and_never_the_key(run: Runner, sandbox: Sandbox) -> None:
    done = run("--debug", "sync", "orders", url=sandbox.base_url)
    assert done.returncode == 2
    assert "Traceback" in done.stderr


def test_log_lines_can_be_json(run: Runner, sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A"))
    sandbox.dials.fail_next(1, 503)
    done = run(
        "--debug", "--log-format", "json", "sync", "orders", url=sandbox.base_url, key="sandbox"
    )
    assert done.returncode == 0, done.stderr
    entries = [json.loads(line) for line in done.stderr.splitlines()]
    assert any("it answered 503" in entry["message"] for entry in entries), done.stderr


def test_the_sandbox_serves_until_it_is_asked_to_stop(run: Runner) -> None:
    with served("--orders", "30") as url:
        done = run("sync", "orders", url=url, key="sandbox")
    assert done.returncode == 0, done.stderr
    assert run.rows("select count(*) from wholesale_raw.orders") == [(30,)]


def test_the_sandbox_says_what_it_assumes(run: Runner) -> None:
    done = run("sandbox", "--assumptions")
    assert done.returncode == 0
    assert any(line.split()[1] == "LIMIT_CAP" for line in done.stdout.splitlines())


def imported_by(program: str, environment: Mapping[str, str] | None = None) -> set[str]:
    """The modules that are imported once a program has run."""
    code = f"import sys\n{program}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("command", ["--help", "figures --help", "sandbox --help"])
def test_help_is_whole_where_python_drops_docstrings(command: str) -> None:
    asked = [WHOLESALE, *command.split()]
    shown = subprocess.run(asked, capture_output=True, check=True).stdout
    without = dict(os.environ, PYTHONOPTIMIZE="2")

    assert subprocess.run(asked, env=without, capture_output=True).stdout == shown
    again = subprocess.run([sys.executable, "-OO", *asked], capture_output=True)
    assert again.stdout == shown


def test_help_is_quick_because_nothing_heavy_is_imported_for_it() -> None:
    imported = imported_by(
        "import click\nfrom wholesale_elt.cli.main import cli\ncli.get_help(click.Context(cli))"
    )

    assert not imported & {"dlt", "duckdb", "pyarrow", "httpx", "pydantic", "rich"}


@pytest.mark.slow
def test_a_sync_is_quick_because_it_imports_nothing_that_it_has_no_work_for(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x")]))
    program = (
        "from wholesale_elt.cli.main import main\n"
        f"sys.argv = ['wholesale', '--quiet', 'sync', '--database', {str(tmp_path / 'w.duckdb')!r}]"
        "\nmain()"
    )
    variables = {
        "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
        "SOURCES__WHOLESALE__API_KEY": "sandbox",
    }

    imported = imported_by(program, os.environ | variables)

    assert "wholesale_elt.load" in imported
    rooms = {f"wholesale_elt.{room}" for room in ("models", "publish", "dashboard")}
    heavy = {"dbt", "httpx._main", "jinja2", "pandas", "pyarrow.dataset", "sqlalchemy"}
    plugins = {"wholesale_erasure.erasing", "wholesale_fleet.accounts", "wholesale_sandbox"}
    assert not imported & (rooms | heavy | plugins)


@pytest.mark.slow
def test_a_sync_that_hangs_ends_when_it_is_asked_to_and_the_journal_says_so(run: Runner) -> None:
    """The service takes connections, and answers none."""
    patience = {"SOURCES__WHOLESALE__TIMEOUT_SECONDS": "6000"}
    patience |= {"SOURCES__WHOLESALE__DEADLINE_SECONDS": "6000"}
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/api/external/v1"
        own = {"SOURCES__WHOLESALE__BASE_URL": url, "SOURCES__WHOLESALE__API_KEY": "a"}
        with subprocess.Popen(
            [WHOLESALE, "sync", "orders"],
            cwd=run.folder,
            env=os.environ | own | patience,
            stderr=subprocess.PIPE,
            text=True,
        ) as hanging:
            taken, _ = silent.accept()
            hanging.terminate()
            _, said = hanging.communicate(timeout=600)
            taken.close()

    (entry,) = Warehouse(run.folder / "wholesale.duckdb").journal.entries()
    assert (hanging.returncode, entry.state, entry.exit_code) == (1, "ended", 1)
    assert "SIGTERM" in str(entry.message)
    assert said.splitlines()[-1] == f"wholesale: {entry.message}"
