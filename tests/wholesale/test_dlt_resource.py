"""What dlt offers on our source: each thing works as in dlt, or is refused before anything happens.

The lists here are dlt's own surface. A later dlt with something new fails the first test, until
somebody has decided which of the two it is, and has shown it.
"""

import inspect
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, get_args

import dlt
import duckdb
import psycopg2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dlt.common.destination import LOADER_FILE_FORMATS
from dlt.common.schema.typing import (
    MERGE_STRATEGIES,
    MERGE_STRATEGY_OPTIONS,
    TSchemaEvolutionMode,
    TTableFormat,
    TWriteDisposition,
)
from dlt.common.typing import TRefreshMode
from dlt.extract import DltResource, DltSource
from dlt.extract.source import DltResourceDict
from dlt.pipeline.exceptions import PipelineStepFailed

from support.few import few
from support.records.samples import guid, line, order
from support.services.postgres import serving
from wholesale import wholesale_source
from wholesale.errors import ConfigurationError
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

Ask = Callable[[Any], Any]
Tables = dict[str, list[tuple[Any, ...]]]

BEFORE: Tables = {
    "orders": [("A",), ("B",)],
    "orders__order_line_items": [("A", 1, "x"), ("A", 2, ""), ("B", 1, "y")],
    "vendors": [("V",), ("W",)],
}
"""What a run has loaded before anything is asked for."""
VENDORS: Tables = BEFORE | {"vendors": [("V",), ("X",)]}
"""After vendors were loaded once more; since then W is named X."""
ALL: Tables = VENDORS | {"orders__order_line_items": [("A", 1, "x"), ("A", 2, "")]}
"""After all was; since then B has lost its lines."""
SCORED: Tables = BEFORE | {"scores": [("V", 1.5), ("X", 1.5)]}
"""After a transformer of vendors was run: it has a table, and vendors stay as they were."""
SELECT = {
    "orders": "select order_number from {}.orders order by 1",
    "orders__order_line_items": "select order_number, line_number, sku"
    " from {0}.orders__order_line_items join {0}.orders on id = order_id order by 1, 2",
    "vendors": "select name from {}.vendors order by 1",
    "scores": "select name, score from {}.scores order by 1",
}


@dlt.transformer(name="scores")
def arrow_scores(vendors: pa.Table) -> Iterator[pa.Table]:
    yield pa.table({"name": vendors["name"], "score": pa.repeat(1.5, len(vendors))})


@dlt.transformer(name="scores")
def scores(vendors: pa.Table) -> list[dict[str, Any]]:
    return [{"name": name, "score": 1.5} for name in vendors["name"].to_pylist()]


def doing(does: Ask) -> Ask:
    """The same source or resource, after something was done to it."""
    return lambda asked: (does(asked), asked)[1]


def setting(name: str, value: Any) -> Ask:
    return doing(lambda asked: setattr(asked, name, value))


def with_transformer(source: DltSource) -> DltSource:
    chosen = source.with_resources("vendors")
    chosen.resources.add(chosen.vendors | scores())
    return chosen


def of_resource(ask: Ask) -> Ask:
    return lambda source: ask(source.vendors)


