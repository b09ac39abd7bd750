"""The SQL that comes with the package is that of the project, and fits whatever was synced."""

import errno
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from dlt.destinations.exceptions import DatabaseTransientException

from support.warehouses.marts import Marts
from wholesale_elt.models import compilation
from wholesale_elt.models.compilation import compiled, compiled_for
from wholesale_elt.models.execution import NOW
from wholesale_elt.models.mark import Mark
from wholesale_elt.models.project import project_folder, sql_version


@pytest.fixture
def raw(loaded: Marts, tmp_path: Path) -> Marts:
    """Raw tables alone, of which a build has made nothing yet."""
    return loaded.copy(tmp_path)


def test_a_first_build_takes_the_sql_of_the_package_and_needs_no_dbt(
    raw: Marts, dbt_runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dbt", None)
    monkeypatch.setitem(sys.modules, "dbt.cli.main", None)

    assert compilation._precompiled(compiled_for(raw.warehouse)), "run `poe generate`"
    assert raw.build().models_standing == 0
    assert dbt_runs == []


def test_what_dbt_leaves_in_the_folder_of_the_project_is_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_the_project = sql_version()
    folder = Path(shutil.copytree(project_folder(), tmp_path / "sql"))
    monkeypatch.setattr("wholesale_elt.models.project.project_folder", lambda: folder)
    compiled = folder / "target/compiled/wholesale/models/bi/rpt_headlines.yml"
    compiled.mkdir(parents=True)
    (compiled / "primary_key.sql").write_text("select 1", "utf-8")

    assert sql_version() == of_the_project
    (folder / "models/bi/rpt_mine.sql").write_text("select 1", "utf-8")
    assert sql_version() != of_the_project


def test_fields_that_nobody_has_and_fields_that_nobody_knows_need_no_dbt(
    raw: Marts, built: Marts, dbt_runs: list[str]
) -> None:
    fields = ["po_number", "total", "updated_at"]
    raw.change(
        *(f"alter table wholesale_raw.orders drop column {field}" for field in fields),
        "alter table wholesale_raw.buyers add column shoe_size double default 42.5",
    )
    expected = built.rows(
        "select * replace (null as po_number, null as total, null as updated_at)"
        " from wholesale_staging.stg_wholesale__orders order by all"
    )

    raw.build()
    assert raw.rows("from wholesale_staging.stg_wholesale__orders order by all") == expected
    assert dbt_runs == []


def test_what_finds_the_disk_full_is_not_tried_by_dbt(
    raw: Marts, dbt_runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object) -> None:
        try:
            raise duckdb.IOException(f"Could not write to file: {os.strerror(errno.ENOSPC)}")
        except duckdb.Error as error:
            raise DatabaseTransientException(error) from error

    monkeypatch.setattr("wholesale_elt.models.build.make_all", fill)

    with pytest.raises(DatabaseTransientException):
        raw.build()
    assert dbt_runs == []


@pytest.mark.slow
def test_the_sql_of_the_package_is_what_dbt_compiles(
    raw: Marts, dbt_runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = compiled(raw.warehouse, "any")
    monkeypatch.setattr(compilation, "_kept", {})
    monkeypatch.setattr(compilation, "_precompiled", lambda made_for: None)
    by_dbt = compiled(raw.warehouse, "any")

    assert dbt_runs == ["compile"]
    assert timeless(shipped.mark) == timeless(by_dbt.mark)
    assert shipped.inputs == by_dbt.inputs


def timeless(mark: Mark) -> Mark:
    """The mark with SQL that was compiled at no time."""
    return replace(
        mark,
        models={
            name: replace(model, sql=NOW.sub("now", model.sql))
            for name, model in mark.models.items()
        },
        checks={
            name: replace(check, sql=NOW.sub("now", check.sql))
            for name, check in mark.checks.items()
        },
    )


@pytest.mark.slow
def test_for_other_settings_and_without_a_raw_table_dbt_compiles_once(
    raw: Marts, tmp_path: Path, dbt_runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__LAPSE_DAYS", "30")
    raw.build()
    raw.build(is_full=True)
    assert dbt_runs == ["compile"]

    raw.change("drop table wholesale_raw.price_lists")
    raw.build()
    assert dbt_runs == ["compile", "compile"]
    assert raw.rows("select count(*) from wholesale_marts.dim_price_lists") == [(0,)]
