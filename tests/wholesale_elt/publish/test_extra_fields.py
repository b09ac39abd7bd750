"""Extra fields are published, described and asked like columns of ours."""

import json
from pathlib import Path

import duckdb
import pytest

from conftest import Loader
from support.records.people import world
from support.records.samples import guid
from support.warehouses.marts import Marts
from support.warehouses.sites import Site
from wholesale.errors import Unanswerable
from wholesale_elt.causes.then import build_as_of
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import (
    BUYERS,
    FULFILMENT,
    LINES,
    LOST_BUYERS,
    ORDERS,
    RECEIVABLES,
    Question,
    ask,
    read_facts,
)
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.publish.site import find_site
from wholesale_elt.runs import as_utc
from wholesale_elt.verification import verify
from wholesale_elt.warehouse import open_file
from wholesale_erasure.erasing import erase
from wholesale_formats import cube
from wholesale_formats.stars import read_published
from wholesale_sandbox.server import Sandbox

pytestmark = pytest.mark.slow
OF = {
    "gift_note": (ORDERS, "fct_orders", "order_id"),
    "is_urgent": (ORDERS, "fct_orders", "order_id"),
    "buyer_tier": (ORDERS, "dim_buyers", "buyer_id"),
    "region_code": (ORDERS, "dim_vendors", "vendor_id"),
    "made_on": (LINES, "dim_items", "item_id"),
    "weight": (LINES, "dim_variants", "variant_id"),
}
"""The table that is counted by a field, and the one that has its column, with what joins both."""
METRICS = {ORDERS: "orders", LINES: "product_lines"}


