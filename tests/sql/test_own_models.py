"""Models of users are built, tested and put in force with ours; or left out, all of them."""

from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from support.few import by_hand
from support.services import postgres
from support.warehouses.added import FILES, SIZES, add
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from wholesale_elt.models.build import build_models
from wholesale_elt.warehouse.destination import Warehouse

pytestmark = pytest.mark.slow
OWN = "select table_name from duckdb_tables() where schema_name = 'wholesale_own' order by all"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    add(tmp_path, monkeypatch)
    return tmp_path


def test_they_are_built_beside_ours_which_need_not_be_built_again(
    marts: Marts, folder: Path
) -> None:
    before = marts.contents()

    built = marts.build()

    assert (built.left_out, built.warnings, built.has_own) == ("", [], True)
    assert 0 < built.models < built.models_standing
    assert marts.rows("from wholesale_own.size_sales order by size") == marts.rows(SIZES)
    assert marts.contents() == before
    assert marts.build().models == 0
    comments = "select comment from duckdb_tables() where table_name = 'size_sales'"
    assert marts.rows(comments) == [("What do large buyers buy? One row per size.",)]


def test_an_edited_model_or_parameter_is_seen_by_the_next_build_and_a_removed_one_is_gone(
    marts: Marts, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marts.build()
    monkeypatch.setenv("BUILD__PARAMETERS__LARGE_FROM", "0")
    assert marts.build().models > 0
    assert marts.rows("select size from wholesale_own.size_sales") == [("large",)]

    (folder / "models/size_sales.sql").write_text("select 1 as size, 2 as buyer_count")
    assert marts.build().left_out == ""
    assert marts.rows("from wholesale_own.size_sales") == [(1, 2)]

    for name in ("size_sales.sql", "sizes.yml", "tests/no_buyer_is_lost.sql"):
        (folder / "models" / name).unlink()
    assert marts.build().left_out == ""
    assert marts.rows(OWN) == [("buyer_size",)]

    for name in ("BUILD__MODELS", "BUILD__METRICS"):
        monkeypatch.delenv(name)
    assert marts.build().left_out == ""
    assert marts.rows(OWN) == []


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("models/new.sql", "select\n    nope\nfrom {{ ref('fct_orders') }}", "new.sql:2: Binder"),
        ("models/new.sql", "select 1 as a, 2 as a", "two columns are called a"),
        ("models/new.sql", "select cast('x' as bigint) as a", "new.sql:1: Conversion Error"),
        ("models/new.sql", "select 1 as a; select 2 as b", "not one query"),
        ("models/new.sql", "select 1 as a;\n-- said later", "leave out the semicolon"),
        ("models/new.sql", "drop table wholesale_marts.fct_orders", "not one query"),
        ("models/new.sql", "", "not one query"),
        ("models/new.sql", "select * from wholesale_marts.fct_orders", "ref('fct_orders')"),
        ("models/new.sql", "select email from {{ ref('dim_buyers') }}", "privacy.published"),
        (
            "models/tests/none.sql",
            "select * from {{ ref('size_sales') }}",
            "none.sql: test none is broken by 2 rows",
        ),
        (
            "models/tests/none.sql",
            "select * from {{ ref('size_sales') }}\nwhere nope",
            "none.sql: test none: Binder",
        ),
        (
            "models/more.yml",
            "models: [{name: size_sales, columns: [{name: nope, description: Not there.}]}]",
            "is described in ./models/more.yml",
        ),
        (
            "models/sizes.yml",
            FILES["models/sizes.yml"].replace("{name: size,", "{name: siz,"),
            "size_sales.sql: there is no column of size_sales called 'siz': did you mean size?",
        ),
        (
            "models/sizes.yml",
            FILES["models/sizes.yml"].replace("[large, small]", "[large]"),
            "sizes.yml:9: test accepted_values_buyer_size_size__large is broken by 1 row",
        ),
        ("metrics.yml", FILES["metrics.yml"].replace("is_sale", "is_sail"), "metrics.yml:5: "),
    ],
)
def test_if_one_is_wrong_none_is_in_force_and_ours_are(
    marts: Marts, folder: Path, path: str, text: str, said: str
) -> None:
    marts.build()
    before = marts.contents()
    good = (folder / path).read_text("utf-8") if (folder / path).exists() else None
    (folder / path).write_text(text)

    left_out = marts.build().left_out

    assert left_out.startswith("./")
    assert said in left_out
    assert "\n" not in left_out
    assert marts.rows(OWN) == []
    assert marts.contents() == before
    again = marts.build()
    assert (again.models, again.left_out) == (0, left_out)

    (folder / path).write_text(good) if good else (folder / path).unlink()
    assert marts.build().left_out == ""
    assert len(marts.rows(OWN)) == 2


def test_ours_that_fail_fail_all(marts: Marts, folder: Path) -> None:
    """A new state of the data that breaks ours leaves both as they were."""
    marts.build()
    marts.change(
        "insert into wholesale_raw.orders select * from wholesale_raw.orders limit 1",
    )

    with pytest.raises(Exception, match="primary_key"):
        marts.build()
    assert len(marts.rows(OWN)) == 2


def test_postgresql_builds_the_same(
    marts: Marts, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marts.build()
    expected = marts.rows("from wholesale_own.size_sales order by size")
    with postgres.serving(monkeypatch) as socket:
        postgres.copy_raw(marts.database, socket)
        monkeypatch.setenv(
            "DESTINATION__POSTGRES__CREDENTIALS",
            f"postgresql://postgres:unused@localhost/postgres?host={socket}",
        )
        warehouse = Warehouse(Path(), "postgres")
        with closing(postgres.connect(socket)) as connection, connection.cursor() as cursor:
            assert build_models(warehouse).left_out == ""
            cursor.execute("select * from wholesale_own.size_sales order by size")
            assert cursor.fetchall() == expected
            connection.rollback()

            (folder / "models/new.sql").write_text("select\n    nope\nfrom {{ ref('fct_orders') }}")
            assert build_models(warehouse).left_out.startswith("./models/new.sql:2: ")
            cursor.execute("select count(*) from wholesale_bi.rpt_orders")
            assert cursor.fetchone() > (0,)
            cursor.execute("select to_regclass('wholesale_own.size_sales')")
            assert cursor.fetchone() == (None,)


@pytest.mark.parametrize("destination", [by_hand("ducklake"), "lake"])
def test_a_lake_builds_and_publishes_the_same(
    marts: Marts,
    folder: Path,
    destination: str,
    socket: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert marts.build().left_out == ""

    assert differences_in(marts, destination, tmp_path, socket, monkeypatch) == []

    with duckdb.connect(str(tmp_path / "found/wholesale.duckdb"), read_only=True) as connection:
        found = connection.execute("from wholesale_own.size_sales order by size").fetchall()
    assert found == marts.rows(SIZES)