RESOURCE_READS: Mapping[str, Any] = {
    "args_bound": False,
    "columns": {},
    "custom_metrics": {},
    "has_dynamic_table_name": False,
    "has_other_dynamic_hints": False,
    "incremental": None,
    "inputs": [],
    "is_transformer": False,
    "limit": None,
    "max_table_nesting": None,
    "name": "vendors",
    "nested_hints": None,
    "parent_table_name": None,
    "requires_args": False,
    "schema_contract": None,
    "table_format": None,
    "table_name": "vendors",
    "validator": None,
    "write_disposition": "merge",
}
RESOURCE_RIGHT: Mapping[str, tuple[Ask, Tables]] = {
    "__call__": (lambda vendors: vendors(), VENDORS),
    "__iter__": (doing(list), VENDORS),
    "__or__": (lambda vendors: vendors | scores(), SCORED),
    "__or__ Arrow": (lambda vendors: vendors | arrow_scores(), SCORED),
    "__or__ twice": (lambda vendors: vendors | dlt.transformer(_same) | scores(), SCORED),
    "__or__ and itself": (lambda vendors: [vendors, vendors | scores()], SCORED | VENDORS),
    "__or__ renamed": (
        lambda vendors: (vendors | dlt.transformer(_scored)).with_name("scores"),
        SCORED,
    ),
    "add_input": (doing(lambda vendors: vendors.add_input({"kind": "service"})), VENDORS),
    "add_metrics": (
        doing(lambda vendors: vendors.add_metrics(lambda items, meta, found: None)),
        VENDORS,
    ),
    "apply_hints": (lambda vendors: vendors.apply_hints(write_disposition="merge"), VENDORS),
    "bind": (lambda vendors: vendors.bind(), VENDORS),
    "from_data": (DltResource.from_data, VENDORS),
    "max_table_nesting=": (setting("max_table_nesting", 3), VENDORS),
    "merge_hints": (
        doing(lambda vendors: vendors.merge_hints({"write_disposition": "replace"})),
        VENDORS,
    ),
    "parallelize": (lambda vendors: vendors.parallelize(), VENDORS),
    "pipe_data_from": (lambda vendors: scores().pipe_data_from(vendors), SCORED),
    "data_from": (
        lambda vendors: dlt.transformer(_scored, data_from=vendors, name="scores"),
        SCORED,
    ),
    "state": (doing(lambda vendors: vendors.state), VENDORS),
    "write_disposition=": (setting("write_disposition", {"disposition": "replace"}), VENDORS),
}
RESOURCE_REFUSED: Mapping[str, Ask] = {
    "__or__ a function": lambda vendors: vendors | (lambda row: row),
    "add_filter": lambda vendors: vendors.add_filter(lambda row: True),
    "add_limit": lambda vendors: vendors.add_limit(1),
    "add_map": lambda vendors: vendors.add_map(lambda row: row),
    "add_step": lambda vendors: vendors.add_step(lambda row: row),
    "add_yield_map": lambda vendors: vendors.add_yield_map(lambda row: [row]),
    "apply_hints of a name": lambda vendors: vendors.apply_hints("mine"),
    "apply_hints of a variant": lambda vendors: vendors.apply_hints(
        table_name="vendors", create_table_variant=True
    ),
    "merge_hints of a variant": lambda vendors: vendors.merge_hints(
        {"table_name": "vendors"}, create_table_variant=True
    ),
    "select_tables": lambda vendors: vendors.select_tables("vendors"),
    "set_incremental": lambda vendors: vendors.set_incremental(
        dlt.sources.incremental("updated_at")
    ),
    "table_name=": setting("table_name", "mine"),
    "validator=": setting("validator", dlt.extract.items_transform.ValidateItem),
    "with_name": lambda vendors: vendors.with_name("mine"),
    "write_disposition=": setting("write_disposition", "append"),
}
RESOURCE_REFUSED_BY_DLT: Mapping[str, Ask] = {
    "__ror__": lambda vendors: [{"id": "1"}] | vendors,
    "add_pipe": lambda vendors: vendors.add_pipe([]),
    "explicit_args": lambda vendors: vendors.explicit_args,
    "pipe_data_from": lambda vendors: vendors.pipe_data_from(vendors()),
}
RESOURCE_HELPERS = {
    "Empty",
    "compute_nested_table_schemas",
    "compute_table_schema",
    "compute_tables",
    "get_nested_hints",
    "validate_dynamic_hints",
    "validate_reference_hint",
    "validate_transformer_generator_function",
    "validate_write_disposition_hint",
}
"""What dlt calls itself; it changes nothing."""

SOURCE_READS: Mapping[str, Any] = {
    "exhausted": False,
    "max_table_nesting": 0,
    "name": "wholesale",
    "root_key": None,
    "schema_contract": None,
}
SOURCE_RIGHT: Mapping[str, tuple[Ask, Tables]] = {
    "__getattr__": (lambda source: [source.vendors, source.orders], ALL),
    "__iter__": (doing(lambda source: list(source.with_resources("vendors"))), ALL),
    "clone": (lambda source: source.clone(with_name="mine"), ALL),
    "decompose": (lambda source: source.decompose("scc"), ALL),
    "discover_schema": (doing(lambda source: source.discover_schema()), ALL),
    "from_data": (lambda source: DltSource.from_data(source.schema, "wholesale", source), ALL),
    "max_table_nesting=": (setting("max_table_nesting", 3), ALL),
    "parallelize": (lambda source: source.parallelize(), ALL),
    "resources": (with_transformer, SCORED | VENDORS),
    "resources detached": (lambda source: source.resources.detach("vendors"), VENDORS),
    "resources selected": (doing(lambda source: source.resources.select("vendors")), VENDORS),
    "root_key=": (setting("root_key", True), ALL),
    "run": (lambda source: source.run() and None, ALL),
    "schema": (lambda source: DltSource(source.schema, "wholesale", [source.vendors]), VENDORS),
    "schema=": (setting("schema", dlt.Schema("mine")), ALL),
    "schema_contract=": (setting("schema_contract", {"columns": "freeze"}), ALL),
    "selected_resources": (lambda source: list(source.selected_resources.values()), ALL),
    "state": (doing(lambda source: source.state), ALL),
    "with_resources": (lambda source: source.with_resources("vendors"), VENDORS),
}
SOURCE_REFUSED: Mapping[str, Ask] = {
    "add_limit": lambda source: source.add_limit(1),
}


