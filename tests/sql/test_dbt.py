"""dbt builds the project by itself, for people who develop models, or put their own on top."""

from pathlib import Path

import pytest

from support.warehouses.dbt import Dbt
from support.warehouses.marts import Marts
from wholesale_elt.models.project import project_folder
from wholesale_elt.models.settings import ModelSettings

pytestmark = pytest.mark.slow

OF_THE_BUILDER = {"wholesale_marts.dim_settings"}
"""It has the key of the build, which dbt does not know."""


def test_dbt_makes_the_same_rows_and_the_next_build_makes_them_all_anew(
    marts: Marts, dbt: Dbt
) -> None:
    expected = marts.contents()
    marts.change("drop schema wholesale_marts cascade", "drop schema wholesale_bi cascade")

    done = dbt.run(marts.database, "build", "--exclude-resource-type", "unit_test")

    assert done.success
    found = marts.contents()
    assert {table for table in expected if found[table] != expected[table]} <= OF_THE_BUILDER
    assert marts.build().models_standing == 0


def test_a_model_of_ones_own_refers_to_what_was_built(
    marts: Marts, dbt: Dbt, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    (own / "models").mkdir(parents=True)
    (own / "dbt_project.yml").write_text(
        "name: own\nprofile: wholesale\nmodel-paths: [models]\nmodels: {own: {+schema: own}}\n",
        "utf-8",
    )
    (own / "packages.yml").write_text(f"packages: [{{local: '{dbt.project}'}}]\n", "utf-8")
    (own / "models/top.sql").write_text(
        "select sum(sales_amount) as sales from {{ ref('wholesale', 'rpt_geography') }}", "utf-8"
    )
    dbt.run(marts.database, "deps", project=own)

    done = dbt.run(marts.database, "run", "--select", "top", project=own)

    assert done.success
    assert marts.rows("select sales from wholesale_own.top") == marts.rows(
        "select sales_amount from wholesale_bi.rpt_headlines"
    )


def test_dbt_has_the_same_defaults_of_settings() -> None:
    yaml = pytest.importorskip("yaml")
    given = yaml.safe_load((project_folder() / "dbt_project.yml").read_text("utf-8"))["vars"]
    settings = ModelSettings.model_validate(
        {name: value for name, value in given.items() if name != "is_packaged"}
    )

    assert settings == ModelSettings()
