"""A build of what changed comes to the same rows as one of everything, and knows what changed."""

import os
import random
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from sql.test_build import KILLED
from support.few import few
from support.services.command import run_command
from support.warehouses.marts import Marts
from wholesale_elt.models import project as dbt_project
from wholesale_elt.models.build import BuildFailed, build_models
from wholesale_elt.models.execution import BuildStep

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
    "a column more": ("alter table wholesale_raw.brands add column found varchar",),
}
KEYS = {"id", "order_id", "item_id", "variant_id", "line_number", "comment_number", "option_number"}
PARTED = ("orders", "vendors", "buyers", "items", "variants", "prices", "orders__order_line_items")
"""Raw tables of which a row more or less makes no test fail."""


def sizes(marts: Marts) -> dict[str, int]:
    return {table: len(rows) for table, rows in marts.contents().items()}


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
    marts: Marts, change: str, tmp_path: Path, dbt_runs: list[str]
) -> None:
    before = marts.contents()
    marts.change(*CHANGES[change], SYNCED)
    changed = marts.copy(tmp_path)

    built = marts.build()
    after, logged = marts.contents(), logs(marts)
    assert dbt_runs == []
    shutil.copy(changed.database, marts.database)
    full = marts.build(is_full=True)

    assert marts.contents() == after
    assert logs(marts) == logged
    assert after != before
    assert built.models + built.models_standing == full.models + full.models_standing
    assert built.tests + built.tests_standing == full.tests
    assert {str(warning.test) for warning in built.warnings} == {
        str(warning.test) for warning in full.warnings
    }
    if change == "nothing":
        others = {table for table in after if after[table] != before[table]}
        assert others < OF_THE_CLOCK
        assert built.models == len(OF_THE_CLOCK) + 1  # and the staging view that they read


@pytest.mark.parametrize("seed", few([1, 2], 1))
def test_builds_without_dbt_after_any_changes_equal_a_full_one_row_by_row(
    marts: Marts, seed: int, tmp_path: Path, dbt_runs: list[str]
) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        marts.change(*any_changes(marts, chance), SYNCED.replace("'9'", f"'{chance.random()}'"))
        changed = marts.copy(tmp_path)
        marts.build()
    after, logged = marts.contents(), logs(marts)
    assert dbt_runs == []

    shutil.copy(changed.database, marts.database)
    marts.build(is_full=True)
    assert marts.contents() == after
    assert logs(marts) == logged


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


def test_dbt_is_not_started_where_nothing_or_other_rows_are_to_be_built(
    marts: Marts, dbt_runs: list[str]
) -> None:
    moment = "select max(built_at) from wholesale_bi.rpt_freshness"
    before = marts.rows(moment)

    assert marts.build().models_standing > 0
    assert marts.rows(moment) > before
    marts.change("update wholesale_raw.brands set title = 'Another'")
    steps: list[BuildStep] = []
    built = build_models(marts.warehouse, steps.append)
    assert built.models > len(OF_THE_CLOCK) + 1
    assert [step.number for step in steps] == [*range(1, steps[0].of + 1)]
    assert dbt_runs == []


def test_what_a_test_finds_wrong_is_told_by_dbt_and_all_stays_as_it_was(
    marts: Marts, dbt_runs: list[str]
) -> None:
    before, logged = marts.contents(), logs(marts)
    marts.change(
        "update wholesale_raw.orders set status = 'shipped'",
        "insert into wholesale_raw.orders select * from wholesale_raw.orders limit 1",
    )

    with pytest.raises(BuildFailed, match="primary_key"):
        marts.build()
    assert dbt_runs == ["build"]
    assert marts.contents() == before
    assert logs(marts).keys() == logged.keys()


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


def test_what_is_made_without_dbt_is_what_dbt_makes(
    marts: Marts, tmp_path: Path, dbt_runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    marts.change(*CHANGES["an order edited"], SYNCED)
    by_dbt = marts.copy(tmp_path)
    built = marts.build(is_full=True)
    monkeypatch.setattr("wholesale_elt.models.build.NEEDS_DBT", {"duckdb"})
    expected = by_dbt.build(is_full=True)

    assert dbt_runs == ["build"]
    assert replace(built, warnings=()) == replace(expected, warnings=())
    assert [(found.test, found.shown) for found in built.warnings] == [
        (found.test, found.shown) for found in expected.warnings
    ]
    assert tables(marts) == tables(by_dbt)
    assert marts.contents() == by_dbt.contents()
    assert logs(marts) == logs(by_dbt)


def tables(marts: Marts) -> list[tuple[object, ...]]:
    """Each table and view of the models with its columns in their order."""
    return marts.rows(
        "select table_schema, table_name, table_type, ordinal_position, column_name, data_type,"
        " is_nullable from information_schema.columns join information_schema.tables"
        " using (table_schema, table_name) where table_schema like 'wholesale\\_%' escape '\\'"
        " and table_name <> 'built_from' order by all"
    )


@pytest.mark.parametrize("step", few(["dim_buyers", "rpt_reconciliation"], 1))
@pytest.mark.parametrize("way", ["those due", "all", "by dbt"])
def test_after_a_killed_build_the_next_one_leaves_out_nothing(
    marts: Marts, step: str, way: str, tmp_path: Path
) -> None:
    before = marts.contents()
    marts.change("update wholesale_raw.buyers set company_name = 'Another'")
    settings = {} if way == "those due" else {"BUILD__LAPSE_DAYS": "30"}
    killed = run_command([str(marts.database), step, way], tmp_path, os.environ | settings, KILLED)
    assert killed.returncode == -signal.SIGKILL
    assert marts.contents() == before

    assert (marts.build().models_standing == 0) == (way == "by dbt")
    assert marts.rows("select distinct company_name from wholesale_marts.dim_buyers") == [
        ("Another",)
    ]
    assert marts.build().models_standing > 0