def _same(vendors: pa.Table) -> pa.Table:
    return vendors


def _scored(vendors: pa.Table) -> pa.Table:
    return pa.table({"name": vendors["name"], "score": pa.repeat(1.5, len(vendors))})


def surface(kind: type) -> set[str]:
    """Names of a class of dlt that people use: methods, operators, and properties that are set."""
    names = {name for name in dir(kind) if not name.startswith("_")}
    for base in kind.__mro__:
        if base.__module__.startswith("dlt."):
            names |= {
                name
                for name, value in vars(base).items()
                if name.startswith("__")
                and isinstance(value, FunctionType)
                and name not in dir(object)
            }
            names |= {
                f"{name}="
                for name, value in vars(base).items()
                if isinstance(value, property) and value.fset
            }
    return names


def decided(*tables: Mapping[str, Any] | set[str]) -> set[str]:
    return {name.split()[0] for table in tables for name in table}


def test_all_that_dlt_offers_is_decided() -> None:
    assert surface(DltResource) == decided(
        RESOURCE_READS, RESOURCE_RIGHT, RESOURCE_REFUSED, RESOURCE_REFUSED_BY_DLT, RESOURCE_HELPERS
    ) - {"data_from"}
    assert surface(DltSource) == decided(SOURCE_READS, SOURCE_RIGHT, SOURCE_REFUSED)
    assert surface(DltResourceDict) - {"__delitem__", "__setitem__"} - surface(dict) == {
        *("add", "detach", "select", "with_pipe"),
        *("extracted", "extracted_pipes", "pipes", "selected", "selected_dag", "selected_pipes"),
    }
    assert set(inspect.signature(dlt.Pipeline.run).parameters) == {
        *("self", "data", "destination", "staging", "dataset_name", "credentials"),
        *decided(RUN_RIGHT, RUN_REFUSED),
    }
    assert set(inspect.signature(DltResource.apply_hints).parameters) == {
        *("self", "write_disposition", "schema_contract", "file_format"),
        *HINTS_REFUSED,
    }
    assert {
        *("parquet", "insert_values", "jsonl", "model"),
        *("csv", "reference", "typed-jsonl"),  # which DuckDB, here, does not take at all
    } == LOADER_FILE_FORMATS
    assert set(dlt.destinations.__all__) == {*EXACT, *UNTRIED, *REFUSED_DESTINATIONS}
    assert set(get_args(TSchemaEvolutionMode)) == {"evolve", "freeze", *DISCARDING}
    assert set(get_args(TWriteDisposition)) == {"merge", "replace", "append", "skip"}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a pipeline that has loaded once."""
    folder = tmp_path_factory.mktemp("loaded")
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        fill(sandbox)
        plain(folder).run(source_of(sandbox))
    assert held(folder) == BEFORE
    return folder


@pytest.fixture
def pipeline(loaded: Path, tmp_path: Path, sandbox: Sandbox) -> dlt.Pipeline:
    """A pipeline that has loaded once, before a change of what the service has."""
    shutil.copytree(loaded, tmp_path, dirs_exist_ok=True)
    fill(sandbox)
    sandbox.put("vendors", {"id": guid("W"), "name": "X"})
    sandbox.put("orders", order("B", order_line_items=[]))
    return plain(tmp_path)


def plain(folder: Path, destination: Any = None) -> dlt.Pipeline:
    return dlt.pipeline(
        "plain",
        destination=destination or dlt.destinations.duckdb(str(folder / "plain.duckdb")),
        dataset_name="wholesale_raw",
        pipelines_dir=str(folder / "pipelines"),
    )


def fill(sandbox: Sandbox) -> None:
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("")]))
    sandbox.put("orders", order("B", order_line_items=[line("y")]))
    sandbox.put("vendors", {"id": guid("V"), "name": "V"})
    sandbox.put("vendors", {"id": guid("W"), "name": "W"})


def source_of(sandbox: Sandbox) -> DltSource:
    source = wholesale_source(base_url=sandbox.base_url, api_key="sandbox")
    return source.with_resources("orders", "vendors")


def held(folder: Path) -> Tables:
    with duckdb.connect(str(folder / "plain.duckdb")) as connection:
        names = connection.execute("select table_name from duckdb_tables()").fetchall()
        return {
            table: connection.execute(sql.format("wholesale_raw")).fetchall()
            for table, sql in SELECT.items()
            if (table,) in names
        }


def refused(sandbox: Sandbox, ask: Callable[[], Any]) -> ConfigurationError:
    """Why it was refused, by itself or within dlt's own error, before anything was asked for."""
    before = len(sandbox.requests.entries())
    with pytest.raises((ConfigurationError, PipelineStepFailed)) as raised:
        ask()
    error: BaseException = raised.value
    while not isinstance(error, ConfigurationError):
        assert error.__cause__, error
        error = error.__cause__
    assert len(sandbox.requests.entries()) == before
    assert "\n" not in str(error)
    return error


