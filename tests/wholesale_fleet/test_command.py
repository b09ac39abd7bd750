"""The commands for several accounts: what they print, and how they end."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.warehouses.fleets import Desk
from wholesale_elt.cli.main import cli
from wholesale_elt.process.lock import hold
from wholesale_fleet import children, commands
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

WORDS = ("sync", "run", "run")
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
        (("publish", "--account", "acme"), "only all accounts can be published together"),
        (("publish", "--all", "--to", "x"), "--to cannot be named here"),
        (("publish", "--all", "--only-bi"), "--only-bi goes with `wholesale run --all`"),
        (("publish", "--all", "--only", "vendor=A"), "--only is of one account"),
        (("run", "--account", "acme", "--only", "vendor=A"), "--only is of one account"),
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
        *("database accounts/acme.duckdb", "destination duckdb", "facts copied vendors", "json"),
        *("keep 3", "only-bi", "quiet", "run", "to published/acme"),
    ]


def test_what_accounts_have_published_is_published_together(tmp_path: Path) -> None:
    write()
    Desk(tmp_path).build("acme", 1)
    done = call("publish", "--all", "--json", "--quiet")
    found = json.loads(done.stdout)
    again = call("publish", "--all", "--keep", "2")

    assert done.exit_code == 3
    assert done.stderr == "wholesale: not complete: dead: nothing is published\n"
    assert (found["command"], found["result"]) == ("publish", "incomplete")
    assert found["fleet"] == {
        "place": "published/_fleet",
        "result": "published",
        "version": Desk(tmp_path).manifest.version,
        "as_of": "2026-03-01T06:00:00.000000Z",
        "accounts": 2,
        "changed": ["acme"],
        "same": [],
        "gone": [],
        "reasons": ["dead: nothing is published"],
        "removed": [],
    }
    assert [(entry.account_id, entry.status) for entry in Desk(tmp_path).manifest.accounts] == [
        ("acme", "never synced"),
        ("dead", "never synced"),
    ]
    assert again.stdout.splitlines() == [
        "already published 1 of 2 accounts in published/_fleet, version"
        f" {found['fleet']['version']}",
        "not complete: dead: nothing is published",
    ]


@pytest.mark.slow
def test_a_share_without_an_account_says_so() -> None:
    write()
    shares = [call("sync", "--shard", f"{number}/9") for number in range(1, 10)]

    empty = [
        done for done in shares if "no account of accounts.toml is in the share" in done.stderr
    ]
    assert len(empty) >= 7
    assert {done.exit_code for done in empty} == {0}


def test_accounts_in_a_bucket_are_not_published_together() -> None:
    write()
    text = Path("accounts.toml").read_text()
    Path("accounts.toml").write_text(f'published = "s3://bucket/prefix"\n{text}')
    done = call("publish", "--all")

    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1] == (
        "wholesale: the accounts are published in s3://bucket/prefix, and a fleet is made of"
        " folders: let setting published name one"
    )


@pytest.mark.slow
@pytest.mark.parametrize("is_bucket", [False, True])
def test_a_round_in_which_an_account_published_ends_with_all_of_them_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_bucket: bool
) -> None:
    write()
    if is_bucket:
        text = Path("accounts.toml").read_text()
        Path("accounts.toml").write_text(f'published = "s3://bucket/prefix"\n{text}')
    desk = Desk(tmp_path)
    desk.build("acme", 1)
    played = 'print(\'{"publish": {"version": "v1"}}\')'
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", played))
    done = call("run", "--all", "--json", "--keep", "2")
    fleet = json.loads(done.stdout)["fleet"]

    assert done.exit_code == 0
    assert desk.fleet.exists() is not is_bucket
    assert (fleet and fleet["changed"]) == (None if is_bucket else ["acme"])


def test_a_worker_leaves_it_to_another_that_is_publishing_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    desk = Desk(tmp_path)
    desk.build("acme", 1)
    call("publish", "--all")
    played = 'print(\'{"publish": {"version": "v1"}}\')'
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", played))
    monkeypatch.setattr(commands, "PATIENCE", 0.0)
    with hold(desk.fleet / ".lock", "the folder"):
        done = call("run", "--all", "--json")

    assert (done.exit_code, json.loads(done.stdout)["fleet"]) == (0, None)


def test_a_round_publishes_together_what_a_killed_worker_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    desk = Desk(tmp_path)
    desk.build("acme", 1)
    call("publish", "--all")
    desk.build("acme", 2)
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", "print('{}')"))

    synced, run, again = (json.loads(call(word, "--all", "--json").stdout) for word in WORDS)

    assert synced["fleet"] is None
    assert run["fleet"]["changed"] == ["acme"]
    assert again["fleet"] is None


def test_a_round_waits_for_another_that_publishes_and_may_have_seen_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    desk = Desk(tmp_path)
    desk.build("acme", 1)
    monkeypatch.setattr(children, "COMMAND", (sys.executable, "-S", "-c", "print('{}')"))
    with ExitStack() as held:
        desk.fleet.mkdir(parents=True)
        held.enter_context(hold(desk.fleet / ".lock", "the folder"))
        monkeypatch.setattr(commands, "sleep", lambda seconds: held.close())
        run = json.loads(call("run", "--all", "--json").stdout)

    assert run["fleet"]["changed"] == ["acme"]


def test_a_round_its_standing_and_its_plan_name_each_account(tmp_path: Path) -> None:
    with Sandbox(SandboxSettings(orders=3)) as sandbox:
        write(sandbox.base_url)
        first = call("sync", "--all", "--workers", "2", "--json", "--quiet")
        status = call("status", "--all", "--json", "--max-age", "1")
        plan = call("plan", "--all", "--json", "--workers", "2")
    call("publish", "--all")
    accounts = {row["account"]: row for row in json.loads(first.stdout)["accounts"]}

    assert first.exit_code == 1
    assert {name: row["result"] for name, row in accounts.items()} == {
        "acme": "complete",
        "dead": "failed",
    }
    assert "no usable response" in accounts["dead"]["error"]
    assert first.stderr == "wholesale: of 2 accounts failed: dead\n"
    told = json.loads(status.stdout)
    acme, dead = told["accounts"]
    assert (acme["is_late"], dead["is_late"], told["sales"]) == (False, True, [])
    assert (acme["verdict"], acme["is_due"], acme["rows"]) == ("complete", False, 12)
    assert (acme["last_run"]["exit_code"], dead["last_run"]["exit_code"]) == (0, 1)
    assert (dead["verdict"], dead["is_due"], dead["due_at"]) == (None, True, None)
    assert status.exit_code == 3
    assert status.stderr == "wholesale: dead was not proved complete within an hour\n"
    planned = json.loads(plan.stdout)
    assert (planned["every_minutes"], planned["workers"], planned["crowded"]) == (30, 1, [])
    assert [(row["account"], row["requests"] is None) for row in planned["accounts"]] == [
        ("acme", False),
        ("dead", True),
    ]
    assert plan.exit_code == 1
    assert plan.stderr.startswith("wholesale: dead: GET /vendors")
    stood = [(row.status, row.reason, row.trouble) for row in Desk(tmp_path).manifest.accounts]
    assert stood == [
        ("complete", "nothing is published", None),
        ("never synced", "nothing is published", accounts["dead"]["error"]),
    ]


def test_the_standing_tells_what_was_sold_by_currency_of_what_is_published(tmp_path: Path) -> None:
    write()
    desk = Desk(tmp_path)
    desk.build("acme", 1, currency="'EUR'")
    desk.build("dead", 2, currency="'XXX'")
    call("publish", "--all")

    told = json.loads(call("status", "--all", "--json").stdout)
    shown = call("status", "--all").stdout

    assert [(row["currency"], row["accounts"]) for row in told["sales"]] == [
        ("EUR", ["acme"]),
        (None, ["dead"]),
    ]
    sums = desk.rows(
        "select cast(sales_amount as double) from wholesale_bi.fleet_sales order by currency"
    )
    assert [float(row["amount"]) for row in told["sales"]] == [amount for (amount,) in sums]
    assert "XXX" not in shown
