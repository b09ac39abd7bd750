"""Places: countries and states by all their codes and names, at each door by the one that is
published."""

from pathlib import Path

import duckdb
import psycopg2
import pycountry
import pytest

from sql.recomputation.places import country_name
from support.warehouses.marts import Marts
from support.warehouses.rendered import POSTGRES, called
from wholesale_elt.figures import Question, ask
from wholesale_elt.places.names import LEFT_OUT, LETTERS, known_places, place_key

WRITTEN = [
    (("US", "CA"), ("United States", "California")),
    ((" us\t", "california "), ("United States", "California")),
    (("USA", "US-CA"), ("United States", "California")),
    (("United States of America", "CALIFORNIA"), ("United States", "California")),
    (("U.S.A.", "N. Y."), ("United States", "New York")),
    (("unitedstates", "NEW\u00a0YORK"), ("United States", "New York")),
    (("CA", "QUÉBEC"), ("Canada", "Quebec")),
    (("can", "Newfoundland & Labrador"), ("Canada", "Newfoundland and Labrador")),
    (("UK", None), ("United Kingdom", None)),
    (("GBR", "Cymru"), ("United Kingdom", "Wales")),
    (("United Kingdom", "County Durham"), ("United Kingdom", "Durham, County")),
    (("TURKEY", "\u0130ZM\u0130R"), ("Türkiye", "İzmir")),
    (("Cote d\u2019Ivoire", ""), ("Côte d'Ivoire", None)),
    (("Me\u0301xico", "CMX"), ("Mexico", "Ciudad de México")),
    (("IN", "Punjab"), ("India", "Punjab")),
    (("PK", "PB"), ("Pakistan", "Punjab")),
    (("US", "GA"), ("United States", "Georgia")),
    (("GE", None), ("Georgia", None)),
    (("Guinea Bissau", "BA"), ("Guinea-Bissau", "Bafatá")),
    (("ES", "Islas Baleares"), ("Spain", "Illes Balears")),
    (("SE", "AB"), ("Sweden", "Stockholms län")),
    (("Vietnam", None), ("Vietnam", None)),
    (("Viet Nam", None), ("Vietnam", None)),
    (("congo", None), ("Congo", None)),
    (("St. Lucia", None), ("Saint Lucia", None)),
    # What the tables do not know, or know twice, stays as it is.
    (("Korea", None), ("Korea", None)),
    (("Virgin Islands", None), ("Virgin Islands", None)),
    ((" EIRE ", "CA "), ("EIRE", "CA")),
    (("England", "Kent"), ("England", "Kent")),
    ((None, "CA"), (None, "CA")),
    (("  ", " CA"), (None, "CA")),
    (("US", "AE"), ("United States", "AE")),
    (("US", "Ontario"), ("United States", "Ontario")),
    (("California", None), ("California", None)),
    (("AR-E", None), ("AR-E", None)),
    (("unknown", "all"), ("unknown", "all")),
]
"""Country and state as they are written, and as they are published."""


def literal(text: str | None) -> str:
    return "null" if text is None else "'" + text.replace("'", "''") + "'"


@pytest.fixture(scope="module")
def placed(loaded: Marts, tmp_path_factory: pytest.TempPathFactory) -> Marts:
    """One order, buyer and vendor each for as many of these as there are."""
    marts = loaded.copy(tmp_path_factory.mktemp("placed"))
    rows = ", ".join(
        f"({number}, {literal(country)}, {literal(state)})"
        for number, ((country, state), _) in enumerate(WRITTEN, 1)
    )
    marts.change(
        f"create table written as from (values {rows}) as rows (n, country, state)",
        *(
            f"create table numbered_{table} as select id, row_number() over (order by id) as n"
            f" from wholesale_raw.{table}"
            for table in ("orders", "buyers", "vendors")
        ),
        *(
            f"update wholesale_raw.{table} set {before}country = written.country,"
            f" {before}state = written.state from numbered_{table} as numbered, written"
            f" where {table}.id = numbered.id and numbered.n = written.n"
            for table, before in (
                ("orders", "shipping_"),
                ("orders", "billing_"),
                ("buyers", ""),
                ("vendors", ""),
            )
        ),
    )
    marts.build("fct_orders", "dim_as_of", "dim_buyers", "dim_vendors")
    return marts


