"""The commands for several accounts: what they print, and how they end."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wholesale_elt.cli.main import cli
from wholesale_elt.fleet import children
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

NOBODY = "http://127.0.0.1:1/api/external/v1"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY_OF_ACME", "sandbox")


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def write(base_url: str = NOBODY) -> None:
    Path("accounts.toml").write_text(
        f"""
        [defaults]
        api_key_variable = "KEY_OF_ACME"
        resources = ["vendors"]
        attempts = 1
        [accounts.acme]
        base_url = "{base_url}"
        [accounts.dead]
        base_url = "{NOBODY}"
        every_hours = 0.5
        """
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--all", "--to", "x"), "--to cannot be named here"),
        (("sync", "--shard", "1/2", "orders"), "a resource cannot be named here"),
        (("status", "--all", "--database", "x"), "--database cannot be named here"),
        (("run", "--now"), "--now goes with --all, --account or --shard"),
        (("plan", "--all", "--account", "acme"), "--all and --account exclude each other"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words: tuple[str, ...], said: str) -> None:
    done = call(*words)

    assert done.exit_code == 2
    assert said in done.output


def test_a_mistake_in_the_file_is_a_line_and_one_object(tmp_path: Path) -> None:
    Path("accounts.toml").write_text('[accounts.acme]\nbase_ur = "x"\n')
    done = call("sync", "--all", "--json")
    found = json.loads(done.stdout)

    assert done.exit_code == 2
    assert (found["result"], found["exit_code"], found["accounts"]) == ("misconfigured", 2, [])
    assert found["error"].startswith(
        "setting accounts.acme.base_ur (accounts.toml) is unknown: did you mean base_url?"
    )
    assert done.stderr == f"wholesale: {found['error']}\n"


def test_options_of_the_command_are_passed_on_to_that_of_each_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write()
    played = 'import sys; sys.exit(" ".join(sys.argv[1:]))'
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", played))
    done = call("run", "--account", "acme", "--keep", "3", "--only-bi", "--json", "--workers", "2")
    [account] = json.loads(done.stdout)["accounts"]

    assert sorted(account["error"].split(" --")) == [
        *("database accounts/acme.duckdb", "destination duckdb", "json", "keep 3", "only-bi"),
        *("quiet vendors", "run", "to published/acme"),
    ]


def test_a_round_its_standing_and_its_plan_name_each_account() -> None:
    with Sandbox(SandboxSettings(orders=3)) as sandbox:
        write(sandbox.base_url)
        first = call("sync", "--all", "--workers", "2", "--json", "--quiet")
        status = call("status", "--all", "--json", "--max-age", "1")
        plan = call("plan", "--all", "--json", "--workers", "2")
    accounts = {row["account"]: row for row in json.loads(first.stdout)["accounts"]}

    assert first.exit_code == 1
    assert {name: row["result"] for name, row in accounts.items()} == {
        "acme": "complete",
        "dead": "failed",
    }
    assert accounts["dead"]["error"].startswith(
        "GET /vendors?page=1&limit=100 got no usable answer"
    )
    assert first.stderr == "wholesale: of 2 accounts failed: dead\n"
    acme, dead = json.loads(status.stdout)
    assert (acme["verdict"], acme["is_due"], acme["rows"]) == ("complete", False, 12)
    assert (acme["last_run"]["exit_code"], dead["last_run"]["exit_code"]) == (0, 1)
    assert (dead["verdict"], dead["is_due"], dead["due_at"]) == (None, True, None)
    assert status.exit_code == 3
    assert status.stderr == "wholesale: dead was not proved complete within 1 hours\n"
    planned = json.loads(plan.stdout)
    assert (planned["every_minutes"], planned["workers"], planned["crowded"]) == (30, 1, [])
    assert [(row["account"], row["requests"] is None) for row in planned["accounts"]] == [
        ("acme", False),
        ("dead", True),
    ]
    assert plan.exit_code == 1
    assert plan.stderr.startswith("wholesale: dead: GET /vendors")
