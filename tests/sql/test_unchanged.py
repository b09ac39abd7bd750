"""A build knows whether anything changed, and comes to the same rows as one of everything."""

import os
import random
import signal
from pathlib import Path

import pytest

from sql.test_build import KILLED
from support.few import by_hand, few
from support.services.command import run_command
from support.warehouses.marts import Marts
from wholesale_elt.models.build import build_models
from wholesale_elt.models.running import BuildFailed, BuildStep

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
    "another proof": (
        "update wholesale_raw.sync_runs set proof = 'agreement' where resource = 'items'",
    ),
    "a column that nobody knows": ("alter table wholesale_raw.brands add column found varchar",),
}
KEYS = {"id", "order_id", "item_id", "variant_id", "line_number", "comment_number", "option_number"}
PARTED = ("orders", "vendors", "buyers", "items", "variants", "prices", "orders__order_line_items")
"""Raw tables of which a row more or less makes no test fail."""


def logs(marts: Marts) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the history, which no build makes anew."""
    tables = marts.rows(
        "select table_name from duckdb_tables() where schema_name = 'wholesale_history'"
    )
    return {
        table: marts.rows(f"select * from wholesale_history.{table} order by all")
        for (table,) in tables
    }


@pytest.mark.parametrize("change", few(CHANGES, 4))
def test_a_build_after_a_change_equals_a_full_one_row_by_row(
    marts: Marts, change: str, tmp_path: Path
) -> None:
    before = marts.contents()
    marts.change(*CHANGES[change], SYNCED)
    changed = marts.copy(tmp_path)

    built = marts.build()
    after, logged = marts.contents(), logs(marts)
    full = changed.build(is_full=True)

    assert changed.contents() == after
    assert logs(changed) == logged
    assert after != before
    assert built.models + built.models_standing == full.models
    assert built.tests + built.tests_standing == full.tests
    assert {warning.test for warning in built.warnings} == {
        warning.test for warning in full.warnings
    }
    is_of_syncs_alone = change in ("nothing", "a column that nobody knows")
    assert (built.models == len(OF_THE_CLOCK) + 1) == is_of_syncs_alone  # and what they read
    assert (built.models_standing == 0) == (not is_of_syncs_alone)
    if is_of_syncs_alone:
        assert {table for table in after if after[table] != before[table]} < OF_THE_CLOCK


@pytest.mark.parametrize("seed", [1, by_hand(2)])
def test_builds_after_any_changes_equal_a_full_one_row_by_row(
    marts: Marts, seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        marts.change(*any_changes(marts, chance), SYNCED.replace("'9'", f"'{chance.random()}'"))
        changed = marts.copy(tmp_path)
        marts.build()
    changed.build(is_full=True)

    assert marts.contents() == changed.contents()
    assert logs(marts) == logs(changed)


def any_changes(marts: Marts, chance: random.Random) -> list[str]:
    """Values of raw tables that become those of other rows, rows that go, and rows that come."""
    columns = marts.rows(
        "select table_name, column_name from duckdb_columns() where schema_name = 'wholesale_raw'"
        " and table_name not like '\\_dlt%' escape '\\'"
        " and table_name not in ('sync_runs', 'quarantine') order by all"
    )
    statements = []
    for table, column in chance.sample([pair for pair in columns if pair[1] not in KEYS], 12):
        some = f"hash(rowid, {chance.random()}) % {chance.choice([3, 30, 300])} = 0"
        other = f"select {column} from wholesale_raw.{table} where {some} limit 1"
        statements.append(f"update wholesale_raw.{table} set {column} = ({other}) where {some}")
    for table in chance.sample(PARTED, 2):
        row = f"(select min(rowid) + {chance.randrange(20)} from wholesale_raw.{table})"
        if "__" not in table and chance.random() < 0.5:
            statements.append(
                f"insert into wholesale_raw.{table} by name select * replace"
                f" (id || '{chance.random()}' as id) from wholesale_raw.{table} where rowid = {row}"
            )
        elif table != "orders":  # whose lines would belong to none
            statements.append(f"delete from wholesale_raw.{table} where rowid = {row}")
    return statements


def test_nothing_is_built_where_nothing_has_changed_not_even_by_a_sync(marts: Marts) -> None:
    moment = "select max(built_at) from wholesale_bi.rpt_freshness"
    before = marts.rows(moment)

    again = marts.build()

    assert (again.models, again.tests) == (0, 0)
    assert again.models_standing > 80
    assert marts.rows(moment) == before
    marts.change(SYNCED)
    steps: list[BuildStep] = []
    built = build_models(marts.warehouse, steps.append)
    assert built.models == len(OF_THE_CLOCK) + 1
    assert [step.number for step in steps] == [*range(1, steps[0].of + 1)]
    assert marts.rows(moment) > before


def test_what_a_test_finds_wrong_leaves_all_as_it_was(marts: Marts) -> None:
    before, logged = marts.contents(), logs(marts)
    marts.change(
        "update wholesale_raw.orders set status = 'shipped'",
        "insert into wholesale_raw.orders select * from wholesale_raw.orders limit 1",
    )

    with pytest.raises(BuildFailed, match="primary_key"):
        marts.build()
    assert marts.contents() == before
    assert logs(marts) == logged


def test_other_settings_or_a_dropped_table_build_all(
    marts: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__LAPSE_DAYS", "30")
    assert marts.build().models_standing == 0
    assert marts.build().models == 0

    marts.change("drop table wholesale_bi.rpt_geography")
    assert marts.build().models_standing == 0
    assert marts.rows("select count(*) > 0 from wholesale_bi.rpt_geography") == [(True,)]


def test_a_warning_stands_until_its_cause_is_gone(marts: Marts) -> None:
    marts.change(
        "update wholesale_raw.orders set status = 'teleported' where id in"
        " (select min(id) from wholesale_raw.orders)"
    )
    first = marts.build().warnings
    assert [warning.test for warning in first] == ["known_order_states"]
    assert marts.build().warnings == first
    marts.change(SYNCED)

    assert marts.build().warnings == first


@pytest.mark.parametrize(
    ("step", "settings"),
    [("dim_buyers", {"BUILD__LAPSE_DAYS": "30"}), ("rpt_reconciliation", {})],
)
def test_after_a_killed_build_the_next_one_leaves_out_nothing(
    marts: Marts, step: str, settings: dict[str, str], tmp_path: Path
) -> None:
    before = marts.contents()
    marts.change("update wholesale_raw.buyers set company_name = 'Another'")
    killed = run_command([str(marts.database), step], tmp_path, os.environ | settings, KILLED)
    assert killed.returncode == -signal.SIGKILL
    assert marts.contents() == before

    assert marts.build().models_standing == 0
    assert marts.rows("select distinct company_name from wholesale_marts.dim_buyers") == [
        ("Another",)
    ]
    assert marts.build().models == 0