@pytest.mark.parametrize(
    ("table", "before", "key"),
    [
        ("fct_orders", "shipping_", "order_id"),
        ("fct_orders", "billing_", "order_id"),
        ("dim_buyers", "", "buyer_id"),
        ("dim_vendors", "", "vendor_id"),
    ],
)
def test_a_place_has_one_name_however_it_is_written(
    placed: Marts, table: str, before: str, key: str
) -> None:
    raw = {"fct_orders": "orders", "dim_buyers": "buyers", "dim_vendors": "vendors"}[table]
    found = placed.rows(
        f"select {before}country, {before}state from wholesale_marts.{table}"
        f" inner join numbered_{raw} as numbered on {key} = numbered.id"
        f" where n <= {len(WRITTEN)} order by n"
    )
    assert found == [named for _, named in WRITTEN[: len(found)]]
    assert len(found) == len(WRITTEN) or table == "dim_vendors"


def test_staging_has_what_the_service_sends(placed: Marts) -> None:
    assert placed.rows(
        "select shipping_country, shipping_state from wholesale_staging.stg_wholesale__orders"
        f" inner join numbered_orders on order_id = id where n <= {len(WRITTEN)} order by n"
    ) == [written for written, _ in WRITTEN]


@pytest.mark.parametrize(
    ("dimension", "names", "members"),
    [
        ("country", ["us"], {"United States"}),
        ("country", ["United Kingdom", "GBR"], {"United Kingdom"}),
        ("country", ["eire"], {"EIRE"}),
        ("state", ["US-CA"], {"United States-California"}),
        ("state", ["usa-new york", "ca-qc"], {"United States-New York", "Canada-Quebec"}),
        ("state", ["Guinea-Bissau-Bafata"], {"Guinea-Bissau-Bafatá"}),
        ("state", ["Georgia"], {"Georgia"}),
        ("state", ["pk-punjab"], {"Pakistan-Punjab"}),
    ],
)
def test_a_filter_finds_a_place_however_it_is_written(
    placed: Marts, dimension: str, names: list[str], members: set[str]
) -> None:
    with duckdb.connect(str(placed.database), read_only=True) as connection:
        question = Question(metrics=["orders_placed"], by=[dimension], where={dimension: names})
        found = ask(connection, question)
        everything = ask(connection, Question(metrics=["orders_placed"], by=[dimension]))
    assert {row[dimension] for row in found.rows} == members
    assert found.rows == [row for row in everything.rows if row[dimension] in members]


def test_each_country_and_state_of_the_tables_is_known_by_its_codes_and_its_name() -> None:
    known = known_places()
    names = {}
    for country in pycountry.countries:
        name = names[country.alpha_2] = getattr(country, "common_name", country.name)
        texts = {country.alpha_2, country.alpha_3.lower(), country.name.upper(), name}
        assert {known.country(text) for text in texts} == {name}
        assert {country_name(text) for text in texts} == {name}
    for state in pycountry.subdivisions:
        place = f"{names[state.country_code]}-{state.name.partition(' [')[0]}"
        assert {known.place(text) for text in (state.code, place)} == {place}


def texts() -> list[str]:
    """Texts of all letters and signs, each between others."""
    odd = {*"".join(LETTERS.values()), *LEFT_OUT, *"&ßøŒ中Ж\u00a0\u2003\t\n", "&amp;"}
    return [
        *(f"Ab{char}c D" for char in sorted(odd)),
        *(text for written, named in WRITTEN for text in (*written, *named) if text),
    ]


KEY = "place_key('said')"


def test_what_is_compared_is_the_same_in_python_and_sql() -> None:
    with duckdb.connect() as connection:
        statement = f"select said, {called(KEY)} from (select unnest($1::text[]) as said)"
        found = dict(connection.execute(statement, [texts()]).fetchall())
    assert found == {text: place_key(text) for text in texts()}


def test_what_is_compared_is_the_same_on_postgresql(socket: str) -> None:
    with psycopg2.connect(host=socket, user="postgres", dbname="postgres") as connection:
        cursor = connection.cursor()
        statement = f"select said, {called(KEY, POSTGRES)} from (select unnest(%s) as said) as rows"
        cursor.execute(statement, [texts()])
        found = dict(cursor.fetchall())
    assert found == {text: place_key(text) for text in texts()}


def test_rows_are_written_again_only_where_another_release_made_them(
    loaded: Marts, tmp_path: Path
) -> None:
    marts = loaded.copy(tmp_path / "again")
    marts.build("dim_vendors")
    place = "select rowid, * from wholesale_build.places order by all"
    before = marts.rows(place)
    marts.build("dim_vendors")
    assert marts.rows(place) == before

    marts.change("update wholesale_build.places set place_key = 'x', made_of = 'an earlier one'")
    marts.build("dim_vendors")
    assert [row[1:] for row in marts.rows(place)] == [row[1:] for row in before]