RIGHT = {
    **{f"resource {key}": (of_resource(ask), then) for key, (ask, then) in RESOURCE_RIGHT.items()},
    **{f"source {key}": case for key, case in SOURCE_RIGHT.items()},
}


@pytest.mark.parametrize(
    ("ask", "expected"), few(RIGHT.values(), 8, pytest.mark.slow), ids=[*RIGHT]
)
def test_what_works_works_as_in_dlt(
    sandbox: Sandbox, pipeline: dlt.Pipeline, tmp_path: Path, ask: Ask, expected: Tables
) -> None:
    if (data := ask(source_of(sandbox))) is not None:
        pipeline.run(data)

    assert held(tmp_path) == expected


@pytest.mark.parametrize(
    "ask",
    [
        *(pytest.param(of_resource(ask), id=name) for name, ask in RESOURCE_REFUSED.items()),
        *(pytest.param(ask, id=f"source {name}") for name, ask in SOURCE_REFUSED.items()),
    ],
)
def test_what_does_not_is_refused_where_it_is_asked_for(sandbox: Sandbox, ask: Ask) -> None:
    source = source_of(sandbox)

    with pytest.raises(ConfigurationError):
        ask(source)

    assert sandbox.requests.entries() == []


@pytest.mark.parametrize("name", RESOURCE_REFUSED_BY_DLT)
def test_what_dlt_itself_refuses_stays_refused(sandbox: Sandbox, name: str) -> None:
    with pytest.raises((dlt.common.exceptions.DltException, TypeError)):
        RESOURCE_REFUSED_BY_DLT[name](source_of(sandbox).vendors)

    assert sandbox.requests.entries() == []


def test_reading_tells_what_is_so(sandbox: Sandbox) -> None:
    source = source_of(sandbox)

    assert {name: getattr(source.vendors, name) for name in RESOURCE_READS} == RESOURCE_READS
    assert {name: getattr(source, name) for name in SOURCE_READS} == SOURCE_READS
    assert sandbox.requests.entries() == []


