"""Doors: each way to ask works as README installs it, before what only the tests need is there.

    python -P tests/doors.py [--alone] [FOLDER]

FOLDER is one in which `wholesale demo` was run; by default it is run here, in a new one. Windows
does not run it, and tries only what reads. With `--alone` the package is installed without extras.
This needs no pytest: a user's environment runs it, and that of the tests would hide what is wrong
there.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

try:
    import fcntl  # noqa: F401
except ModuleNotFoundError:
    LOADS = False
else:
    LOADS = True
"""Whether the system is one that loads and publishes, which Windows is not."""
COMMAND = str(shutil.which("wholesale", path=sysconfig.get_path("scripts")))
TOKEN = "0123456789abcdef0123456789abcdef"
SECONDS = 300
"""For one command on a busy machine."""
QUESTIONS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("figures", {"metrics": ["sales"], "by": ["vendor"]}),
    ("explain", {"name": "sales_amount"}),
    ("run_sql", {"query": "select count(*) from wholesale_bi.rpt_orders"}),
)


def main() -> None:
    """Try all, and say of each how it went; exit with 1 where one does not work."""
    with tempfile.TemporaryDirectory() as made:
        given = [word for word in sys.argv[1:] if word != "--alone"]
        doors = ALONE if "--alone" in sys.argv else DOORS
        folder = Path(given[0] if given else made).resolve()
        os.chdir(folder)
        os.environ["DLT_DATA_DIR"] = str(folder / ".dlt-data")
        if folder == Path(made).resolve():
            run("demo", "--no-open", "--orders", "500")
        doors = {name: door for name, door in doors.items() if LOADS or door not in LOADING}
        shut = [name for name, door in doors.items() if not _is_open(name, door)]
    sys.exit(f"do not work as installed: {', '.join(shut)}" if shut else 0)


def _is_open(name: str, door: Callable[[], None]) -> bool:
    try:
        door()
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}", flush=True)
        return False
    print(f"{name}: works", flush=True)
    return True


def run(*words: str, **environment: str) -> str:
    """The standard output of a command that ends with 0."""
    done = subprocess.run(
        [COMMAND, *words],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"wholesale {' '.join(words)}: {done.stderr or done.stdout}"
    return done.stdout


def command_line() -> None:
    sales = json.loads(run("figures", "sales", "--by", "vendor", "--json"))
    assert sales["rows"]
    assert run("figures", "sales", "--by", "vendor", "--csv").count("\n") == len(sales["rows"]) + 1
    [row] = json.loads(run("sql", "select count(*) as n from orders", "--json"))["rows"]
    assert row["n"] > 0
    run("why", "sales")
    run("changes")
    run("verify")
    run("status")
    run("tasks")
    run("next")
    run("dashboard", "--no-open")


def refusal() -> None:
    for command in ("sync", "build", "run", "publish", "demo"):
        done = subprocess.run([COMMAND, command], capture_output=True, encoding="utf-8")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), f"{command}: {done.stderr}"
        assert "WSL" in done.stderr


def workbook() -> None:
    run("publish", SPREADSHEETS__XLSX="true", SPREADSHEETS__CSV="true")
    assert Path("published/wholesale.xlsx").stat().st_size
    assert Path("published/csv/orders.csv").stat().st_size


def open_lineage() -> None:
    file = Path("events.json")
    run("build", "--full", MONITORING__OPENLINEAGE_FILE=str(file))
    assert "columnLineage" in file.read_text("utf-8")


def agents() -> None:
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=COMMAND, args=["mcp", "--sql"], env=dict(os.environ))
    asyncio.run(_ask(stdio_client(parameters)))


def agents_over_http() -> None:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    async def ask(address: str) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers, timeout=SECONDS, trust_env=False) as http:
            await _ask(streamable_http_client(address, http_client=http))

    words = [COMMAND, "mcp", "--sql", "--http", "127.0.0.1:0"]
    environment = os.environ | {"AGENTS__TOKEN": TOKEN}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            found = None
            while not found and (line := process.stderr.readline()):
                found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
            assert found, "it tells no address"
            asyncio.run(ask(found[0]))
        finally:
            process.terminate()


async def _ask(transport: AbstractAsyncContextManager[Any]) -> None:
    from mcp import ClientSession

    async with transport as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        for name, arguments in QUESTIONS:
            answer = await session.call_tool(name, dict(arguments))
            assert not answer.is_error, f"{name}: {answer.content}"


def dlt_dataset() -> None:
    import dlt

    destination = dlt.destinations.duckdb("wholesale.duckdb")
    dataset = dlt.dataset(destination, "wholesale_raw")
    [[count]] = dataset("select count(*) as n from wholesale_raw.orders").fetchall()
    assert count > 0


def plain_source() -> None:
    import dlt
    import duckdb

    from wholesale import wholesale_source
    from wholesale_sandbox.server import Sandbox
    from wholesale_sandbox.settings import SandboxSettings

    pipeline = dlt.pipeline(
        "plain",
        # dlt makes a file that an older DuckDB may not open.
        destination=dlt.destinations.duckdb(f"plain {duckdb.__version__}.duckdb"),
        dataset_name="plain_raw",
    )
    with Sandbox(SandboxSettings(orders=20)) as sandbox:
        source = wholesale_source(base_url=sandbox.base_url, api_key="sandbox")
        pipeline.run(source.with_resources("orders", "vendors"))
    assert len(pipeline.dataset().orders.fetchall()) == 20
    assert pipeline.dataset().orders.arrow().num_rows == 20
    assert [part.num_rows for part in pipeline.dataset().orders.iter_arrow(chunk_size=50)] == [20]


def extras_named() -> None:
    """What needs an extra says in one line how to install it."""
    done = subprocess.run([COMMAND, "mcp"], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 2, done.stderr
    assert 'pip install "wholesale-elt[mcp]"' in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


ALONE: Mapping[str, Callable[[], None]] = {
    "command line": command_line,
    "OpenLineage": open_lineage,
    "dlt's dataset": dlt_dataset,
    "plain dlt source": plain_source,
    "names of extras": extras_named,
}
DOORS: Mapping[str, Callable[[], None]] = {
    "command line": command_line,
    "workbook": workbook,
    "OpenLineage": open_lineage,
    "agents": agents,
    "agents over HTTP": agents_over_http,
    "dlt's dataset": dlt_dataset,
    "plain dlt source": plain_source,
    **({} if LOADS else {"refusal": refusal}),
}
LOADING = (workbook, open_lineage)

if __name__ == "__main__":
    main()
