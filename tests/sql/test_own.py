"""What users may add, and what is refused of it in one line, before any database is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from support.warehouses.added import FILES, add
from support.warehouses.rendered import DUCKDB
from wholesale.errors import ConfigurationError, Unanswerable
from wholesale_elt.figures import FACTS, Question, plan, read_metrics, read_own_metrics
from wholesale_elt.models.contract import read_contract
from wholesale_elt.models.descriptions import METRICS, read_yaml
from wholesale_elt.models.lineage import personal_inputs
from wholesale_elt.models.own.metrics import own_metrics, require_countable
from wholesale_elt.models.own.reading import read_added, without_own
from wholesale_elt.models.project import Model
from wholesale_elt.models.rendering.failures import NotRendered
from wholesale_elt.models.rendering.nodes import Renderer
from wholesale_elt.models.rendering.order import in_order
from wholesale_elt.models.rendering.own import PLAIN_VIEWS
from wholesale_elt.models.rendering.sources import Own, read_sources
from wholesale_elt.publish.comparison import read_comparisons
from wholesale_elt.publish.description.compared import COMPARED
from wholesale_elt.publish.description.described import PLAIN
from wholesale_elt.publish.description.meta import TABLES

OK = {"./models/ok.sql": "select buyer_id, sub_total from {{ ref('fct_orders') }}"}
HERE, YAML, FILE = "./models/new.sql", "./models/new.yml", "./metrics.yml"


def rendered(files: Mapping[str, str], **parameters: str) -> Mapping[str, str]:
    """The SQL of the models and tests of users by name."""
    sources = replace(read_sources(DUCKDB), own=Own({**OK, **files}, parameters))
    return {
        node.name: node.sql
        for node in in_order(Renderer(sources, DUCKDB).nodes())
        if "./" in node.path
    }


@pytest.mark.parametrize(
    ("path", "text", "line", "named"),
    [
        (HERE, "select 1\nfrom {{ ref('fct_order') }}", 2, "fct_orders"),
        (HERE, "select 1\nfrom fct_orders", 2, "{{ ref('fct_orders') }}"),
        (HERE, "\n{{ source('wholesale_raw', 'orders') }}", 2, "stg_wholesale__orders"),
        (HERE, "select {{ parameter('large') }}", 1, "large_from"),
        (HERE, "select {{ var('time_zone') }}", 1, "large_from"),
        (HERE, "{{ config(materialized='view') }}\nselect 1", 1, "always a table"),
        (HERE, "select 1\n from {{ ref('int_orders') }}", 2, "int_orders"),
        (HERE, "select * from {{ ref('new') }}", None, "new reads new"),
        (HERE, "select {% if %}", 1, ""),
        ("./models/rpt_orders.sql", "select 1", None, "models/bi/rpt_orders.sql"),
        ("./models/sub/ok.sql", "select 1", None, "./models/ok.sql"),
        ("./models/orders.sql", "select 1", None, "published already"),
        ("./models/My Table.sql", "select 1", None, "small letters"),
        (YAML, "models: [{name: other}]", 1, "ok"),
        (YAML, "models:\n- name: fct_orders", 2, "fct_orders"),
        (YAML, "models:\n  - nam: ok", 2, "name is missing"),
        (YAML, "models:\n  - name: ok\n    descripton: x", 3, "descripton"),
        (YAML, "modelz: []", 1, "modelz"),
        (YAML, "models: 3", 1, "list"),
        (YAML, "- 1", 1, "names and values"),
        (YAML, "models:\n  - name: ok\n   x: 1", 3, ""),
        (YAML, "models:\n- name: ok\n  columns:\n  - name: a\n    data_type: int", 5, "bigint"),
        (YAML, "models:\n- name: ok\n  columns:\n  - {name: a, data_tests: [uniqe]}", 4, "unique"),
        (YAML, "models:\n- name: ok\n  data_tests:\n  - primary_key: {columns: [a]}", 4, "columns"),
        (
            YAML,
            "models:\n- name: ok\n  data_tests:\n  - primary_key: {arguments: {column: [a]}}",
            4,
            "'column'",
        ),
    ],
)
def test_a_mistake_is_one_line_with_its_file_and_line(
    path: str, text: str, line: int | None, named: str
) -> None:
    with pytest.raises(NotRendered) as failure:
        rendered({path: text}, large_from="5000")

    said = str(failure.value)
    assert said.startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert named in said
    assert "\n" not in said
    assert failure.value.is_own


def test_a_model_keeps_its_lines_and_needs_no_semicolon_and_values_are_sql(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values = {"text": "it's", "number": "1e3", "below": "-0.5", "listed": '["a", "b"]'}
    for name, value in values.items():
        monkeypatch.setenv(f"BUILD__PARAMETERS__{name.upper()}", value)
    parameters = read_added().own.parameters
    shown = (
        "{{ parameter('text') }}, {{ var('number') }}, 1 -{{ var('below') }}, {{ var('listed') }}"
    )

    sql = rendered({HERE: f"-- first\n\n\n\nselect {shown};\n"}, **parameters)["new"]

    assert sql == "-- first\n\n\n\nselect 'it''s', 1000, 1 -(-0.5), ('a', 'b')"


def test_the_names_of_what_is_published_besides_models_are_taken() -> None:
    added = [table for each in read_comparisons() for table in each.tables]
    tables = (*(table.name for table in (*COMPARED, *added, *TABLES)), *PLAIN)
    assert set(tables) == PLAIN_VIEWS


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("BUILD__MODELS", "modelz", "build.models"),
        ("BUILD__METRICS", "metrics.yaml", "build.metrics"),
        ("BUILD__PARAMETERS__NONE", "[]", "build.parameters.none"),
        ("BUILD__PARAMETERS__1ST", "x", "small letters"),
    ],
)
def test_a_setting_that_names_nothing_is_refused(
    name: str, value: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError, match=said):
        read_added()


def test_a_file_in_another_encoding_and_metrics_that_are_no_yaml_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    (tmp_path / "models/new.sql").write_bytes(b"select\n '\xff'")
    with pytest.raises(NotRendered, match=r"\./models/new\.sql:2: .*UTF-8"):
        read_added()

    (tmp_path / "models/new.sql").unlink()
    (tmp_path / "metrics.txt").write_text("")
    monkeypatch.setenv("BUILD__METRICS", "metrics.txt")
    with pytest.raises(NotRendered, match=r"\./metrics\.txt: "):
        read_added()


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("new.SQL", None, "new.sql"),
        ("new.Yml", None, "new.yml"),
        ("new.sql", "nowhere.sql", "link"),
        ("more", ".", "link"),
    ],
)
def test_a_file_that_would_be_passed_over_is_refused(
    name: str, target: str | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    path = tmp_path / "models" / name
    path.symlink_to(tmp_path / target) if target else path.write_text("select 1 as a")

    with pytest.raises(NotRendered, match=said) as failure:
        read_added()

    assert str(failure.value).startswith(f"./models/{name}: ")


def test_a_link_to_a_file_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, monkeypatch)
    (tmp_path / "elsewhere").write_text("select 1 as a")
    (tmp_path / "models/new.sql").symlink_to(tmp_path / "elsewhere")

    assert read_added().own.files["./models/new.sql"] == "select 1 as a"


TYPES = [("buyer_id", "text"), ("is_sale", "boolean"), ("sub_total", "decimal(38, 9)")]
ONE = """semantic_models:
  - name: mine
    model: ref('{table}')
    measures:
      - {{name: {measure}, agg: {agg}, expr: {expr}}}
