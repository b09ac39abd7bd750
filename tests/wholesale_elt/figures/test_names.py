"""A name is no identity: who has no id is told apart by name, and two of one name stay two."""

from collections.abc import Iterator
from decimal import Decimal
from unicodedata import normalize

import duckdb
import pytest

from support.warehouses.edits import COUNTED
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.figures import Question, ask

BUYERS = (
    (None, "Alpha", 300),
    (None, "Beta", 30),
    (None, "Zeta", 3),
    (None, None, 7),
    ("", "Beta", 5),
    ("twin-1", "Twin", 11),
    ("twin-2", "Twin", 13),
    (None, "Twin", 17),
    ("renamed", "Common", 1),
    ("renamed", "Common", 1),
    ("renamed", "Zeta once", 1),
    ("10", "Ten", 19),
    (None, "10", 23),
    ("unal", normalize("NFD", "Ünal & Söhne"), 29),
    ("low", "same name", 31),
    ("high", "SAME NAME", 37),
    ("nfc", normalize("NFC", "Zoë"), 41),
    ("nfd", normalize("NFD", "Zoë"), 43),
    (None, "ada", 47),
    (None, "Ada", 53),
)
"""The buyer's id and name of an order each, and its sub total."""
LINES = (
    ("plate", "P1", "Plate", 2),
    ("plate", "P1", "Plate", 3),
    ("plate", "P1", "zz faulty", 5),
    (None, "P2", "Wrong", 7),
    (None, "P2", "Bowl", 11),
    (None, "P2", "Bowl", 13),
    (None, None, "Loose cup", 17),
    (None, None, "Loose jug", 19),
    ("plate", "T1", "Plate", 23),
    ("plate", "t1", "Plate", 29),
    ("plate", "T1 ", "Plate", 31),
)
"""The item, SKU and title of a line each, and its total price."""


