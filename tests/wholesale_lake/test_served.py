"""Publishing into a DuckDB database that is served: one version at a time, whole, as it was.

Quack is run: a server in a process of its own. MotherDuck needs an account: a DuckDB file stands
for its database, and is told the same statements.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.services.mailbox import free_port
from support.warehouses import handmade
from support.warehouses.desks import Desk
from wholesale.errors import WholesaleError
from wholesale_elt.publish.publisher import Published, publish_marts, require_place
from wholesale_elt.warehouse import quoted
from wholesale_lake import served
from wholesale_lake.served import Served, ServerFailed, load_statement

TOKEN = "a-token-of-the-tests"
SERVE = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
for statement in sys.argv[2:]:
    print(connection.execute(statement).fetchall(), flush=True)
sys.stdin.read()
"""
Ask = Callable[[str], list[Any]]


class Shop:
    """A warehouse made by hand, a database that is served, and a reader of it."""

    def __init__(self, desk: Desk, place: str, ask: Ask) -> None:
        self.desk, self.place, self.ask = desk, place, ask
        self.build = desk.build

    def publish(self, **options: Any) -> Published:
        return publish_marts(self.desk.warehouse, self.place, **{"keep": 2} | options)

    def numbers(self) -> set[int]:
        """Those that the tables of the version in force carry."""
        asked = " union ".join(f"select number from {name}" for name in handmade.TABLES)
        return {number for (number,) in self.ask(asked)}

    def schemas(self) -> set[str]:
        names = self.ask("select schema_name from duckdb_schemas() where not internal")
        return {name for (name,) in names if name.startswith("version_")}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Quack server, whose token this user keeps as a secret of DuckDB."""
    pytest.importorskip("duckdb_extension_quack", reason="the extra `served` is not installed")
    monkeypatch.setenv("HOME", str(tmp_path))
    place = f"quack:localhost:{free_port()}"
    loading = [load_statement(name) for name in ("httpfs", "quack")]
    with duckdb.connect() as connection:
        for statement in loading:
            connection.execute(statement)
        connection.execute(f"create persistent secret (type quack, token '{TOKEN}')")
    command = [sys.executable, "-c", SERVE, str(tmp_path / "served.duckdb"), *loading]
    command.append(f"call quack_serve('{place}', token = '{TOKEN}')")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        said = [process.stdout.readline() for _ in command[4:]]
        assert place in said[-1]
        yield place
        process.kill()


@pytest.fixture(params=["md", "quack"])
def shop(
    request: pytest.FixtureRequest, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shop]:
    if request.param == "quack":
        place = request.getfixturevalue("server")
        with duckdb.connect() as reader:
            for name in ("httpfs", "quack"):
                reader.execute(load_statement(name))
            reader.execute(f"attach {quoted(place)} as there")
            yield Shop(
                desk,
                place,
                lambda sql: reader.execute(f"from there.query({quoted(sql)})").fetchall(),
            )
        return
    file = tmp_path / "motherduck.duckdb"

    def begin(_: Served) -> Iterator[str]:
        yield f'attach {quoted(file)} as "reports"'
        yield 'use "reports"'

    def ask(sql: str) -> list[Any]:
        with duckdb.connect(str(file)) as connection:
            return connection.execute(sql).fetchall()

    monkeypatch.setattr(Served, "_beginning", begin)
    yield Shop(desk, "md:reports", ask)


def test_a_version_is_views_of_its_tables_with_what_they_mean(shop: Shop) -> None:
    shop.build(7)
    published = shop.publish()

    in_force = published.in_force
    assert published.result == "published"
    assert in_force
    assert shop.numbers() == {7}
    assert shop.ask("from wholesale_marts.fct_orders order by order_id desc limit 1") == [
        (4_999, 4_999, 7)
    ]
    [row] = shop.ask("from wholesale_bi.versions")
    assert row[:4] == (in_force.version, "run 7", "complete", in_force.as_of)
    views = shop.ask(
        "select schema_name || '.' || view_name, comment from duckdb_views() where not internal"
    )
    assert {name for name, _ in views} == set(handmade.TABLES)
    assert all(comment for _, comment in views)
    assert shop.publish().result == "already published"


def test_the_next_version_takes_its_place_and_only_so_many_are_kept(shop: Shop) -> None:
    for number in (1, 2, 3):
        shop.build(number)
        assert shop.publish().result == "published"
        assert shop.numbers() == {number}

    kept = [version for (version,) in shop.ask("select version from wholesale_bi.versions")]
    assert len(kept) == 2
    assert shop.schemas() == {served._schema(version) for version in kept}


def test_a_run_that_is_killed_leaves_the_last_version_in_force_and_the_next_removes_its_tables(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.build(1)
    shop.publish()
    shop.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(Served, "_pointing", _be_killed)
        with pytest.raises(KeyboardInterrupt):
            shop.publish()
    assert (shop.numbers(), len(shop.schemas())) == ({1}, 2)

    assert shop.publish(keep=3).result == "published"
    assert (shop.numbers(), len(shop.schemas())) == ({2}, 2)


def _be_killed(*_: object) -> str:
    raise KeyboardInterrupt


def test_what_cannot_come_into_force_whole_does_not_at_all(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.build(1)
    shop.publish()
    shop.build(2)
    pointing = Served._pointing

    def fail_at_the_last(self: Served, schema: str, table: Any) -> str:
        is_last = f"{table.schema}.{table.table}" == sorted(handmade.TABLES)[-1]
        return pointing(self, "nowhere" if is_last else schema, table)

    with monkeypatch.context() as patch:
        patch.setattr(Served, "_pointing", fail_at_the_last)
        with pytest.raises(ServerFailed, match="nowhere"):
            shop.publish()
    assert shop.numbers() == {1}

    assert shop.publish().result == "published"
    assert shop.numbers() == {2}


def test_rows_that_are_gone_are_published_again(shop: Shop) -> None:
    shop.build(1)
    shop.publish()
    [schema] = shop.schemas()
    shop.ask(f"delete from {schema}.wholesale_marts__fct_orders where order_id = '17'")
    assert shop.ask("select count(*) from wholesale_marts.fct_orders") == [(4_999,)]

    assert shop.publish().result == "published"
    assert shop.ask("select count(*) from wholesale_marts.fct_orders") == [(5_000,)]


def test_what_is_not_published_any_more_has_no_view(shop: Shop) -> None:
    shop.build(1)
    shop.publish()
    shop.publish(is_only_bi=True)

    views = shop.ask(
        "select schema_name, count(*) from duckdb_views() where not internal group by 1"
    )
    assert views == [("wholesale_bi", 3)]


def test_another_service_and_a_later_version_are_left_alone(shop: Shop) -> None:
    shop.build(1)
    shop.publish()
    handmade.build(shop.desk.warehouse.database, 2, service="example.com/api/external/v1")
    with pytest.raises(WholesaleError, match="came from another service"):
        shop.publish()

    shop.build(3)
    shop.ask("update wholesale_bi.versions set version = '2999' || version[5:]")
    with pytest.raises(WholesaleError, match="set this machine's clock"):
        shop.publish()
    assert shop.numbers() == {1}


def test_a_reader_has_one_version_until_its_transaction_ends(desk: Desk, server: str) -> None:
    with duckdb.connect() as reader:
        for name in ("httpfs", "quack"):
            reader.execute(load_statement(name))
        reader.execute(f"attach {quoted(server)} as there")
        shop = Shop(
            desk, server, lambda sql: reader.execute(f"from there.query({quoted(sql)})").fetchall()
        )
        shop.build(1)
        shop.publish()
        shop.ask("begin")
        assert shop.numbers() == {1}
        shop.build(2)
        for _ in range(2):
            shop.publish()
        assert shop.numbers() == {1}
        shop.ask("commit")
        assert shop.numbers() == {2}


@pytest.mark.parametrize("place", ["quack:localhost:1", "md:reports"])
def test_a_server_that_cannot_be_reached_is_told_before_anything_is_read(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(served, "load_statement", lambda name: f"load '{name} that is not here'")

    told = rf"^{place} cannot be read or written: .*\[served\]"
    with pytest.raises(ServerFailed, match=told):
        require_place(place)