metrics:
  - name: {metric}
    type: simple
    type_params: {{measure: {measure}}}
"""
GOOD = {
    **{"table": "fct_orders", "measure": "my_amount", "agg": "sum", "expr": "sub_total"},
    **{"metric": "my_sales"},
}
RATIO = "  - {name: r, type: ratio, type_params: {numerator: my_sales, denominator: %s}}\n"


@pytest.mark.parametrize(
    ("changed", "more", "line", "named"),
    [
        ({"table": "fct_order"}, "", 2, "fct_orders"),
        ({"expr": "nope"}, "", 5, "nope"),
        ({"expr": "sub_total +"}, "", 5, "no expression"),
        ({"expr": "(select 1)"}, "", 5, "query"),
        ({"measure": "my_count"}, "", 5, "my_count_amount"),
        ({"expr": "cast(sub_total as double)"}, "", 5, "DOUBLE"),
        ({"agg": "avg"}, "", 5, "count_distinct"),
        ({"metric": "sales"}, "", 7, "another name"),
        ({"metric": "count"}, "", 7, "function"),
        ({"metric": "My"}, "", 7, "small letters"),
        ({"measure": "sales_amount"}, "", 2, "sales_amount"),
        ({}, RATIO % "order", 10, "orders"),
        ({}, RATIO % "units_per_order", 10, "ratio"),
        ({}, RATIO % "product_lines", 10, "one table"),
    ],
)
def test_a_mistake_in_a_metric_is_one_line_with_its_file_and_line(
    changed: Mapping[str, str], more: str, line: int, named: str
) -> None:
    own = Own({FILE: ONE.format(**{**GOOD, **changed}) + more})

    with pytest.raises(NotRendered) as failure:
        require_countable(own, own_metrics(own, read_yaml(METRICS)), {"fct_orders": TYPES})

    said = str(failure.value)
    assert said.startswith(f"{FILE}:{line}: ")
    assert named in said
    assert "\n" not in said


def test_the_metrics_of_the_example_can_be_counted() -> None:
    own = Own({f"./{path}": text for path, text in FILES.items()})
    counted = own_metrics(own, read_yaml(METRICS))
    sizes = [("size", "text"), ("sales_amount", "numeric(38,9)")]

    require_countable(own, counted, {"fct_orders": TYPES, "buyer_size": sizes})
    assert [metric["name"] for metric in counted.metrics] == [
        *("large_orders", "large_share", "sized_sales"),
    ]


OF_SIZES = """semantic_models:
  - name: mine
    model: ref('ok')
    defaults: {%s}
    dimensions: [%s]
    measures: [{name: my_amount, agg: sum, expr: sub_total}]
