"""Tables and metrics that users added are given out as ours are."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from click.testing import CliRunner

from support.warehouses.added import FILES, add
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.figures import Question, ask
from wholesale_elt.publish import publish_marts

pytestmark = pytest.mark.slow
NAMED_ALIKE = (
    FILES["metrics.yml"]
    + """  - name: buyer_size
    type: simple
    type_params: {measure: sized_amount}
"""
)
NAMES = ("sized_sales", "buyer_size")


@pytest.fixture
def place(marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    add(tmp_path, monkeypatch, {**FILES, "metrics.yml": NAMED_ALIKE})
    assert marts.build().left_out == ""
    publish_marts(marts.warehouse, "published")
    publish_marts(marts.warehouse, "reports", is_only_bi=True)
    return tmp_path


def export(*words: str) -> None:
    done = CliRunner().invoke(cli, ["export", *words])
    assert done.exit_code == 0, done.output


def read(path: str) -> Any:
    return yaml.safe_load(Path(path).read_text("utf-8"))


def test_each_format_counts_them_as_figures_do(place: Path) -> None:
    export()

    rill = read("exported/rill/metrics/buyer_size_metrics.yaml")
    [cube] = read("exported/cube/model/cubes/buyer_size.yml")["cubes"]
    [model] = [
        each
        for each in read("exported/dbt/models/metrics.yml")["models"]
        if each["name"] == "buyer_size"
    ]
    ossie = read("exported/ossie/wholesale.ossie.json")["semantic_model"][0]
    assert [each["name"] for each in cube["measures"]] == ["sized_sales", "buyer_size_amount"]
    assert [each["name"] for each in cube["dimensions"]] == ["size", "buyer_id"]
    assert (model["agg_time_dimension"], {each["name"] for each in model["metrics"]}) == (
        "as_of_date",
        {*NAMES},
    )
    told: Mapping[str, Mapping[str, str]] = {
        read("exported/rill/models/buyer_size.yaml")["sql"]: {
            each["name"]: each["expression"] for each in rill["measures"]
        },
        cube["sql"]: dict(zip(NAMES, (each["sql"] for each in cube["measures"]), strict=True)),
        Path("exported/dbt/models/buyer_size.sql").read_text(): {
            each["name"]: f"sum({each['expr']})" for each in model["metrics"]
        },
        "select * from wholesale.wholesale_own.buyer_size as buyer_size": {
            each["name"]: each["expression"]["dialects"][0]["expression"]
            for each in ossie["metrics"]
            if each["name"] in NAMES
        },
    }
    with duckdb.connect() as connection:
        connection.execute("attach 'published/wholesale.duckdb' as wholesale (read_only)")
        found = [
            connection.execute(
                f"select {', '.join(map(measures.__getitem__, NAMES))} from ({sql}) as buyer_size"
            ).fetchall()
            for sql, measures in told.items()
        ]
    with duckdb.connect("published/wholesale.duckdb", read_only=True) as connection:
        total = ask(connection, Question(metrics=NAMES)).total
    assert found == [[tuple(Decimal(total[name]) for name in NAMES)]] * len(told)
    assert "buyer_size" in {each["name"] for each in ossie["datasets"]}
    assert Path("exported/metabase/collections/main/wholesale/buyer_size.yaml").exists()


def test_reports_alone_have_them_where_all_columns_are_published(place: Path) -> None:
    export("cube", "dbt", "--published", "reports")

    assert Path("exported/cube/model/cubes/buyer_size.yml").exists()
    assert not Path("exported/cube/model/cubes/orders.yml").exists()
    assert not Path("exported/dbt/models/buyer_size.sql").exists()  # the day is one of marts
