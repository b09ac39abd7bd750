"""A build of what changed comes to the same rows as one of everything, and knows what changed."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sql.test_build import KILLED
from support.warehouses.marts import Marts
from wholesale_elt.models import project as dbt_project

pytestmark = pytest.mark.slow

SYNCED = (
    "insert into wholesale_raw.sync_runs by name select * replace ('9' || run_id as run_id,"
    " started_at + interval '1 minute' as started_at, ended_at + interval '1 minute' as ended_at,"
    " complete_as_of + interval '1 minute' as complete_as_of) from wholesale_raw.sync_runs"
)
OF_THE_CLOCK = {
    "wholesale_marts.dim_as_of",
    "wholesale_bi.rpt_freshness",
    "wholesale_bi.rpt_headlines",
    "wholesale_bi.rpt_health_headlines",
    "wholesale_bi.rpt_sync_runs",
}
CHANGES = {
    "nothing": (),
    "an order edited": (
        "update wholesale_raw.orders set sub_total = sub_total + 1, updated_at = '2026-07-02'"
        " where id in (select min(id) from wholesale_raw.orders)",
    ),
    "a vendor renamed": (
        "update wholesale_raw.vendors set name = 'Another' where id in"
        " (select min(id) from wholesale_raw.vendors)",
    ),
    "a price changed": (
        "update wholesale_raw.prices set unit_price = unit_price + 1 where id in"
        " (select min(id) from wholesale_raw.prices)",
    ),
    "a price observed": (
        "insert into wholesale_raw.prices__observations by name select * replace"
        " (unit_price + 1 as unit_price, observed_at + interval '1 second' as observed_at)"
        " from wholesale_raw.prices__observations limit 1",
    ),
    "a row deleted by hand": (
        "delete from wholesale_raw.buyers where id in (select max(id) from wholesale_raw.buyers)",
    ),
    "two rows edited alike by hand": (
        "update wholesale_raw.items set title = title || '!' where vendor_id in"
        " (select min(vendor_id) from wholesale_raw.items)",
    ),
    "an order's day not believed any more": (
        "update wholesale_raw.sync_runs set ended_at = '2025-06-01'",
    ),
    "another count at the service": (
        "update wholesale_raw.sync_runs set last_total_count = 7 where resource = 'items'",
    ),
    "a column more": ("alter table wholesale_raw.brands add column found varchar",),
}


def sizes(marts: Marts) -> dict[str, int]:
    return {table: len(rows) for table, rows in marts.contents().items()}


@pytest.mark.parametrize("change", CHANGES)
def test_a_build_after_a_change_equals_a_full_one_row_by_row(marts: Marts, change: str) -> None:
    before = marts.contents()
    marts.change(*CHANGES[change], SYNCED)

    built = marts.build()
    after = marts.contents()
    full = marts.build(is_full=True)

    assert marts.contents() == after
    assert after != before
    assert built.models + built.models_standing == full.models + full.models_standing
    assert built.tests + built.tests_standing == full.tests
    assert {str(warning.test) for warning in built.warnings} == {
        str(warning.test) for warning in full.warnings
    }
    if change == "nothing":
        changed = {table for table in after if after[table] != before[table]}
        assert changed < OF_THE_CLOCK
        assert built.models == len(OF_THE_CLOCK) + 1  # and the staging view that they read


def test_nothing_changed_and_dbt_is_not_even_started(
    marts: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("dbt was started")

    monkeypatch.setattr("wholesale_elt.models.build.run_dbt", started)
    moment = "select max(built_at) from wholesale_bi.rpt_freshness"
    before = marts.rows(moment)

    assert marts.build().models_standing > 0
    assert marts.rows(moment) > before
    marts.change("update wholesale_raw.brands set title = 'Another'")
    with pytest.raises(AssertionError, match="dbt was started"):
        marts.build()
    # That build did not come to its end.
    with pytest.raises(AssertionError, match="dbt was started"):
        marts.build()


def test_other_settings_another_sql_or_a_dropped_table_build_all(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__LAPSE_DAYS", "30")
    assert marts.build().models_standing == 0
    assert marts.build().models_standing > 0

    folder = Path(shutil.copytree(dbt_project.project_folder(), tmp_path / "sql"))
    described = folder / "models/bi/rpt_geography.yml"
    described.write_text(described.read_text("utf-8") + "# other\n", "utf-8")
    monkeypatch.setattr(dbt_project, "project_folder", lambda: folder)
    assert marts.build().models_standing == 0

    marts.change("drop table wholesale_bi.rpt_geography")
    assert marts.build().models_standing == 0
    assert marts.rows("select count(*) > 0 from wholesale_bi.rpt_geography") == [(True,)]


def test_a_warning_stands_until_its_cause_is_gone(marts: Marts) -> None:
    marts.change(
        "update wholesale_raw.orders set status = 'teleported' where id in"
        " (select min(id) from wholesale_raw.orders)"
    )
    first = marts.build().warnings
    assert [warning.test.split("__")[0] for warning in first] == ["known_order_states"]
    marts.change(SYNCED)

    assert marts.build().warnings == first


@pytest.mark.parametrize("step", ["dim_buyers", "rpt_reconciliation"])
def test_after_a_killed_build_nothing_counts_as_unchanged(marts: Marts, step: str) -> None:
    marts.change("update wholesale_raw.buyers set company_name = 'Another'")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(marts.database), step],
        check=False,
        env=os.environ,
    )
    assert killed.returncode == -signal.SIGKILL

    assert marts.build().models_standing == 0
    assert marts.build().models_standing > 0
