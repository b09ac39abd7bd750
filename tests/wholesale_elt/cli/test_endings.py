"""Every way in which a command ends, as README's table tells: the exit code and the last line."""

import json
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import duckdb
import pytest

from support.records.samples import order
from support.services.command import COMMAND, run_command
from wholesale_elt.cli.output.endings import ENDINGS
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

NOBODY = "http://127.0.0.1:1/api/external/v1"
PLAYED_BUILD = """
import wholesale_elt.models as models
from wholesale_elt.models.running import BuildFailed

def fail(*_, **__):
    raise BuildFailed("test t is broken by 1 row: nothing was published")

models.build_models = fail
"""
STOPPED = """
import os, signal
import wholesale_elt.load as load

load.sync_resources = lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM)
"""
STOPPED_BEFORE = """
import os, signal
import wholesale_elt.cli.boundary as boundary

boundary.begin = lambda *_: os.kill(os.getpid(), signal.SIGTERM)
"""
FULL_DISK = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""
NO_PERMISSION = """
import wholesale_elt.load as load

def refuse(*_, **__):
    raise PermissionError(13, "Permission denied", "a.duckdb")

load.sync_resources = refuse
"""
PLAYED_POSTGRES = """
import os
import psycopg2
import wholesale_elt.load as load
from dlt.destinations.exceptions import DatabaseTerminalException

def refuse(*_, **__):
    try:
        raise getattr(psycopg2.errors, os.environ["ERROR"])(os.environ["SAYS"])
    except psycopg2.Error as error:
        raise DatabaseTerminalException(error) from error

load.sync_resources = refuse
"""
PLAYED_BUCKET = """
import os
import duckdb
import wholesale_elt.load as load

def refuse(*_, **__):
    raise duckdb.HTTPException(os.environ["SAYS"])

load.sync_resources = refuse
"""
READER_GONE = """
import os, sys
read, write = os.pipe()
os.close(read)
os.dup2(write, 1)
sys.stdout = os.fdopen(1, "w", closefd=False)
"""


@dataclass
class Desk:
    """A folder, and a sandbox with one order."""

    folder: Path
    sandbox: Sandbox

    def run(self, *words: str, program: str = "", **changes: str) -> CompletedProcess[str]:
        right = {
            "SOURCES__WHOLESALE__BASE_URL": self.sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
            "SOURCES__WHOLESALE__ATTEMPTS": "1",
        }
        environment = {**os.environ, **right, **changes}
        return run_command(words, self.folder, environment, program + COMMAND)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


@pytest.fixture
def desk(tmp_path: Path, sandbox: Sandbox) -> Desk:
    sandbox.put("orders", order("A"))
    return Desk(tmp_path, sandbox)


def complete(desk: Desk) -> CompletedProcess[str]:
    return desk.run("--quiet", "sync", "orders")


NOBODY_SOON = {
    "SOURCES__WHOLESALE__BASE_URL": NOBODY,
    "SOURCES__WHOLESALE__DEADLINE_SECONDS": "5",  # where an answer is to come, it may take as long
}


def service_down(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "orders", **NOBODY_SOON)


def resource_unread(desk: Desk) -> CompletedProcess[str]:
    refused = {"error_share": 1.0, "error_status": 403, "fault_endpoints": ["list_vendors"]}
    desk.sandbox.dials.change(refused)
    return desk.run("sync", "orders", "vendors")


def full_disk(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "orders", program=FULL_DISK)


def no_permission(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "orders", program=NO_PERMISSION)


def in_use(desk: Desk) -> CompletedProcess[str]:
    desk.run("sync", "orders")
    with duckdb.connect(str(desk.folder / "wholesale.duckdb")):
        return desk.run("sync", "orders")


