"""What users added is published, described and asked like ours."""

from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from support.warehouses.added import FILES, SIZES, add
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.causes.then import build_as_of
from wholesale_elt.dashboard.contents import read_index
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import Question, ask, read_metrics, read_own_metrics
from wholesale_elt.publish.publisher import publish_marts, republish_marts
from wholesale_elt.publish.site import find_site
from wholesale_elt.runs import as_utc
from wholesale_elt.verification import verify
from wholesale_elt.warehouse import open_file

pytestmark = pytest.mark.slow
LARGE = "select count(*) from wholesale_marts.fct_orders where is_sale and sub_total >= 1000"


@pytest.fixture
def own(marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Marts:
    """A business with what users added, published beside it."""
    add(tmp_path, monkeypatch)
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"
    return marts


def test_it_is_described_and_asked_like_ours(own: Marts) -> None:
    site = find_site(Path("published"))
    with open_file(site.database) as connection:
        rows = connection.execute("from wholesale_own.size_sales order by size").fetchall()
        [told] = connection.execute(
            "select key_columns, row_count, description from meta.tables"
            " where (schema_name, table_name) = ('wholesale_own', 'buyer_size')"
        ).fetchall()
        [size] = connection.execute(
            "select description from meta.columns where schema_name = 'wholesale_own'"
            " and (table_name, column_name) = ('buyer_size', 'size')"
        ).fetchall()
        metrics = connection.execute(
            "select metric_name, table_name from meta.metrics where metric_name like '%large%'"
            " or metric_name = 'sized_sales' order by all"
        ).fetchall()
        [(by_macro,)] = connection.execute("select large_orders(orders) from orders").fetchall()
        figures = ask(connection, Question(metrics=["large_orders", "large_share"]))
        by_size = ask(connection, Question(metrics=["sized_sales"], by=["size"]))
        reports = read_index(connection)

    expected = own.rows(SIZES)
    ((large,),) = own.rows(LARGE)
    assert rows == expected
    assert told == (["buyer_id"], sum(row[1] for row in expected), told[2])
    assert told[2].startswith("How large is each buyer?")
    assert size == ("`large` or `small`.",)
    assert metrics == [
        ("large_orders", "wholesale_marts.fct_orders"),
        ("large_share", "wholesale_marts.fct_orders"),
        ("sized_sales", "wholesale_own.buyer_size"),
    ]
    assert by_macro == figures.total["large_orders"] == large > 0
    assert {row["size"]: row["sized_sales"] for row in by_size.rows} == {
        size: sales for size, _, sales in expected
    }
    assert {name: report["row_count"] for name, report in reports.items() if report["is_own"]} == {
        "buyer_size": sum(row[1] for row in expected),
        "size_sales": len(expected),
    }
    assert len(list(Path("published/dashboard").glob("*/data/reports/buyer_size.js"))) == 1


def test_why_it_moved_is_known_and_both_versions_are_verified(own: Marts) -> None:
    own.change(
        "update wholesale_raw.orders set status = 'cancelled' where id in (select order_id"
        " from wholesale_marts.fct_orders where is_sale and sub_total >= 1000 limit 2)"
    )
    own.build()
    published = publish_marts(own.warehouse, "published")
    assert published.result == "published"

    found = why_published(Path("published"), Question(metrics=["large_orders"]))

    assert found.difference.total.difference == -2
    assert [(each.cause, each.amount) for each in found.difference.total.causes] == [
        ("cancelled", -2)
    ]
    assert verify(Path("published")).findings == []


def test_what_is_left_out_is_published_no_more_and_the_rest_is(own: Marts) -> None:
    Path("models/new.sql").write_text("select nope")
    assert "new.sql" in own.build().left_out

    published = publish_marts(own.warehouse, "published")

    assert published.result == "published"
    assert published.in_force
    schemas = {table.schema for table in published.in_force.tables}
    assert schemas == {"wholesale_marts", "wholesale_bi"}
    Path("models/new.sql").unlink()
    own.build()
    again = publish_marts(own.warehouse, "published").in_force
    assert again
    assert "wholesale_own" in {table.schema for table in again.tables}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("models/tests/new.sql", "select * from {{ ref('size_sales') }}"),
        ("metrics.yml", FILES["metrics.yml"].replace("is_sale and", "is_sail and")),
    ],
)
def test_of_what_is_left_out_no_metric_is_told_and_ours_are_published_whole(
    own: Marts, path: str, text: str
) -> None:
    Path(path).write_text(text)
    assert own.build().left_out.startswith(f"./{path}")

    assert publish_marts(own.warehouse, "published").result == "published"

    with open_file(find_site(Path("published")).database) as connection:
        told = connection.execute("select metric_name from meta.metrics").fetchall()
        macros = connection.execute(
            "select function_name from duckdb_functions() where schema_name = 'main'"
        ).fetchall()
        with pytest.raises(Unanswerable, match=r"\[build\]"):
            ask(connection, Question(metrics=["sized_sales"]))
    known = set(read_metrics())
    assert {name for (name,) in told} == {*known} - {each.name for each in read_own_metrics()}
    assert {name for (name,) in macros} & known == {name for (name,) in told}


