"""Metrics are in the form that Prometheus reads, and are there as a whole or as before."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conftest import Loader
from support.records.samples import order
from wholesale_elt.inspect.status import read_overview
from wholesale_elt.monitoring.reporting import report
from wholesale_elt.monitoring.summary import Summary, SyncSummary
from wholesale_sandbox.server import Sandbox


def test_a_run_leaves_its_metrics_where_the_node_exporter_reads_them(
    sandbox: Sandbox, loader: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "metrics/wholesale.prom"
    monkeypatch.setenv("MONITORING__TEXTFILE", str(path))
    sandbox.put("orders", order("A"))
    summary = Summary(command="sync")
    with loader.warehouse.journal.note("sync") as entry:
        summary.sync = SyncSummary.of(loader.load("orders"))
        entry.exit_code = 0
    summary.end(0, None)
    report(loader.warehouse, summary)

    samples = dict(
        line.rsplit(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#")
    )
    label = f'{{resource="orders",warehouse="{loader.warehouse.name}"}}'
    command = f'{{command="sync",warehouse="{loader.warehouse.name}"}}'
    (status, *_) = read_overview(loader.warehouse).resources
    assert status.complete_as_of
    assert samples[f"wholesale_rows{label}"] == "1"
    assert samples[f"wholesale_is_complete{label}"] == "1"
    assert samples[f"wholesale_new{label}"] == "1"
    assert samples[f"wholesale_last_exit_code{command}"] == "0"
    seen = float(samples[f"wholesale_complete_as_of_timestamp_seconds{label}"])
    assert datetime.fromtimestamp(seen, UTC) == status.complete_as_of
    assert path.stat().st_mode & 0o777 == 0o644
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    named = {line.split()[2] for line in path.read_text().splitlines() if line.startswith("# TYPE")}
    assert named == {name.partition("{")[0] for name in samples}