def corrupt(desk: Desk) -> CompletedProcess[str]:
    desk.run("sync", "orders")
    file = desk.folder / "wholesale.duckdb"
    os.truncate(file, file.stat().st_size // 2)
    return desk.run("sync", "orders")


def server_down(desk: Desk) -> CompletedProcess[str]:
    return desk.run(
        *("sync", "--destination", "postgres"),
        DESTINATION__POSTGRES__CREDENTIALS="postgresql://somebody@127.0.0.1:1/somewhere",
    )


def connection_lost(desk: Desk) -> CompletedProcess[str]:
    says = "terminating connection\nCONTEXT:  COPY orders, line 1: Ada secret@"
    return desk.run("sync", program=PLAYED_POSTGRES, ERROR="AdminShutdown", SAYS=says)


def table_held(desk: Desk) -> CompletedProcess[str]:
    says = "canceling statement due to lock timeout\nLINE 1: alter table"
    return desk.run("sync", program=PLAYED_POSTGRES, ERROR="LockNotAvailable", SAYS=says)


def right_refused(desk: Desk) -> CompletedProcess[str]:
    says = "permission denied for database a\nLINE 1: create"
    return desk.run("sync", program=PLAYED_POSTGRES, ERROR="InsufficientPrivilege", SAYS=says)


def catalogue_down(desk: Desk) -> CompletedProcess[str]:
    return desk.run(
        *("status", "--destination", "ducklake"),
        DESTINATION__DUCKLAKE__CATALOG="postgresql://somebody:secret@127.0.0.1:1/somewhere",
    )


def bucket_refused(desk: Desk) -> CompletedProcess[str]:
    says = (
        "HTTP Error: Unable to connect to URL s3://b/l/a.parquet: Forbidden (HTTP code 403)\n"
        "InvalidAccessKeyId: The key does not exist."
    )
    return desk.run("sync", program=PLAYED_BUCKET, SAYS=says)


def build_failed(desk: Desk) -> CompletedProcess[str]:
    return desk.run("run", program=PLAYED_BUILD)


def nothing_loaded(desk: Desk) -> CompletedProcess[str]:
    return desk.run("publish")


def stopped(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", program=STOPPED)


def output_closed(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "orders", program=READER_GONE)


def setting_missing(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", SOURCES__WHOLESALE__API_KEY="")


def setting_unknown(desk: Desk) -> CompletedProcess[str]:
    desk.write(".dlt/config.toml", "[sources.wholesale]\npagesize = 7\n")
    return desk.run("sync")


def setting_wrong(desk: Desk) -> CompletedProcess[str]:
    desk.write(".dlt/config.toml", '[sources.wholesale]\npage_size = "many"\n')
    return desk.run("sync")


def file_broken(desk: Desk) -> CompletedProcess[str]:
    desk.write(".dlt/secrets.toml", "# secrets\n[sources.wholesale\n")
    return desk.run("sync")


def key_refused(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", SOURCES__WHOLESALE__API_KEY="another")


def secret_astray(desk: Desk) -> CompletedProcess[str]:
    url = "postgresql://somebody:secret@127.0.0.1/somewhere"
    desk.write(".dlt/config.toml", f'[destination.postgres]\ncredentials = "{url}"\n')
    return desk.run("sync", "--destination", "postgres")


def section_misspelt(desk: Desk) -> CompletedProcess[str]:
    desk.write(".dlt/config.toml", '[privcy]\nprofile = "development"\n')
    return desk.run("sync", "orders")


def section_valued(desk: Desk) -> CompletedProcess[str]:
    desk.write(".dlt/config.toml", "privacy = 3\n[sources]\nanother = 3\n")
    return desk.run("sync", "orders")


def destination_unknown(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "--destination", "postgre")


def destination_not_set(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "--destination", "postgres")


def other_service(desk: Desk) -> CompletedProcess[str]:
    desk.run("sync", "orders")
    with Sandbox(SandboxSettings(orders=1)) as another:
        return desk.run("sync", "orders", SOURCES__WHOLESALE__BASE_URL=another.base_url)


def newer_version(desk: Desk) -> CompletedProcess[str]:
    desk.run("sync", "orders")
    with duckdb.connect(str(desk.folder / "wholesale.duckdb")) as connection:
        connection.execute("update wholesale_raw.sync_versions set version = '99.1'")
    return desk.run("sync", "orders")


def option_unknown(desk: Desk) -> CompletedProcess[str]:
    return desk.run("sync", "--fulll")


def incomplete(desk: Desk) -> CompletedProcess[str]:
    desk.sandbox.storage.collection("orders").put("odd", b'{"order_number":"B"}')
    return desk.run("sync", "orders")


def stale(desk: Desk) -> CompletedProcess[str]:
    desk.run("sync", "orders")
    time.sleep(1)  # an age is told in whole seconds
    return desk.run("status", "--max-age", "0.0000001")


SCENARIOS: dict[str, tuple[Callable[[Desk], CompletedProcess[str]], str]] = {
    "complete": (complete, ""),
    "service down": (service_down, "no usable response"),
    "resource unread": (resource_unread, "GET /vendors"),
    "full disk": (full_disk, "a file may not grow"),
    "no permission": (no_permission, "no permission for a.duckdb"),
    "in use": (in_use, "wholesale.duckdb is open"),
    "corrupt": (corrupt, "wholesale.duckdb is corrupt"),
    "server down": (server_down, "PostgreSQL cannot be reached"),
    "connection lost": (connection_lost, "terminating connection"),
    "table held": (table_held, "(canceling"),
    "right refused": (right_refused, "permission denied for database a"),
    "catalogue down": (catalogue_down, "PostgreSQL cannot be reached"),
    "bucket refused": (bucket_refused, "403 InvalidAccessKeyId"),
    "build failed": (build_failed, "test t is broken"),
    "nothing loaded": (nothing_loaded, "`wholesale sync`"),
    "stopped": (stopped, "SIGTERM"),
    "output closed": (output_closed, "stopped, "),
    "setting missing": (setting_missing, "setting api_key is missing"),
    "setting unknown": (setting_unknown, "setting pagesize (.dlt/config.toml) is unknown"),
    "setting wrong": (setting_wrong, "setting page_size (.dlt/config.toml) is 'many'"),
    "file broken": (file_broken, ".dlt/secrets.toml is no TOML"),
    "key refused": (key_refused, "401 Invalid Credentials"),
    "secret astray": (secret_astray, "destination.postgres.credentials (.dlt/config.toml)"),
    "section misspelt": (section_misspelt, "section privcy (.dlt/config.toml)"),
    "section valued": (section_valued, "setting privacy (.dlt/config.toml)"),
    "destination unknown": (destination_unknown, "destination postgre: "),
    "destination not set": (destination_not_set, "setting destination.postgres.credentials"),
    "other service": (other_service, "wholesale-sandbox"),
    "newer version": (newer_version, "wholesale-elt 99.1"),
    "option unknown": (option_unknown, "--fulll"),
    "incomplete": (incomplete, "1 record in quarantine"),
    "stale": (stale, "1e-07 hours"),
}


def test_there_is_a_test_for_every_ending() -> None:
    assert SCENARIOS.keys() == ENDINGS.keys()


@pytest.mark.parametrize("content", ["x = [", "\ufeff[sources.wholesale]\n"])
@pytest.mark.parametrize("words", [("status",), ("status", "--alert"), ("explain", "1")])
def test_a_file_of_settings_that_cannot_be_read_stops_every_command(
    words: tuple[str, ...], content: str, desk: Desk
) -> None:
    desk.write(".dlt/config.toml", content)

    done = desk.run(*words)

    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize("name", ENDINGS)
def test_a_command_ends_as_the_table_says(name: str, desk: Desk) -> None:
    scenario, said = SCENARIOS[name]

    done = scenario(desk)

    assert done.returncode == ENDINGS[name].exit, done.stderr
    last = done.stderr.splitlines()[-1] if done.stderr else ""
    assert said in last
    assert "secret@" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not re.search(r"^wholesale: \w+(Error|Exception):", last), last


@pytest.mark.parametrize("command", ["sync", "status"])
def test_a_command_that_is_stopped_before_its_work_says_so_too(command: str, desk: Desk) -> None:
    stopped = desk.run(command, "--json", program=STOPPED_BEFORE)

    line = stopped.stderr.strip().removeprefix("wholesale: ")
    assert (stopped.returncode, "SIGTERM" in line) == (1, True)
    assert json.loads(stopped.stdout) == {"exit_code": 1, "error": line}
