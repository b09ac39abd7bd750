"""The folder of state may be lost or damaged."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.few import few
from support.records.samples import order
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_sandbox.server import Sandbox

OF_A_RUN = ("synced_at",)
OF_RUNS = {
    f"wholesale_bi.rpt_{name}" for name in ("freshness", "health_headlines", "sync_runs")
} | {"wholesale_bi.rpt_reconciliation"}
"""What tells of the runs themselves."""


@pytest.mark.slow
@pytest.mark.parametrize("junk", few([b"", b"\0\xff", b'{"written_by": "99.1"}'], 1))
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
