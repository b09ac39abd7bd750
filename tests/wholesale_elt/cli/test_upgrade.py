"""`wholesale upgrade`, for people and for programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import Loader
from support.records.samples import order
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.runs.releases import this_release
from wholesale_sandbox.server import Sandbox

NOW = this_release()
OF_A_RUN = ("synced_at",)
OF_RUNS = {
    f"wholesale_bi.rpt_{name}" for name in ("freshness", "health_headlines", "sync_runs")
} | {"wholesale_bi.rpt_reconciliation"}
"""What tells of the runs themselves."""


def test_an_upgrade_says_what_it_added_and_what_to_do_next(
    sandbox: Sandbox, loader: Loader
) -> None:
    sandbox.put("orders", order("A"))
    loader.load("orders")
    loader.execute("update sync_versions set version = '0.0.1'; drop table sync_changes")
    loader.execute("alter table sync_runs drop column proof")
    database = str(loader.warehouse.database)

    first = CliRunner().invoke(cli, ["upgrade", "--database", database])
    second = CliRunner().invoke(cli, ["upgrade", "--database", database, "--json"])

    assert (first.exit_code, first.stdout.splitlines()) == (
        0,
        [
            f"{loader.warehouse.name}: written by 0.0.1, now by {NOW}",
            "1 table added: sync_changes",
            "1 column added: sync_runs.proof",
            "marts and reports are to be made anew: run `wholesale build`",
        ],
    )
    assert json.loads(second.stdout)["upgrade"] == {
        "before": NOW,
        "version": NOW,
        "tables": [],
        "columns": [],
        "is_to_be_built_anew": True,
    }


def test_an_upgrade_that_is_refused_exits_with_2_and_one_object(loader: Loader) -> None:
    loader.load("orders")
    loader.execute("insert into sync_versions values ('99.1', '2020-01-01')")

    refused = CliRunner().invoke(
        cli, ["upgrade", "--database", str(loader.warehouse.database), "--json"]
    )

    told = json.loads(refused.stdout)
    assert (refused.exit_code, told["result"], told["upgrade"]) == (2, "misconfigured", None)
    assert told["error"].startswith(f"{loader.warehouse.name} was written by wholesale-elt 99.1,")


@pytest.mark.slow
@pytest.mark.parametrize("junk", [b"", b"\0\xff", b'{"written_by": "99.1"}'])
def test_what_cannot_be_read_in_the_folder_of_state_is_made_anew(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, junk: bytes
) -> None:
    pytest.importorskip("dbt", reason="dbt is not installed for this Python")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    marts = Marts(tmp_path / "wholesale.duckdb")
    sandbox.put("orders", order("A"))
    assert CliRunner().invoke(cli, ["run"]).exit_code == 0
    before = marts.contents(*OF_A_RUN)
    for path in Path(".wholesale").rglob("*"):
        if path.is_file():
            path.write_bytes(junk)

    status = CliRunner().invoke(cli, ["status", "--json"])
    again = CliRunner().invoke(cli, ["run", "--json"])

    assert (status.exit_code, json.loads(status.stdout)["runs"]) == (0, [])
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["publish"]["result"] == "published"
    after = marts.contents(*OF_A_RUN)
    assert {name for name in before if before[name] != after[name]} <= OF_RUNS
    runs = json.loads(CliRunner().invoke(cli, ["status", "--json"]).stdout)["runs"]
    assert [run["command"] for run in runs] == ["run"]