@pytest.fixture
def extra(marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Marts:
    """A business whose records have extra fields, built with columns of them and published."""
    monkeypatch.chdir(tmp_path)
    fields = (
        *("orders.gift_note", "orders.is_urgent", "buyers.tier as buyer_tier"),
        *("vendors.region_code", "items.made_on date", "variants.weight decimal"),
        *("brands.country_of_origin", "orders.invoice_number"),
    )
    marts.change(
        *(
            f"alter table wholesale_raw.{table} add column {name} {type_}"
            for table, name, type_ in (
                *(("orders", "gift_note", "varchar"), ("orders", "is_urgent", "boolean")),
                *(("buyers", "tier", "varchar"), ("vendors", "region_code", "varchar")),
                *(("items", "made_on", "varchar"), ("variants", "weight", "varchar")),
            )
        ),
        "update wholesale_raw.orders set is_urgent = ascii(id) % 3 = 0,"
        " gift_note = case when ascii(id) % 2 = 0 then 'a, b' end",
        "update wholesale_raw.buyers set tier = case when ascii(id) % 2 = 0 then 'gold' end",
        "update wholesale_raw.vendors set region_code = 'R' || ascii(right(id, 1)) % 2",
        "update wholesale_raw.items set made_on = '2026-01-0' || (1 + ascii(id) % 3)",
        "update wholesale_raw.variants set weight = '1.5' || ascii(id) % 2",
    )
    marts.build()
    assert publish_marts(marts.warehouse, "before").result == "published"
    monkeypatch.setenv("BUILD__EXTRA_FIELDS", json.dumps(fields))
    assert marts.build().warnings == []
    assert publish_marts(marts.warehouse, "published").result == "published"
    return marts


def test_it_is_published_described_and_asked_like_ours(extra: Marts) -> None:
    orders = {"gift_note", "is_urgent", "buyer_tier", "region_code"}
    facts = read_facts()
    assert {table: OF.keys() & fact.dimensions.keys() for table, fact in facts.items()} == {
        **{ORDERS: orders, FULFILMENT: orders, RECEIVABLES: orders},
        **{LINES: OF.keys(), BUYERS: {"buyer_tier"}, LOST_BUYERS: {"buyer_tier"}},
    }
    with open_file(find_site(Path("published")).database) as connection:
        for name, (fact, table, key) in OF.items():
            metric = METRICS[fact]
            expected = connection.execute(
                f"select of.{name}, count(*) from wholesale_marts.{fact} as fact"
                f" left join wholesale_marts.{table} as of using ({key})"
                " where fact.is_sale group by 1"
            ).fetchall()
            found = ask(connection, Question(metrics=[metric], by=[name]))
            assert {row[name]: row[metric] for row in found.rows} == dict(expected)
            assert len(expected) > 1
            described = connection.execute(
                "select contains(description, 'extra_fields') from meta.columns"
                " where table_name = ? and column_name = ?",
                [table, name],
            ).fetchall()
            assert {*described} == {(True,)}
        chosen = ask(connection, Question(metrics=["orders"], where={"gift_note": ["a, b"]}))
        [noted] = connection.execute(
            "select count(*) from orders where gift_note is not null and is_sale"
        ).fetchall()
        assert (chosen.total["orders"],) == noted
        by_buyers = ask(connection, Question(metrics=["lapsed_buyers"], by=["buyer_tier"]))
        lapsed = connection.execute(
            "select buyer_tier, count(*) from wholesale_bi.rpt_reorders"
            " left join wholesale_marts.dim_buyers using (buyer_id) where is_lapsed group by 1"
        ).fetchall()
        assert lapsed != []
        assert {row["buyer_tier"]: row["lapsed_buyers"] for row in by_buyers.rows} == {
            **dict.fromkeys((row["buyer_tier"] for row in by_buyers.rows), 0),
            **dict(lapsed),
        }


def test_it_is_in_the_files_of_the_page_and_of_other_tools(extra: Marts) -> None:
    site = find_site(Path("published"))
    found = read_published(site.database, "USD")
    types = {
        field.name: field.type
        for star in found.stars
        for field in star.dimensions
        if field.name in OF
    }
    assert types == {
        **{"gift_note": "VARCHAR", "is_urgent": "BOOLEAN", "buyer_tier": "VARCHAR"},
        **{"region_code": "VARCHAR", "made_on": "DATE", "weight": types["weight"]},
    }
    assert types["weight"].startswith("DECIMAL")
    assert "made_on" in str(cube.files(found))
    folder = (Path("published") / site.manifest.dashboard).parent
    page = Site(site.database, folder, Path("published"))
    index, kinds = page.content("facts/index"), page.content("facts/kinds")
    assert OF.keys() == {
        name
        for fact in (ORDERS, LINES)
        for names in index[fact]["dimensions"].values()
        for name in names
        if name in OF
    }
    assert {"made_on", "weight"} <= kinds["columns"].keys()
    assert page.content("meta")["fields"] == {
        **{name: name.replace("_", " ").capitalize() for name in OF},
        "invoice_number": "Invoice number",
    }


def test_what_was_published_before_is_refused_with_what_to_do(extra: Marts) -> None:
    with (
        open_file(find_site(Path("before")).database) as connection,
        pytest.raises(Unanswerable, match=r"^gift_note is not in .*: build and publish"),
    ):
        ask(connection, Question(metrics=["orders"], by=["gift_note"]))


def test_it_is_so_as_of_a_moment_too_and_tells_why(extra: Marts, tmp_path: Path) -> None:
    ((moment,),) = extra.rows("select max(ended_at) from wholesale_raw.sync_runs")
    at = as_utc(moment)
    assert at
    build_as_of(extra.warehouse, at, tmp_path / "then.duckdb")
    read = "select order_id, invoice_number from wholesale_marts.fct_orders order by all"
    assert len({number for _, number in extra.rows(read)}) > 10
    assert Marts(tmp_path / "then.duckdb").rows(read) == extra.rows(read)

    extra.change("update wholesale_raw.orders set gift_note = 'c' where gift_note is not null")
    extra.build()
    assert publish_marts(extra.warehouse, "published").result == "published"
    told = why_published(Path("published"), Question(metrics=["orders"], by=["gift_note"]))
    [unchanged, *moved] = sorted(told.difference.rows, key=lambda part: part.difference == 0)[::-1]
    assert unchanged.members == {"gift_note": None}
    assert {part.members["gift_note"] for part in moved} == {"a, b", "c"}
    assert {(part.residue, *(each.cause for each in part.causes)) for part in moved} == {
        (0, "moved")
    }
    assert verify(Path("published")).findings == []


def test_a_vendor_gets_none_of_it(extra: Marts) -> None:
    ((vendor,),) = extra.rows("select min(vendor_id) from wholesale_marts.fct_orders")
    publish_marts(extra.warehouse, "theirs", only=f"vendor={vendor}")
    with duckdb.connect("theirs/wholesale.duckdb", read_only=True) as connection:
        assert connection.execute(
            "select count(*) > 0, count(invoice_number) from wholesale_marts.fct_orders"
        ).fetchall() == [(True, 0)]


def test_what_is_erased_is_gone_from_it(
    sandbox: Sandbox, loader: Loader, monkeypatch: pytest.MonkeyPatch
) -> None:
    for resource, records in world().items():
        for record in records:
            sandbox.put(resource, record)
    loader.load("buyers", "buyer_users", "orders", "vendors")
    monkeypatch.setenv("BUILD__EXTRA_FIELDS", "buyers.loyalty_tier, orders.gift_note")
    built = Marts(loader.warehouse.database)
    built.build()
    read = "select loyalty_tier from wholesale_marts.dim_buyers order by all"
    notes = "select count(gift_note) from wholesale_marts.fct_orders"
    values = "select count(*) from wholesale_marts.dim_extra_fields"
    asked = (read, notes, values)
    assert [built.rows(sql) for sql in asked] == [
        [("zq-undocumented-B1",), ("zq-undocumented-B2",)],
        *([(3,)], [(5,)]),
    ]

    erase(loader.warehouse, guid("B1"), [])

    assert [built.rows(sql) for sql in asked] == [
        [("zq-undocumented-B2",), (None,)],
        *([(1,)], [(2,)]),
    ]
