"""The night watch: what happened is told to who looks later, and to programs, whatever it was."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from support.commands import COMMANDS
from support.records.samples import guid, order
from support.services.command import COMMAND, run_command
from wholesale_elt.monitoring.summary import Summary
from wholesale_sandbox.server import Sandbox

KILLED = """
import os, signal
import wholesale_elt.load as load

load.sync_resources = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
"""


class Desk:
    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
            "SOURCES__WHOLESALE__ATTEMPTS": "1",
        }

    def run(self, *words: str, program: str = "", **changes: str) -> tuple[int, str, str]:
        environment = self.environment | changes
        done = run_command(words, self.folder, environment, program + COMMAND)
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def desk(tmp_path: Path, sandbox: Sandbox) -> Desk:
    sandbox.put("orders", order("A"))
    return Desk(tmp_path, sandbox)


def test_before_the_first_sync_status_says_so_and_makes_nothing(desk: Desk) -> None:
    code, output, _ = desk.run("status", "--json")
    found = json.loads(output)

    assert code == 0
    assert {(row["rows"], row["last_run_at"]) for row in found["resources"]} == {(0, None)}
    assert found["runs"] == []
    assert list(desk.folder.iterdir()) == []

    code, _, errors = desk.run("status", "--max-age", "24")
    assert code == 3
    assert errors.endswith("custom_fields were not proved complete within 24 hours\n")


def test_while_a_sync_writes_status_shows_what_was_there_before_and_who_is_at_work(
    desk: Desk,
) -> None:
    desk.run("sync", "orders")
    with duckdb.connect(str(desk.folder / "wholesale.duckdb")):
        code, output, _ = desk.run("status", "--json")
        as_text = desk.run("status")[1]
    found = json.loads(output)

    assert code == 0
    assert found["observed_at"] >= found["runs"][0]["started_at"]
    orders = found["resources"][0]
    assert (orders["rows"], orders["verdict"]) == (1, "complete")
    assert orders["lag_seconds"] is not None
    assert "complete" in as_text

    (desk.folder / ".wholesale/wholesale.duckdb/status.json").unlink()
    with duckdb.connect(str(desk.folder / "wholesale.duckdb")):
        code, output, _ = desk.run("status", "--json")
    assert code == 0
    assert json.loads(output)["observed_at"] is None
    assert json.loads(output)["resources"][0]["rows"] is None


def test_a_run_that_failed_and_one_that_was_killed_are_in_status(desk: Desk) -> None:
    desk.run("sync", "orders", SOURCES__WHOLESALE__API_KEY="another")
    (entry,) = json.loads(desk.run("status", "--json")[1])["runs"]
    assert (entry["command"], entry["exit_code"], entry["state"]) == ("sync", 2, "ended")
    assert "answered 401 Invalid Credentials" in entry["message"]
    assert ": check the API key" in desk.run("status")[1].splitlines()[-1]

    desk.run("sync", "orders", program=KILLED)
    entry, _ = json.loads(desk.run("status", "--json")[1])["runs"]
    assert (entry["exit_code"], entry["ended_at"], entry["state"]) == (None, None, "killed")
    last = desk.run("status")[1].splitlines()[-1]
    assert last.startswith("sync: killed, or the machine went down; it began ")

    desk.run("sync", "orders")
    assert "sync:" not in desk.run("status")[1]


@pytest.mark.parametrize("words", [("sync", "orders"), ("sync", "nothing"), ("sync", "--odd")])
def test_with_json_every_line_of_standard_error_is_an_object_and_one_is_the_summary(
    desk: Desk, words: tuple[str, ...]
) -> None:
    code, output, errors = desk.run("--debug", "--log-format", "json", *words)
    lines = [json.loads(line) for line in errors.splitlines()]

    assert all({"at", "level", "logger", "message"} <= line.keys() for line in lines)
    summaries = [line["summary"] for line in lines if "summary" in line]
    assert [found["exit_code"] for found in summaries] == ([] if "--odd" in words else [code])
    assert (lines[-1]["level"] == "error") == (code != 0)
    if not code:
        steps = [line for line in lines if line["logger"] == "wholesale.progress"]
        assert (steps[-1]["step"], steps[-1]["done"], steps[-1]["of"]) == ("orders loaded", 1, 1)
        assert "1 record in wholesale.duckdb" in output


ACCOUNTS = """
[defaults]
api_key_variable = "KEY_OF_ACME"
[accounts.acme]
base_url = "{base_url}"
"""


@pytest.mark.slow
def test_with_json_no_command_that_succeeds_says_anything_else(
    desk: Desk, sandbox: Sandbox
) -> None:
    sandbox.put("buyers", {"id": guid("B"), "email": "b@example.com"})
    accounts = ACCOUNTS.format(base_url=sandbox.base_url)
    (desk.folder / "accounts.toml").write_text(accounts)
    before = (datetime.now(UTC) - timedelta(days=2)).date()
    telling = ("run", "sync", "build --full", "publish", "run --all", "publish --all")
    silent = (
        *("plan", "status", "tasks", "check", "dashboard --no-open", "plan --all", "status --all"),
        *("figures sales --by vendor", "sql select(1)", "why sales", "verify", "changes", "export"),
        "close",
        "diff published published",
        "journal",
        "next",
        "next --record",
        "hand-over ledger --to handed",
        *(f"explain {guid('A')}", "copy --from wholesale.duckdb --to copy.duckdb", "mcp"),
        f"statement --each vendor --as-of {before} --to statements",
        *(f"erase {guid('B')}", f"erase {guid('B')} --yes --receipt receipt.json"),
        "erase --verify receipt.json",
    )
    for words in (*telling, *silent):
        code, _, errors = desk.run("--log-format", "json", *words.split(), KEY_OF_ACME="sandbox")
        lines = [json.loads(line) for line in errors.splitlines()]

        assert code == 0, errors
        assert all({"at", "level", "logger", "message"} <= line.keys() for line in lines), words
        assert {line["level"] for line in lines} <= {"info"}, words
        assert bool(lines) == (words in telling), words
        if words == "run":
            phases = {"models and tests", "files of the version", "orders loaded"}
            assert phases <= {line.get("step") for line in lines}
        summaries = [line["summary"] for line in lines if "summary" in line]
        assert [found["command"] for found in summaries] == (
            words.split()[:1] if words in telling else []
        )

    names = {word for words in (*telling, *silent) for word in words.split()[:1]}
    # Three serve, and one needs a server of mail; what dbt takes seconds to document is told in
    # `test_documents.py`, and no more.
    assert names == COMMANDS.keys() - {"demo", "sandbox", "try", "letter", "docs"}


@pytest.mark.parametrize("words", [("sync", "--odd"), ("nothing",), ("sync", "--full", "--odd")])
def test_json_is_an_object_of_what_cannot_be_understood_too(
    desk: Desk, words: tuple[str, ...]
) -> None:
    code, output, errors = desk.run(*words, "--json")
    found = json.loads(output)

    assert (code, found["exit_code"]) == (2, 2)
    assert errors == f"wholesale: {found['error']}\n"


@pytest.mark.parametrize(
    ("words", "code", "parts"),
    [
        (("sync", "orders"), 0, {"sync"}),
        (("sync", "nothing"), 2, set()),
        (("build", "--destination", "nowhere"), 2, set()),
        (("publish",), 1, set()),
        (("run", "--database", "/dev/null/a"), 1, set()),
    ],
)
def test_json_is_one_document_of_one_shape_also_on_failure(
    desk: Desk, words: tuple[str, ...], code: int, parts: set[str]
) -> None:
    done, output, errors = desk.run(*words, "--json")
    found = Summary.model_validate_json(output, strict=True)

    assert (done, found.exit_code, found.command) == (code, code, words[0])
    assert {name for name in ("sync", "build", "publish") if getattr(found, name)} == parts
    assert found.error == (errors.splitlines()[-1].removeprefix("wholesale: ") if code else None)
    assert found.ended_at
    assert found.ended_at >= found.started_at
