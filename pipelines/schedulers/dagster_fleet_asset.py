"""Dagster: an asset with a partition an account of `accounts.toml`, and a check of each."""

import json
import os
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import dagster as dg

INCOMPLETE = 3
FOLDER = Path(os.environ.get("WHOLESALE_FOLDER", "/srv/wholesale"))
accounts = dg.StaticPartitionsDefinition(
    list(tomllib.loads((FOLDER / "accounts.toml").read_text("utf-8"))["accounts"])
)


@dg.multi_asset(
    specs=[dg.AssetSpec("wholesale", partitions_def=accounts)],
    check_specs=[dg.AssetCheckSpec("certified_complete", asset="wholesale")],
)
def wholesale(
    context: dg.AssetExecutionContext,
) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
    done = subprocess.run(
        f"wholesale run --account {context.partition_key} --json".split(),
        cwd=FOLDER,
        stdout=subprocess.PIPE,
    )
    summary = json.loads(done.stdout)
    if done.returncode not in (0, INCOMPLETE):
        raise dg.Failure(summary["error"], {"result": summary["result"]})
    [account] = summary["accounts"]
    yield dg.MaterializeResult(
        asset_key="wholesale",
        metadata={name: value for name, value in account.items() if value is not None},
    )
    yield dg.AssetCheckResult(
        asset_key="wholesale",
        check_name="certified_complete",
        passed=done.returncode == 0,
        severity=dg.AssetCheckSeverity.WARN,
        description=account["error"],
    )


defs = dg.Definitions(assets=[wholesale])