DISCARDING = ("discard_row", "discard_value")
EXACT_STRATEGY = "delete-insert"
EXACT_MERGE = {"disposition": "merge", "strategy": EXACT_STRATEGY}
STRATEGIES = [name for name in MERGE_STRATEGIES if name != EXACT_STRATEGY]
RUN_RIGHT: Mapping[str, list[Any]] = {
    "write_disposition": ["merge", "replace", EXACT_MERGE, {"disposition": "replace"}],
    "schema": [dlt.Schema("mine")],
    "loader_file_format": ["parquet"],
    "schema_contract": ["evolve", "freeze", {"tables": "freeze", "data_type": "freeze"}],
    "refresh": [*get_args(TRefreshMode)],
}
RUN_REFUSED: Mapping[str, list[Any]] = {
    "table_name": ["mine"],
    "write_disposition": [
        "append",
        "skip",
        {"disposition": "skip"},
        *(
            {**EXACT_MERGE, "strategy": name}
            for name in MERGE_STRATEGIES
            if name != "delete-insert"
        ),
        *({**EXACT_MERGE, name: "id"} for name in MERGE_STRATEGY_OPTIONS),
    ],
    "columns": [{"total": {"data_type": "text"}}],
    "primary_key": ["order_number"],
    "loader_file_format": ["insert_values", "jsonl", "model"],
    "table_format": [*get_args(TTableFormat)],
    "schema_contract": [*DISCARDING, *({"columns": mode} for mode in DISCARDING)],
}
HINTS_REFUSED: Mapping[str, Any] = {
    "table_name": "mine",
    "parent_table_name": "orders",
    "columns": {"total": {"data_type": "text"}},
    "primary_key": "order_number",
    "merge_key": "order_number",
    "incremental": dlt.sources.incremental("updated_at"),
    "additional_table_hints": {"x-mine": True},
    "table_format": "delta",
    "references": [{"referenced_table": "vendors", "columns": [], "referenced_columns": []}],
    "create_table_variant": True,
    "nested_hints": {"order_line_items": {"primary_key": "sku"}},
}


@pytest.mark.parametrize(
    ("name", "value"),
    few([(name, value) for name in RUN_RIGHT for value in RUN_RIGHT[name]], 4, pytest.mark.slow),
)
def test_a_run_takes_what_loses_nothing(
    sandbox: Sandbox, pipeline: dlt.Pipeline, tmp_path: Path, name: str, value: Any
) -> None:
    pipeline.run(source_of(sandbox), **{name: value})

    assert held(tmp_path) == ALL


