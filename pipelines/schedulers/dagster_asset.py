"""Dagster: an asset with its certificate, and a check that warns where it is not complete."""

import json
import os
import subprocess
from collections.abc import Iterator

import dagster as dg

INCOMPLETE = 3


@dg.multi_asset(
    specs=[dg.AssetSpec("wholesale")],
    check_specs=[dg.AssetCheckSpec("certified_complete", asset="wholesale")],
)
def wholesale() -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
    done = subprocess.run(
        ["wholesale", "run", "--json"],
        cwd=os.environ.get("WHOLESALE_FOLDER", "/srv/wholesale"),
        stdout=subprocess.PIPE,
    )
    summary = json.loads(done.stdout)
    if done.returncode not in (0, INCOMPLETE):
        raise dg.Failure(summary["error"], {"result": summary["result"]})
    certificate = {row["resource"]: row for row in summary["sync"]["resources"]}
    yield dg.MaterializeResult(
        asset_key="wholesale",
        metadata={"result": summary["result"], "certificate": certificate},
    )
    yield dg.AssetCheckResult(
        asset_key="wholesale",
        check_name="certified_complete",
        passed=done.returncode == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=summary["error"],
    )


nightly = dg.ScheduleDefinition(
    name="nightly", target=dg.AssetSelection.all(), cron_schedule="15 2 * * *"
)
defs = dg.Definitions(assets=[wholesale], schedules=[nightly])
