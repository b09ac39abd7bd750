"""`wholesale upgrade`, for people and for programs."""

import json

from click.testing import CliRunner

from conftest import Loader
from support.records.samples import order
from wholesale_elt.cli.main import cli
from wholesale_elt.warehouse.versions import this_version
from wholesale_sandbox.server import Sandbox

NOW = this_version()


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