metrics:
  - {name: my_sales, type: simple, type_params: {measure: my_amount}}
"""
BY_DAY = "agg_time_dimension: day"
DAYS = {"text": "{name: day, type: time, expr: buyer_id}", "date": "{name: day, type: time}"}


@pytest.mark.parametrize(
    ("defaults", "dimensions", "line", "named"),
    [
        (BY_DAY, "", 2, "none"),
        (BY_DAY, "{name: day, type: categorical}", 2, "none"),
        ("agg_time_dimension: dy", DAYS["date"], 2, "there is day"),
        ("", DAYS["date"], 4, "agg_time_dimension"),
        (BY_DAY, f"{DAYS['date']}, {{name: other, type: time, expr: day}}", 2, "other"),
        (BY_DAY, DAYS["text"], 2, "text"),
        (BY_DAY, f"{DAYS['date']}, {{name: siz, type: categorical}}", 2, "siz"),
        (BY_DAY, f"{DAYS['date']}, {{name: my_sales, type: categorical, expr: day}}", 8, "so"),
    ],
)
def test_a_mistake_in_a_dimension_is_one_line_with_its_file_and_line(
    defaults: str, dimensions: str, line: int, named: str
) -> None:
    own = Own({**OK, FILE: OF_SIZES % (defaults, dimensions)})
    columns = {"ok": [*TYPES, ("day", "DATE"), ("size", "VARCHAR")]}

    with pytest.raises(NotRendered) as failure:
        require_countable(own, own_metrics(own, read_yaml(METRICS)), columns)

    said = str(failure.value)
    assert said.startswith(f"{FILE}:{line}: ")
    assert named in said
    assert "\n" not in said


@pytest.mark.parametrize(
    "given", ["dimensions: [{name: a, type: time}]", f"defaults: {{{BY_DAY}}}"]
)
def test_dimensions_of_our_tables_are_ours(given: str) -> None:
    own = Own({FILE: ONE.format(**GOOD).replace("    measures", f"    {given}\n    measures")})

    with pytest.raises(NotRendered, match="are ours"):
        own_metrics(own, read_yaml(METRICS))


def test_all_tables_that_our_metrics_count_can_be_counted() -> None:
    for table in FACTS:
        own = Own({FILE: ONE.format(**{**GOOD, "table": table})})
        assert [name for name, _ in own_metrics(own, read_yaml(METRICS)).tables] == [table]


@pytest.mark.parametrize(("by", "grain"), [(["vendor"], None), ((), "month")])
def test_a_metric_called_as_what_it_is_asked_by_is_refused(
    by: Sequence[str], grain: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = grain or by[0]
    add(tmp_path, monkeypatch, {"metrics.yml": ONE.format(**{**GOOD, "metric": metric})})
    monkeypatch.delenv("BUILD__MODELS")

    assert plan(Question(metrics=[metric])).metrics[0].name == metric
    with pytest.raises(Unanswerable, match=metric):
        plan(Question(metrics=[metric], by=by, grain=grain))


def test_what_a_build_left_out_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    own = {each.name for each in read_own_metrics()}

    with without_own("a test of theirs is broken"):
        assert read_own_metrics() == []
        assert own.isdisjoint(read_metrics())
    assert own == {each.name for each in read_own_metrics()} != set()


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("select email from dim_buyers", {"email": "dim_buyers.email"}),
        ("select upper(b.email) as mail from dim_buyers as b", {"mail": "dim_buyers.email"}),
        ("select max(e) as m from (select email as e from dim_buyers)", {"m": "dim_buyers.email"}),
        ("select 1 as a union all select email from dim_buyers", {"a": "dim_buyers.email"}),
        ("select b as all_of_it from dim_buyers as b", {"all_of_it": "dim_buyers.address1"}),
        ("select 'x' as email", {"email": "email"}),
        ("select count(distinct email) as n, email is null as is_silent from dim_buyers", {}),
        ("select buyer_id, company_name from dim_buyers where email <> ''", {}),
    ],
)  # fmt: skip
def test_what_can_identify_a_person_is_found_under_any_name(
    sql: str, found: Mapping[str, str]
) -> None:
    columns = {name: of.type for name, of in read_contract("marts")["dim_buyers"].columns.items()}
    model = Model("new", "own", "table", sql, {}, False, HERE)

    said = personal_inputs([model], {"dim_buyers": columns}, "duckdb")

    assert said == {("new", name): source for name, source in found.items()}


def test_a_model_of_a_model_hands_on_what_can_identify_a_person() -> None:
    columns = {"email": "text", "buyer_id": "text"}
    first = Model("first", "own", "table", "select email as e from dim_buyers", {}, False, HERE)
    second = Model("second", "own", "table", "select e as f, 1 as g from first", {}, False, HERE)

    found = personal_inputs([first, second], {"dim_buyers": columns}, "duckdb")

    assert found == {("first", "e"): "dim_buyers.email", ("second", "f"): "first.e"}
