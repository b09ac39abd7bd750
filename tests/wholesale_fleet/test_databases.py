"""A fleet on a PostgreSQL server: each account in the database of its name, under its own lock."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from support.services.postgres import connect
from wholesale_elt.cli.main import cli
from wholesale_fleet.accounts import read_fleet
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

NAMES = ("east", "west")


@pytest.fixture
def services(
    socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Sandbox]]:
    """A service an account, `accounts.toml`, and a server with an empty database for each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(
        "DESTINATION__POSTGRES__CREDENTIALS",
        f"postgresql://postgres@/postgres?host={quote(socket, safe='')}",
    )
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    server = connect(socket)
    with (
        server.cursor() as cursor,
        Sandbox(SandboxSettings(orders=3, seed=1)) as east,
        Sandbox(SandboxSettings(orders=5, seed=2)) as west,
    ):
        text = 'destination = "postgres"\n[defaults]\nresources = ["orders"]\n'
        for name, sandbox in zip(NAMES, (east, west), strict=True):
            cursor.execute(f"create database {name}")
            text += f'[accounts.{name}]\nbase_url = "{sandbox.base_url}"\n'
        Path("accounts.toml").write_text(text)
        yield {"east": east, "west": west}
        for name in NAMES:
            cursor.execute(f"drop database {name} with (force)")
    server.close()


@pytest.mark.slow
@pytest.mark.usefixtures("services")
def test_each_account_has_a_database_of_its_own_and_a_lock_in_it() -> None:
    fleet = read_fleet(Path("accounts.toml"))
    east, west = map(fleet.warehouse, fleet.accounts)
    with west.hold():
        held = CliRunner().invoke(cli, ["sync", "--all", "--json", "--quiet"])
    after = CliRunner().invoke(cli, ["sync", "--all", "--json", "--quiet"])
    counts = []
    for warehouse in (east, west):
        with warehouse.open(is_read_only=True) as raw:
            counts.append(raw.count_alive("orders"))

    def results(text: str) -> dict[str, str]:
        return {row["account"]: row["result"] for row in json.loads(text)["accounts"]}

    assert (held.exit_code, results(held.stdout)) == (0, {"east": "complete", "west": "in use"})
    assert (after.exit_code, results(after.stdout)) == (0, {"east": "not due", "west": "complete"})
    assert counts == [3, 5]