def test_what_was_changed_since_the_build_counts_nothing(own: Marts) -> None:
    text = Path("metrics.yml").read_text().replace("is_sale and", "is_sail and")
    Path("metrics.yml").write_text(text)

    assert publish_marts(own.warehouse, "elsewhere").result == "published"

    with open_file(find_site(Path("elsewhere")).database) as connection:
        told = connection.execute("select metric_name from meta.metrics").fetchall()
    assert ("sales",) in told
    assert ("large_orders",) not in told


def test_reports_alone_have_it_too(own: Marts) -> None:
    assert publish_marts(own.warehouse, "reports", is_only_bi=True).result == "published"

    with open_file(find_site(Path("reports")).database) as connection:
        rows = connection.execute("from wholesale_own.size_sales order by size").fetchall()
        [(by_macro,)] = connection.execute(
            "select sized_sales(b) from wholesale_own.buyer_size as b"
        ).fetchall()
    assert rows == own.rows(SIZES)
    assert by_macro == sum(row[2] for row in rows)

    republish_marts(own.warehouse, "reports")

    with open_file(find_site(Path("reports")).database) as connection:
        schemas = connection.execute(
            "select distinct schema_name from meta.tables where row_count is not null order by 1"
        ).fetchall()
    assert {name for (name,) in schemas} == {"main", "wholesale_bi", "wholesale_own"}


def test_it_is_built_as_of_a_moment_too(own: Marts, tmp_path: Path) -> None:
    ((moment,),) = own.rows("select max(ended_at) from wholesale_raw.sync_runs")

    at = as_utc(moment)
    assert at
    built = build_as_of(own.warehouse, at, tmp_path / "then.duckdb")

    assert built.left_out == ""
    assert Marts(tmp_path / "then.duckdb").rows(
        "from wholesale_own.size_sales order by size"
    ) == own.rows(SIZES)


def test_a_column_of_persons_is_published_only_if_it_is_allowed(
    own: Marts, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("models/contact.sql").write_text(
        "select buyer_id, lower(email) as mail from {{ ref('dim_buyers') }}"
    )
    assert "contact.mail" in own.build().left_out

    monkeypatch.setenv("PRIVACY__PUBLISHED", '["contact.mail"]')
    assert own.build().left_out == ""
    published = publish_marts(own.warehouse, "published")
    assert published.in_force
    assert list(published.in_force.personal) == ["contact.mail"]

    monkeypatch.delenv("PRIVACY__PUBLISHED")
    withheld = publish_marts(own.warehouse, "published")
    assert "contact.mail" in withheld.left_out
    with duckdb.connect("published/wholesale.duckdb", read_only=True) as connection:
        columns = connection.execute("describe wholesale_own.contact").fetchall()
    assert [name for name, *_ in columns] == ["buyer_id"]
    assert "contact.mail" in own.build().left_out


def test_amounts_stay_exact(own: Marts) -> None:
    [(found,)] = own.rows("select sum(sales) from wholesale_own.size_sales")
    [(expected,)] = own.rows(
        "select sum(sub_total) from wholesale_marts.fct_orders where is_sale"
        " and buyer_id is not null"
    )
    assert isinstance(found, Decimal)
    assert found == expected
