"""`wholesale erase`: said first, done when it is meant, checked whenever it is wished."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import Loader
from support.records.people import world
from support.records.samples import guid
from wholesale_elt.cli.main import cli
from wholesale_sandbox.server import Sandbox


@pytest.fixture
def filled(
    sandbox: Sandbox, loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Loader:
    monkeypatch.chdir(tmp_path)
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load("buyers", "buyer_users", "orders", "vendors")
    return loader


def erase(loader: Loader, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(
        cli, ["erase", *arguments, "--database", str(loader.warehouse.database)]
    )
    return done.exit_code, done.output


@pytest.mark.parametrize("typed", [guid("P1"), f" {guid('P1').upper()} "])
def test_without_yes_it_says_what_would_go(filled: Loader, typed: str) -> None:
    before = filled.contents()

    assert erase(filled, typed) == (
        0,
        f"person {guid('P1')}\n"
        "orders: 11 values in 2 rows\n"
        "orders__order_comments: 3 values in 1 row\n"
        "buyer_users: 2 values in 1 row\n"
        "nothing was erased: --yes erases all of this, and cannot be undone\n",
    )
    assert filled.contents() == before


def test_with_yes_it_is_done_and_the_receipt_holds_until_somebody_brings_it_back(
    filled: Loader,
) -> None:
    code, said = erase(filled, guid("P1"), "--yes", "--receipt", "receipt.json")
    assert code == 0
    assert said.startswith(
        "orders: 11 values in 2 rows erased\n"
        "orders__order_comments: 3 values in 1 row erased\n"
        "buyer_users: 2 values in 1 row erased\n"
        "quarantine: 0 records erased\n"
        "models: there were none\n"
        "journals and logs: 0 removed\n"
        f"{filled.warehouse.database}: the file was written anew\n"
    )
    assert Path("receipt.json").stat().st_mode & 0o777 == 0o600

    code, said = erase(filled, "--verify", "receipt.json")
    assert code == 0

    filled.execute(f"update buyer_users set full_name = 'back' where id = '{guid('P1')}'")
    assert erase(filled, "--verify", "receipt.json") == (
        1,
        "wholesale: receipt.json does not hold:"
        " buyer_users has values of somebody who was erased in 1 row\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "name the ID of a buyer or a buyer user"),
        (("nobody",), 1, "no buyer and no buyer user has the id nobody"),
        (("--verify", "nothing.json"), 2, "nothing.json is no receipt of an erasure"),
    ],
)
def test_what_cannot_be_done_is_said(
    filled: Loader, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found = erase(filled, *arguments)

    assert found[0] == code
    assert said in found[1]