@pytest.mark.parametrize("name", RUN_REFUSED)
def test_a_run_refuses_what_would_lose_something(
    sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    pipeline = plain(tmp_path)

    for value in RUN_REFUSED[name]:
        refused(sandbox, partial(pipeline.run, source_of(sandbox), **{name: value}))

    assert held(tmp_path) == {}
    assert not pipeline.has_pending_data


@pytest.mark.parametrize("name", HINTS_REFUSED)
def test_hints_that_would_be_ignored_or_break_tables_are_refused(
    sandbox: Sandbox, name: str
) -> None:
    with pytest.raises(ConfigurationError, match=rf"^resource orders takes no .*\b{name}\b"):
        source_of(sandbox).orders.apply_hints(**{name: HINTS_REFUSED[name]})


def test_a_table_format_is_refused_for_the_reason_that_is_true(sandbox: Sandbox) -> None:
    with pytest.raises(ConfigurationError, match="merged with their children"):
        source_of(sandbox).orders.apply_hints(table_format="delta")


def test_columns_that_are_changed_in_place_are_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    source = source_of(sandbox)
    columns: Any = source.orders.columns
    columns["total"] = {"name": "total", "data_type": "text"}

    refused(sandbox, lambda: plain(tmp_path).run(source))


@pytest.mark.parametrize("mode", DISCARDING)
def test_a_contract_of_the_source_may_not_leave_anything_out(
    sandbox: Sandbox, tmp_path: Path, mode: str
) -> None:
    source: Any = source_of(sandbox)
    source.schema_contract = mode

    refused(sandbox, lambda: plain(tmp_path).run(source))


def test_a_contract_that_is_broken_loads_nothing_and_leaves_nothing_behind(
    sandbox: Sandbox, pipeline: dlt.Pipeline, tmp_path: Path
) -> None:
    sandbox.put("vendors", {"id": guid("V"), "name": "V", "colour": "red"})
    source = source_of(sandbox)
    source.vendors.apply_hints(schema_contract="freeze")
    with pytest.raises(PipelineStepFailed):
        pipeline.run(source)
    assert held(tmp_path) == BEFORE

    source.vendors.apply_hints(schema_contract="evolve")
    pipeline.run(source)

    assert held(tmp_path) == ALL


def test_children_know_their_parents(sandbox: Sandbox, pipeline: dlt.Pipeline) -> None:
    pipeline.run(source_of(sandbox))
    joined = pipeline.dataset().orders__order_line_items.join("orders")

    found = joined.select("orders__order_number", "line_number", "sku").fetchall()

    assert sorted(found) == ALL["orders__order_line_items"]


def test_a_pipeline_that_was_attached_goes_on(
    sandbox: Sandbox, pipeline: dlt.Pipeline, tmp_path: Path
) -> None:
    attached = dlt.attach(
        pipeline.pipeline_name,
        pipelines_dir=pipeline.pipelines_dir,
        destination=dlt.destinations.duckdb(str(tmp_path / "plain.duckdb")),
    )

    attached.run(source_of(sandbox))

    assert held(tmp_path) == ALL


EXACT = ("duckdb", "postgres", "ducklake", "filesystem", "destination")
UNTRIED = (
    *("athena", "bigquery", "clickhouse", "databricks", "dremio", "fabric", "lance"),
    *("lancedb", "motherduck", "mssql", "redshift", "snowflake", "synapse"),
)
"""They have exact decimals, as they say; no test here can ask them."""
REFUSED_DESTINATIONS = ("dummy", "qdrant", "sqlalchemy", "weaviate")


@pytest.mark.parametrize("name", UNTRIED)
def test_a_destination_with_exact_decimals_is_not_refused(
    sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    fill(sandbox)
    staging = "filesystem" if name in ("athena", "dremio") else None
    pipeline = dlt.pipeline(
        "plain", destination=name, staging=staging, pipelines_dir=str(tmp_path / "pipelines")
    )

    pipeline.extract(source_of(sandbox).vendors)

    file_formats = {
        table["file_format"]
        for table in pipeline.default_schema.data_tables()
        if table["name"] == "vendors"
    }
    assert file_formats <= {"parquet", "insert_values"}
    assert len(file_formats) == 1


@pytest.mark.parametrize("name", REFUSED_DESTINATIONS)
@pytest.mark.parametrize("is_parallel", [False, True])
def test_a_destination_that_would_round_amounts_is_refused(
    sandbox: Sandbox, tmp_path: Path, name: str, is_parallel: bool
) -> None:
    at = f"sqlite:///{tmp_path}/plain.db"
    destination = dlt.destinations.sqlalchemy(at) if name == "sqlalchemy" else name
    pipeline = plain(tmp_path, destination)
    source = source_of(sandbox)

    refused(sandbox, lambda: pipeline.extract(source.parallelize() if is_parallel else source))

    assert not pipeline.has_pending_data


def test_what_is_extracted_for_no_destination_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    pipeline = dlt.pipeline("plain", pipelines_dir=str(tmp_path / "pipelines"))

    refused(sandbox, lambda: pipeline.extract(source_of(sandbox)))


@pytest.mark.parametrize("is_parallel", [False, True])
def test_a_filesystem_holds_each_record_once(
    sandbox: Sandbox, tmp_path: Path, is_parallel: bool
) -> None:
    bucket = tmp_path / "bucket"
    fill(sandbox)
    for _ in range(2):
        source = source_of(sandbox)
        filesystem = dlt.destinations.filesystem(bucket_url=bucket.as_uri())
        plain(tmp_path, filesystem).run(source.parallelize() if is_parallel else source)

    def values(table: str, column: str) -> list[str]:
        files = (bucket / "wholesale_raw" / table).glob("*.parquet")
        return sorted(value for file in files for value in pq.read_table(file)[column].to_pylist())

    assert values("vendors", "name") == ["V", "W"]
    assert values("orders__order_line_items", "sku") == ["", "x", "y"]


def test_a_function_as_destination_gets_exact_rows(sandbox: Sandbox, tmp_path: Path) -> None:
    found: list[tuple[Any, ...]] = []

    @dlt.destination(batch_size=10)
    def mine(items: Any, table: Any) -> None:
        if table["name"] == "orders":
            found.extend((row["order_number"], str(row["total"])) for row in items.to_pylist())

    fill(sandbox)
    plain(tmp_path, mine()).run(source_of(sandbox))

    assert sorted(found) == [("A", "10.500000000"), ("B", "10.500000000")]


def test_postgres_keeps_empty_text_apart_from_null(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(sandbox)
    with serving(monkeypatch) as socket:
        at = f"postgresql://postgres:none@localhost/postgres?host={socket}"
        for _ in range(2):
            plain(tmp_path, dlt.destinations.postgres(at)).run(source_of(sandbox))
        with psycopg2.connect(at) as connection, connection.cursor() as cursor:
            found = {}
            for table in BEFORE:
                cursor.execute(SELECT[table].format("wholesale_raw"))
                found[table] = cursor.fetchall()
        connection.close()

    assert found == BEFORE
