"""`--json`: one object on standard output of every command, whatever becomes of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import Loader
from support.commands import COMMANDS
from support.records.people import world
from support.records.samples import guid
from support.warehouses.marts import Marts
from support.warehouses.tested import TESTED
from wholesale.api import ServiceFacts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.publisher import publish_marts
from wholesale_sandbox.server import Sandbox

LOADED = ("orders", "vendors", "buyers", "buyer_users")
WITHOUT = {"mcp", "sandbox"}
"""Commands that serve until they are stopped."""


@pytest.fixture
def filled(
    sandbox: Sandbox, loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Loader:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load(*LOADED)
    return loader


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--json"])


def told(loader: Loader, *words: str, code: int = 0) -> Any:
    """The object of a command on that warehouse, which is all that it prints."""
    done = call(*words, "--database", str(loader.warehouse.database))
    assert (done.exit_code, done.stderr == "") == (code, not code), done.output
    return json.loads(done.stdout)


def test_every_command_that_ends_by_itself_has_it() -> None:
    has = {name for name, command in COMMANDS.items() if "--json" in _options(command)}

    assert has == COMMANDS.keys() - WITHOUT


def _options(command: Any) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


def test_of_a_check_each_list_and_each_fact_of_the_service_is_told(filled: Loader) -> None:
    found = told(filled, "check")

    vendors = next(row for row in found["lists"] if row["resource"] == "vendors")
    assert vendors.pop("missing")
    assert vendors == {
        "resource": "vendors",
        "path": "/vendors",
        "answer": "200",
        "is_fault": False,
        "shape": "envelope",
        "total": 1,
        "order": None,
        "unknown": [],
        "misfits": ["vendors.website"],
        "local_times": [],
    }
    assert found["service"].keys() == ServiceFacts.model_fields.keys()
    assert found["guarantees"] == list(TESTED["duckdb"].guarantees)


def test_of_a_plan_it_is_told_what_a_sync_would_take(filled: Loader) -> None:
    found = told(filled, "plan", "vendors", "orders")

    assert [row["resource"] for row in found["resources"]] == ["orders", "vendors"]
    assert found["requests"] == sum(row["requests"] for row in found["resources"])
    assert found.keys() == {"requests", "minutes", "resources"}


def test_of_a_status_it_is_told_which_resources_are_older_than_was_asked(filled: Loader) -> None:
    filled.execute("update sync_runs set complete_as_of = complete_as_of - interval 2 hour")

    assert told(filled, "status")["stale"] == []
    assert told(filled, "status", "--max-age", "1", code=3)["stale"] == list(LOADED)


def test_of_an_order_both_sides_are_told(filled: Loader) -> None:
    found = told(filled, "explain", guid("O1"))

    assert found["stored"] == found["service"]
    assert found["stored"]["total"] == "10.5"
    assert found["stored"]["updated_at"] == "2026-01-02T10:00:00+00:00"
    assert found["verdict"].startswith("the same as the service shows it")
    assert (found["order_id"], found["in_mart"]) == (guid("O1"), None)


@pytest.mark.slow
def test_of_a_copy_rows_and_hash_of_each_table_are_told(filled: Loader) -> None:
    source = str(filled.warehouse.database)

    first, second = (
        json.loads(call("copy", "--from", source, "--to", f"{name}.duckdb").stdout)["tables"]
        for name in ("first", "second")
    )

    assert first == second
    assert first["orders"]["rows"] == 3
    assert len(first["orders"]["sha256"]) == 64


@pytest.mark.slow
def test_of_an_erasure_plan_receipt_and_proof_are_told(filled: Loader) -> None:
    plan = told(filled, "erase", guid("P1"))
    done = told(filled, "erase", guid("P1"), "--yes", "--receipt", "receipt.json")
    proof = told(filled, "erase", "--verify", "receipt.json")
    filled.execute(f"update buyer_users set full_name = 'back' where id = '{guid('P1')}'")
    broken = told(filled, "erase", "--verify", "receipt.json", code=1)

    assert plan == {
        "kind": "person",
        "id": guid("P1"),
        "tables": {
            "orders": {"rows": 2, "cells": 11},
            "orders__order_comments": {"rows": 1, "cells": 3},
            "buyer_users": {"rows": 1, "cells": 2},
        },
        "quarantined": 0,
        "mentions": [],
    }
    assert done == {
        "file": "receipt.json",
        "receipt": json.loads(Path("receipt.json").read_text()),
    }
    assert proof == {
        "holds": True,
        "erased_at": done["receipt"]["erased_at"],
        "faults": [],
        "mentions": [],
    }
    assert (broken["holds"], broken["faults"]) == (
        False,
        ["buyer_users has values of somebody who was erased in 1 row"],
    )


@pytest.mark.slow
def test_of_a_dashboard_it_is_told_how_far_to_trust_it(built: Marts, tmp_path: Path) -> None:
    folder = tmp_path / "published"
    published = publish_marts(built.warehouse, str(folder), is_only_bi=True)

    done = call("dashboard", "--published", str(folder), "--no-open")

    assert published.in_force
    assert json.loads(done.stdout) == {
        "page": str(folder / "index.html"),
        "version": published.in_force.version,
        "verdict": "complete",
        "as_of": published.in_force.as_of,
        "reasons": [],
        "findings": [],
    }


@pytest.mark.slow
def test_of_documentation_it_is_told_where_the_page_is_that_leads_from_field_to_metric(
    filled: Loader,
) -> None:
    pytest.importorskip("dbt", reason="dbt is not installed for this Python")
    page = told(filled, "docs", "--to", "docs")["page"]

    text = Path(page).read_text("utf-8")
    for node in (
        "source.wholesale.wholesale_raw.orders",
        "model.wholesale.stg_wholesale__orders",
        "model.wholesale.fct_orders",
        "semantic_model.wholesale.orders",
        "metric.wholesale.average_order_value",
        "model.wholesale.rpt_headlines",
    ):
        assert node in text


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("check",), 2, "settings base_url and api_key are missing"),
        (("plan",), 2, "settings base_url and api_key are missing"),
        (("explain", "x"), 2, "settings base_url and api_key are missing"),
        (("status", "--destination", "postgre"), 2, "there is no destination postgre"),
        (("erase", "x"), 1, "wholesale.duckdb does not exist"),
        (("copy", "--from", "a.duckdb", "--to", "b.duckdb"), 1, "a.duckdb does not exist"),
        (("dashboard",), 1, "published holds no published version"),
        (("hand-over", "erp", "--to", "erp"), 1, "published holds no published version"),
        (("verify", "none.json"), 1, "none.json cannot be read (No such file or directory)"),
        (("status", "--all"), 2, "there is no accounts.toml"),
        (("plan", "--all"), 2, "there is no accounts.toml"),
    ],
)
def test_of_a_failure_code_and_error_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, error: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call(*words)
    found = json.loads(done.stdout)

    assert (done.exit_code, found["exit_code"]) == (code, code)
    assert error in found["error"]
    assert done.stderr == f"wholesale: {found['error']}\n"
    assert found.keys() == {"exit_code", "error"}
    assert [*tmp_path.iterdir()] == []
