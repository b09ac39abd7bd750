"""Selects: a statement that reads is told from one that does anything else."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from wholesale.errors import WholesaleError
from wholesale_elt.warehouse.reading import open_file
from wholesale_elt.warehouse.selects import one_select

LOG = "{folder}/held.duckdb.wal"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selects")
    with duckdb.connect(str(folder / "held.duckdb")) as connection:
        connection.execute("create table orders as select 1 as amount, 'a' as state")
        connection.execute("create sequence numbers")
    return folder


@pytest.fixture(scope="module")
def connection(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_file(folder / "held.duckdb") as connection:
        yield connection


@pytest.mark.parametrize(
    "statement",
    [
        "select 1",
        "from orders;",
        "-- a comment\nselect /* another */ 1",
        "table orders",
        "values (1)",
        "with a as (from orders) from a",
        "with recursive a as (select 1 as n union all select n + 1 from a where n < 3) from a",
        "show tables",
        "show all tables",
        "describe orders",
        "describe select 1",
        "summarize orders",
        "explain select 1",
        "EXPLAIN ANALYZE select 1",
        "explain (analyze) select 1",
        "explain (format json) from orders",
        "from range(3)",
        "select unnest([1, 2])",
        "from duckdb_columns()",
        "from information_schema.tables",
        "from pragma_table_info('orders')",
        "from (pivot orders on state in ('a') using sum(amount))",
    ],
)
def test_what_reads_is_run(connection: duckdb.DuckDBPyConnection, statement: str) -> None:
    found, _ = one_select(connection, statement)

    connection.execute(found).fetchall()


@pytest.mark.parametrize(
    "statement",
    [
        *("", "-- nothing", "select 1; select 2", "selec 1", "explain", "explain explain select 1"),
        f"copy (select 1) to '{LOG}'",
        f"copy orders to '{LOG}' (format parquet)",
        f"explain copy (select 1) to '{LOG}'",
        f"explain analyze copy (select 1) to '{LOG}'",
        f"explain (analyze) copy (select 1) to '{LOG}'",
        f"explain (/*) select 1 --*/ analyze) copy (select 1) to '{LOG}'",
        f"explain /* */ analyze copy (select 1) to '{LOG}'",
        *(
            "insert into orders values (2, 'b')",
            "update orders set amount = 2",
            "drop table orders",
        ),
        *("create temp table more as select 1", "create macro more() as 1", "truncate orders"),
        *("attach ':memory:' as other", "detach held", "use memory", "begin", "vacuum", "analyze"),
        *("set threads = 1", "reset threads", "set variable a = 1", "pragma threads = 1"),
        *("call enable_logging(storage = 'file')", "from enable_logging(storage = 'file')"),
        *("pragma enable_profiling", "from enable_profiling()", "call enable_profiling()"),
        *("checkpoint", "force checkpoint", "from checkpoint()", "from force_checkpoint()"),
        *("pragma force_checkpoint", "pragma import_database('x')", "import database 'x'"),
        *("export database '{folder}/all'", "install httpfs", "load httpfs", "update extensions"),
        *("prepare p as select 1", "execute p", "deallocate p"),
        *("from query('select 1')", "from query_table('orders')", "from pandas_scan(1)"),
        *("from json_execute_serialized_sql('x')", "pragma json_execute_serialized_sql('x')"),
        *("from read_text('/etc/hostname')", "from glob('/*')"),
        *("select nextval('numbers')", "select getenv('HOME')"),
        "select * from orders where amount in (select 1 from enable_logging())",
        "from orders, lateral (from truncate_duckdb_logs())",
        "with a as (from enable_logging()) from a",
        "describe from enable_logging()",
        "summarize from read_csv('x')",
        "explain from enable_logging()",
        "merge into orders using orders as o on true when matched then delete",
        "comment on table orders is 'x'",
        "with a as (insert into orders values (2, 'b') returning *) from a",
        "select " + "+".join("1" * 3000),
    ],
)
def test_what_does_anything_else_is_refused_and_leaves_nothing(
    folder: Path, connection: duckdb.DuckDBPyConnection, statement: str
) -> None:
    with pytest.raises((WholesaleError, duckdb.Error)):
        connection.execute(one_select(connection, statement.replace("{folder}", str(folder)))[0])

    assert [path.name for path in folder.iterdir()] == ["held.duckdb"]
    assert connection.execute("select amount from orders").fetchall() == [(1,)]
