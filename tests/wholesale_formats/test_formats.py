"""Formats: whatever tool counts a metric as it is given out, counts what figures count."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from support.warehouses.dbt import Dbt
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.figures import Question, ask, read_metrics
from wholesale_elt.publish import publish_marts
from wholesale_formats.stars import Published, read_published

SCHEMA = json.loads((Path(__file__).parent / "ossie-0.2.0.dev0.schema.json").read_text("utf-8"))
STARS = ("buyers", "order_lines", "orders")


@pytest.fixture(scope="module")
def place(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something published, and what is exported of it."""
    folder = tmp_path_factory.mktemp("formats")
    shutil.copytree(published, folder / "published", symlinks=True)
    export(folder)
    return folder


def export(folder: Path, *words: str) -> None:
    told = ("--published", str(folder / "published"), "--to", str(folder / "exported"))
    done = CliRunner().invoke(cli, ["export", *words, *told])
    assert done.exit_code == 0, done.output


@pytest.fixture
def connection(place: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{place}/published/wholesale.duckdb' as wholesale (read_only)")
        yield connection


def read(place: Path, path: str) -> Any:
    return yaml.safe_load((place / "exported" / path).read_text("utf-8"))


def sql_of_rill(place: Path, star: str) -> tuple[str, Mapping[str, str]]:
    measures = read(place, f"rill/metrics/{star}_metrics.yaml")["measures"]
    model = read(place, f"rill/models/{star}.yaml")
    return model["sql"], {each["name"]: each["expression"] for each in measures}


def sql_of_cube(place: Path, star: str) -> tuple[str, Mapping[str, str]]:
    """As Cube makes it: measures are aggregated by their type, and named in others in braces."""
    [cube] = read(place, f"cube/model/cubes/{star}.yml")["cubes"]
    by_type = {"sum": "sum({})", "count_distinct": "count(distinct {})", "number": "{}"}
    made: dict[str, str] = {}
    for measure in cube["measures"]:
        sql = measure["sql"].format(**made) if measure["type"] == "number" else measure["sql"]
        made[measure["name"]] = by_type[measure["type"]].format(sql)
    return cube["sql"], {name.replace("orders_count", "orders"): sql for name, sql in made.items()}


def sql_of_dbt(place: Path, star: str) -> tuple[str, Mapping[str, str]]:
    """As MetricFlow makes it: a simple metric is an aggregate, a ratio divides two of them."""
    models = {model["name"]: model for model in read(place, "dbt/models/metrics.yml")["models"]}
    by_agg = {"sum": "sum({})", "count_distinct": "count(distinct {})"}
    made: dict[str, str] = {}
    for metric in models[star]["metrics"]:
        made[metric["name"]] = (
            f"{made[metric['numerator']]} / nullif({made[metric['denominator']]}, 0)"
            if metric["type"] == "ratio"
            else by_agg[metric["agg"]].format(metric["expr"])
        )
    return (place / f"exported/dbt/models/{star}.sql").read_text("utf-8"), made


@pytest.mark.parametrize("star", STARS)
@pytest.mark.parametrize("sql_of", [sql_of_rill, sql_of_cube, sql_of_dbt])
def test_each_metric_is_what_figures_have(
    place: Path,
    connection: duckdb.DuckDBPyConnection,
    star: str,
    sql_of: Callable[[Path, str], tuple[str, Mapping[str, str]]],
) -> None:
    rows, measures = sql_of(place, star)
    listed = ", ".join(f"{sql} as {name}" for name, sql in measures.items())
    found = connection.execute(f"select {listed} from ({rows}) as {star}").fetchone()

    assert found is not None
    values = dict(zip(measures, found, strict=True))
    expected = figures(place, list(measures))
    if sql_of is sql_of_dbt:  # whose sum of nothing is NULL
        summed = {name for name in expected if read_metrics()[name].counts}
        expected = {n: None if n in summed and not each else each for n, each in expected.items()}
    assert rounded(values) == rounded(expected)
    model = {"buyers": "rpt_reorders"}.get(star, f"fct_{star}")
    assert set(measures) == {each.name for each in read_metrics().values() if each.model == model}


def figures(place: Path, metrics: Sequence[str]) -> Mapping[str, Any]:
    with duckdb.connect(place / "published/wholesale.duckdb", read_only=True) as connection:
        return ask(connection, Question(metrics=metrics)).total


def rounded(values: Mapping[str, Any]) -> Mapping[str, Decimal | None]:
    """Quotients of databases are floats, and those of figures are rounded to six decimals."""
    return {
        name: None if value is None else round(Decimal(str(value)), 5)
        for name, value in values.items()
    }


def test_what_is_written_for_ossie_is_valid_and_counts_the_same(
    place: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    document = read(place, "ossie/wholesale.ossie.json")
    jsonschema.Draft202012Validator(SCHEMA).validate(document)

    [model] = document["semantic_model"]
    datasets = {each["name"]: each for each in model["datasets"]}
    for dataset in datasets.values():
        fields = ", ".join(
            each["expression"]["dialects"][0]["expression"] for each in dataset["fields"]
        )
        connection.execute(f"select {fields} from {dataset['source']} limit 0")
    for found in model["relationships"]:
        child, parent = (datasets[found[side]]["source"] for side in ("from", "to"))
        on = f"child.{found['from_columns'][0]} = parent.{found['to_columns'][0]}"
        counts = connection.execute(
            f"select (select count(*) from {child}),"
            f" (select count(*) from {child} as child left join {parent} as parent on {on})"
        ).fetchone()
        assert counts is not None
        assert counts[0] == counts[1], found["name"]
    known = read_metrics()
    values = {
        metric["name"]: connection.execute(
            f"select {metric['expression']['dialects'][0]['expression']}"
            f" from {datasets[known[metric['name']].model]['source']}"
        ).fetchall()[0][0]
        for metric in model["metrics"]
    }
    assert values.keys() == known.keys()
    for star in ("fct_orders", "fct_order_lines", "rpt_reorders"):
        names = [name for name in values if known[name].model == star]
        assert rounded({name: values[name] for name in names}) == rounded(figures(place, names))


def test_the_months_of_evidence_and_metabase_add_up(
    place: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    for star, metrics in (("orders", ["orders", "sales"]), ("order_lines", ["product_units"])):
        card = read(place, f"metabase/collections/main/wholesale/{star}_by_month.yaml")
        [stage] = card["dataset_query"]["stages"]
        source = place / f"exported/evidence/sources/wholesale/{star}_by_month.sql"
        for sql in (stage["native"], source.read_text("utf-8")):
            sums = ", ".join(f"sum({name}) as {name}" for name in metrics)
            found = connection.execute(f"select {sums} from ({sql})").fetchone()
            assert found is not None
            values = dict(zip(metrics, found, strict=True))
            assert rounded(values) == rounded(figures(place, metrics))


def test_what_metabase_imports_has_ids_that_stay(place: Path) -> None:
    paths = sorted((place / "exported/metabase").rglob("*.yaml"))
    found = [yaml.safe_load(path.read_text("utf-8")) for path in paths]

    ids = {each["entity_id"] for each in found}
    assert len(ids) == len(found) == 12
    assert {len(each) for each in ids} == {21}
    assert {each["serdes/meta"][0]["id"] for each in found} == ids


def test_what_is_exported_again_is_the_same_and_one_format_can_be_named(place: Path) -> None:
    def files() -> Mapping[str, bytes]:
        folder = place / "exported"
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }

    before = files()
    export(place, "cube")

    assert files() == before
    assert {path.partition("/")[0] for path in before} == {
        *("cube", "dbt", "evidence", "metabase", "ossie", "rill")
    }
    assert CliRunner().invoke(cli, ["export", "looker"]).exit_code == 2


def test_without_marts_there_are_the_metrics_of_reports_alone(built: Marts, tmp_path: Path) -> None:
    publish_marts(built.warehouse, str(tmp_path / "published"), is_only_bi=True)

    found = read_published(tmp_path / "published/wholesale.duckdb", "USD")

    assert [star.name for star in found.stars] == [
        "buyers",
        "lost_buyers",
        "fulfilment",
        "receivables",
    ]
    assert isinstance(found, Published)


@pytest.mark.slow
def test_dbt_reads_its_project(place: Path, tmp_path: Path) -> None:
    """Metrics too from 1.12 on, which is not among what tests install; 1.11 passes over them."""
    project = place / "exported/dbt"
    done = Dbt(tmp_path).run(tmp_path / "none", "parse", project=project, profiles=project)

    assert done.success
    models = {node.name for node in done.result.nodes.values()}
    assert models == {"_days", *STARS, "lost_buyers", "fulfilment", "receivables"}