@pytest.fixture(scope="module")
def connection(
    loaded: Marts, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    marts = loaded.copy(tmp_path_factory.mktemp("names"))
    marts.change(
        "create table picked as select id, row_number() over (order by id) as n"
        " from wholesale_raw.orders where status = 'delivered'",
        "update wholesale_raw.orders set sub_total = 0",
        "update wholesale_raw.orders__order_line_items set total_price = 0",
        *(
            f"update wholesale_raw.orders set buyer_id = {text(key)},"
            f" buyer_company_name = {text(name)}, sub_total = {amount},"
            f" vendor_id = {'null' if number % 2 else 'vendor_id'},"
            f" vendor_name = 'Vendor {number % 4}'"
            f" where id = (select id from picked where n = {number})"
            for number, (key, name, amount) in enumerate(BUYERS, 1)
        ),
        *(
            f"update wholesale_raw.orders__order_line_items set item_id = {text(item)},"
            f" sku = {text(sku)}, title = {text(title)}, total_price = {amount}"
            f" where line_number = 1 and order_id = (select id from picked where n = {number})"
            for number, (item, sku, title, amount) in enumerate(LINES, 1)
        ),
        "drop table picked",
    )
    marts.build(*COUNTED, "rpt_catalogue")
    with duckdb.connect(str(marts.database), read_only=True) as opened:
        yield opened


def text(value: str | None) -> str:
    return "null" if value is None else f"'{value}'"


def sales(connection: duckdb.DuckDBPyConnection, metric: str = "sales", **where: str) -> Decimal:
    members = {name: [member or None] for name, member in where.items()}
    amount: Decimal = ask(connection, Question(metrics=[metric], where=members)).total[metric]
    return amount


@pytest.mark.parametrize(
    ("member", "amount"),
    [
        ("Alpha", 300),
        ("alpha", 300),
        ("name:Alpha", 300),
        ("Beta", 35),
        ("Zeta", 3),
        ("", 7),
        ("Twin", 11 + 13 + 17),
        ("twin-1", 11),
        ("name:Twin", 17),
        ("Common", 3),
        ("10", 19),
        ("name:10", 23),
        ("Ünal & Söhne", 29),
        (normalize("NFD", "ünal &  söhne"), 29),
        ("same name", 31),
        ("SAME NAME", 37),
        (normalize("NFC", "Zoë"), 41 + 43),
        ("ZOË", 41 + 43),
        ("name:ada", 47),
        ("Ada", 53),
    ],
)
def test_a_buyer_is_found_by_its_id_or_by_its_one_name(
    connection: duckdb.DuckDBPyConnection, member: str, amount: int
) -> None:
    assert sales(connection, buyer=member) == amount


def test_each_buyer_is_a_row_with_one_name(connection: duckdb.DuckDBPyConnection) -> None:
    found = ask(connection, Question(metrics=["sales"], by=["buyer"]))

    assert [
        (row["buyer"], row["buyer_name"], row["sales"]) for row in found.rows if row["sales"]
    ] == [
        ("name:Alpha", "Alpha", 300),
        ("name:Ada", "Ada", 53),
        ("name:ada", "ada", 47),
        ("nfd", normalize("NFD", "Zoë"), 43),
        ("nfc", normalize("NFC", "Zoë"), 41),
        ("high", "SAME NAME", 37),
        ("name:Beta", "Beta", 35),
        ("low", "same name", 31),
        ("unal", normalize("NFD", "Ünal & Söhne"), 29),
        ("name:10", "10", 23),
        ("10", "Ten", 19),
        ("name:Twin", "Twin", 17),
        ("twin-2", "Twin", 13),
        ("twin-1", "Twin", 11),
        (None, None, 7),
        ("name:Zeta", "Zeta", 3),
        ("renamed", "Common", 3),
    ]


def test_vendors_products_and_skus_are_told_apart_alike(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    of = "product_sales"
    assert sales(connection, vendor="name:Vendor 1") == sum(a for *_, a in BUYERS[0::4])
    assert sales(connection, of, product="Plate") == 10 + 23 + 29 + 31
    assert sales(connection, of, product="Loose cup") == 17
    assert sales(connection, of, sku="Bowl") == 31
    assert sales(connection, of, sku="Loose jug") == 19
    for row in ask(connection, Question(metrics=[of], by=["sku"])).rows:
        assert sales(connection, of, sku=row["sku"] or "") == row[of]
    for dimension, names in (
        ("product", {"plate": "Plate", "name:Bowl": "Bowl", "name:Wrong": "Wrong"}),
        ("sku", {"P1": "Plate", "P2": "Bowl", "name:Loose cup": "Loose cup"}),
    ):
        rows = ask(connection, Question(metrics=[of], by=[dimension])).rows
        told = {row[dimension]: row[f"{dimension}_name"] for row in rows}
        assert told | names == told
    assert connection.execute(
        "select item_title from wholesale_bi.rpt_catalogue where sku in ('P1', 'P2') order by all"
    ).fetchall() == [("Bowl",), ("Plate",)]


@pytest.mark.parametrize("member", ["Zeta once", "Same Name", "ADA", "zz faulty", "null", " "])
def test_what_is_the_name_of_none_or_of_several_is_refused(
    connection: duckdb.DuckDBPyConnection, member: str
) -> None:
    with pytest.raises(Unanswerable):
        sales(connection, buyer=member)


def test_an_empty_list_of_members_is_refused(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(Unanswerable):
        ask(connection, Question(metrics=["sales"], where={"buyer": []}))


def test_reports_name_a_buyer_alike(connection: duckdb.DuckDBPyConnection) -> None:
    assert connection.execute(
        "select buyer_id, company_name from wholesale_bi.rpt_reorders"
        " where buyer_id in ('renamed', 'twin-1') order by all"
    ).fetchall() == [("renamed", "Common"), ("twin-1", "Twin")]
