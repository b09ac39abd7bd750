"""Undocumented fields that a setting names are columns of marts, in their type or NULL."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.paths import ROOT
from support.services import postgres
from support.warehouses.added import add
from support.warehouses.destinations import differences_in
from support.warehouses.marts import Marts
from support.warehouses.rendered import DUCKDB
from wholesale.errors import ConfigurationError
from wholesale_elt.figures import FACTS, ORDERS, read_facts
from wholesale_elt.models.build import build_models
from wholesale_elt.models.contract import read_contract
from wholesale_elt.models.own.fields import DIMENSIONS, read_fields
from wholesale_elt.models.own.reading import read_added
from wholesale_elt.models.rendering import NotRendered, Own, field_of, read_project
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.warehouse.destination import Warehouse

Set = Callable[..., None]
SENT: Mapping[str, Mapping[str, Any]] = {
    "bigint": {"12": 12, " -3 ": -3, "1e3": 1000, "2.0": 2, "2.5": None, "twelve": None, "": None},
    "boolean": {"true": True, "FALSE": False, "t": None, "1": None, "yes": None},
    "date": {"2026-02-28": date(2026, 2, 28), "2026-02-30": None, "2026-2-1": None, "today": None},
    "decimal": {
        **{
            "1.50": Decimal("1.5"),
            "-.25": Decimal("-0.25"),
            "7.": Decimal(7),
            "1e3": Decimal(1000),
        },
        **{"0.123456789": Decimal("0.123456789"), "0.1234567891": None, "1,5": None, "NaN": None},
        **{"1e40": None, "0.1000000000": Decimal("0.1")},
    },
    "json": {'{"a": 1}': '{"a": 1}', "{a": None},
    "text": {" as sent ": " as sent ", "": ""},
    "timestamptz": {
        "2026-02-28T10:00:00+02:00": datetime(2026, 2, 28, 8, tzinfo=UTC),
        **{"2026-02-28": datetime(2026, 2, 28, tzinfo=UTC), "yesterday": None, "10:00": None},
    },
}
"""Values as they were sent, and as their column has them; NULL if they are none of its type."""


@pytest.fixture
def set_(monkeypatch: pytest.MonkeyPatch) -> Set:
    def fields(*entries: str) -> None:
        monkeypatch.setenv("BUILD__EXTRA_FIELDS", json.dumps(entries))

    return fields


@pytest.mark.parametrize("type_", SENT)
def test_a_value_has_the_type_of_its_column_or_is_none_and_is_never_another(type_: str) -> None:
    fields = [field_of(f"orders.sent {type_}")]
    column = read_project(DUCKDB, own=Own(fields=tuple(fields))).raw["orders"]["sent"]

    with duckdb.connect() as connection:
        connection.execute("set timezone = 'UTC'")
        connection.execute("create table sent (sent text)")
        connection.executemany("insert into sent values (?)", [[each] for each in SENT[type_]])
        found = dict(connection.execute(f"select sent, {column.cast} from sent").fetchall())

    assert {name: (type(value), value) for name, value in found.items()} == {
        name: (type(value), value) for name, value in SENT[type_].items()
    }


WRONG = [
    ("orders", r"orders\.some_field"),
    ("orders.a b c", r"orders\.some_field"),
    ("orders.a;drop", r"orders\.some_field"),
    ("ordrs.a", "did you mean orders"),
    ("orders.a flot", "flot is no type; use bigint"),
    ("orders.vendor_name", "no extra field"),
    ("orders._extra", "no extra field"),
    ("orders.valid_from", "no extra field"),
    ("orders.line_count", "a column of fct_orders"),
    ("items.sub_total", "a column of fct_orders"),
    ("orders.group", "called group in SQL"),
    ("orders.a as B", "called B in SQL"),
    ("buyers.weekday", "buyers.weekday as other_name"),
    ("buyers.tier as sales", "something else of figures"),
    ("orders.month", "something else of figures"),
    ("orders.a,buyers.a", "a is there twice"),
    ("orders.a,orders.a as b", "a is there twice"),
    ("orders.phone", r'privacy.published = \["fct_orders.phone"\]'),
    ("orders.e_mail", "orders.e_mail as email"),
    ("orders.who as full_name", "can identify a person"),
]


@pytest.mark.parametrize(("value", "said"), WRONG)
def test_a_mistake_is_one_line_with_the_setting_and_its_place(
    value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD__EXTRA_FIELDS", value)
    with pytest.raises(ConfigurationError, match=said) as failure:
        read_added()

    place = "setting build.extra_fields (BUILD__EXTRA_FIELDS in the environment)"
    assert str(failure.value).startswith(place)
    assert "\n" not in str(failure.value)


def test_the_example_of_the_readme_is_right() -> None:
    readme = (ROOT / "sql/README.md").read_text("utf-8")
    [example] = [
        text
        for text in re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
        if "extra_fields" in text
    ]

    fields = read_fields(tomllib.loads(example)["build"]["extra_fields"])

    assert [(each.mart, each.column, each.type) for each in fields] == [
        ("dim_buyers", "buyer_tier", ""),
        ("fct_orders", "gross_weight", "decimal(38, 9)"),
        ("fct_orders", "invoice_number", ""),
    ]


def test_a_field_that_can_identify_a_person_is_one_that_a_setting_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BUILD__EXTRA_FIELDS", "orders.e_mail as email")
    monkeypatch.setenv("PRIVACY__PUBLISHED", "fct_orders.email")
    [field] = read_added().own.fields
    assert (field.name, field.column) == ("e_mail", "email")


def test_a_field_that_models_assume_is_refused_by_a_build() -> None:
    field = field_of("orders.invoice_generated_at text")
    with pytest.raises(NotRendered, match=r"^setting build\.extra_fields: .*no extra field"):
        read_project(DUCKDB, own=Own(fields=(field,)))


def test_names_of_dimensions_are_taken() -> None:
    """Those of figures, which come later, are all named."""
    assert {name for fact in FACTS.values() for name in fact.dimensions} == DIMENSIONS - {
        "product_id"
    }


@pytest.mark.parametrize("name", ["orders", "orders.a b", "orders.a;drop", ".x"])
def test_a_field_is_named_with_its_table(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(name))):
        ModelSettings(extra_fields=(name,))


@pytest.mark.slow
def test_columns_are_typed_and_described_and_go_with_their_setting(marts: Marts, set_: Set) -> None:
    """Rows of orders, buyers and items; of a kind that was never loaded, and that has no mart."""
    before = marts.contents()
    marts.change(
        *(
            f"alter table wholesale_raw.{table} add column {name} {type_}"
            for table, name, type_ in (
                *(("orders", "gift_note", "varchar"), ("orders", "weight", "varchar")),
                *(("orders", "boxes", "bigint"), ("buyers", "tier", "varchar")),
                *(("items", "made_on", "varchar"), ("prices", "source", "varchar")),
            )
        ),
        "create temp table few as select id, row_number() over (order by id) as n"
        " from wholesale_raw.orders qualify n <= 3",
        "update wholesale_raw.orders set gift_note = 'for ' || n, boxes = n,"
        " weight = case n when 1 then '1.50' when 2 then 'heavy' end from few"
        " where orders.id = few.id",
        "update wholesale_raw.buyers set tier = 'gold'"
        " where id = (select min(id) from wholesale_raw.buyers)",
        "update wholesale_raw.items set made_on = '2026-01-02'"
        " where id = (select min(id) from wholesale_raw.items)",
        "update wholesale_raw.prices set source = 'list'"
        " where id = (select min(id) from wholesale_raw.prices)",
    )
    set_(
        *("orders.gift_note", "orders.weight decimal", "orders.boxes", "orders.later date"),
        *("buyers.tier as buyer_tier", "items.made_on date", "prices.source"),
    )

    built = marts.build()

    assert {each.test: each.rows for each in built.warnings} == {"extra_fields_of_another_type": 1}
    assert marts.rows(
        "select gift_note, weight, boxes, later from wholesale_marts.fct_orders"
        " where gift_note is not null order by gift_note"
    ) == [
        ("for 1", Decimal("1.5"), 1, None),
        ("for 2", None, 2, None),
        ("for 3", None, 3, None),
    ]
    assert marts.rows(
        "select column_name, data_type, comment is not null from duckdb_columns()"
        " where schema_name in ('wholesale_marts', 'wholesale_bi') and column_name in"
        " ('gift_note', 'weight', 'boxes', 'later', 'buyer_tier', 'made_on', 'source')"
        " order by table_name, column_index"
    ) == [
        ("buyer_tier", "VARCHAR", True),
        ("made_on", "DATE", True),
        ("boxes", "BIGINT", True),
        ("gift_note", "VARCHAR", True),
        ("later", "DATE", True),
        ("weight", "DECIMAL(38,9)", True),
    ]
    assert marts.rows(
        "select buyer_tier, count(*) from wholesale_marts.dim_buyers"
        " where buyer_tier is not null group by 1"
    ) == [("gold", 1)]
    assert marts.rows(
        "select made_on, count(*) from wholesale_marts.dim_items"
        " where made_on is not null group by 1"
    ) == [(date(2026, 1, 2), 1)]
    assert marts.rows(
        "select record_kind, field_name, field_value, is_of_its_type"
        " from wholesale_marts.dim_extra_fields order by all"
    ) == [
        ("buyers", "tier", "gold", True),
        ("items", "made_on", "2026-01-02", True),
        *(("orders", "boxes", str(n), True) for n in (1, 2, 3)),
        *(("orders", "gift_note", f"for {n}", True) for n in (1, 2, 3)),
        ("orders", "weight", "1.50", True),
        ("orders", "weight", "heavy", False),
        ("prices", "source", "list", True),
    ]
    described = read_contract("marts")["fct_orders"].columns["weight"]
    assert (described.type, "`weight`" in described.description) == ("decimal(38, 9)", True)
    assert marts.build().models == 0

    marts.change("update wholesale_raw.orders set weight = '2' where weight = 'heavy'")
    assert marts.build().warnings == []
    assert marts.rows(
        "select weight from wholesale_marts.fct_orders where weight is not null order by 1"
    ) == [(Decimal("1.5"),), (Decimal(2),)]

    set_()
    marts.build()
    assert marts.contents() == before
    assert "weight" not in read_contract("marts")["fct_orders"].columns


@pytest.mark.slow
def test_they_stay_where_models_of_users_are_left_out(
    marts: Marts, set_: Set, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch)
    set_("orders.invoice_number")
    assert marts.build().left_out == ""
    before = marts.contents()

    for text in (b"select nope", b"select '\xff'"):
        (tmp_path / "models/new.sql").write_bytes(text)
        assert "new.sql" in marts.build().left_out
        assert marts.contents() == before
    assert "invoice_number" in read_facts()[ORDERS].dimensions
    assert marts.build().models == 0


@pytest.mark.slow
def test_postgresql_builds_the_same(
    marts: Marts, set_: Set, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = [f"{type_}_sent" for type_ in SENT]
    sent = [list(values) for values in SENT.values()]
    marts.change(
        *(f"alter table wholesale_raw.orders add column {name} varchar" for name in columns),
        *(
            f"update wholesale_raw.orders set {name} = ({values})[n] from (select id as key,"
            " row_number() over (order by id) as n from wholesale_raw.orders) as few where id = key"
            for name, values in zip(columns, sent, strict=True)
        ),
    )
    set_(*(f"orders.{name} {type_}" for name, type_ in zip(columns, SENT, strict=True)))
    read = f"select {', '.join(columns)} from wholesale_marts.fct_orders order by order_id"
    built = marts.build()
    expected = marts.rows(read)
    assert expected[0] == tuple(next(iter(values.values())) for values in SENT.values())

    with postgres.serving(monkeypatch) as socket:
        postgres.copy_raw(marts.database, socket)
        monkeypatch.setenv(
            "DESTINATION__POSTGRES__CREDENTIALS",
            f"postgresql://postgres:unused@localhost/postgres?host={socket}",
        )
        again = build_models(Warehouse(Path(), "postgres"))
        with closing(postgres.connect(socket)) as connection, connection.cursor() as cursor:
            cursor.execute(read)
            assert plain(cursor.fetchall()) == plain(expected)
    assert [each.rows for each in again.warnings] == [each.rows for each in built.warnings]


@pytest.mark.long
def test_another_engine_builds_the_same(
    marts: Marts, set_: Set, socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_("orders.invoice_number", "buyers.tier as buyer_tier date")
    marts.build()
    invoices = "select count(distinct invoice_number) > 10 from wholesale_marts.fct_orders"
    assert marts.rows(invoices) == [(True,)]
    monkeypatch.setenv("BUILD__ENGINE", "sail")
    monkeypatch.chdir(tmp_path)

    assert differences_in(marts, "lake", tmp_path, socket, monkeypatch) == []


def plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """JSON is text in one driver, and an object in the other."""
    place = list(SENT).index("json")
    return [
        tuple(
            json.loads(value) if number == place and isinstance(value, str) else value
            for number, value in enumerate(row)
        )
        for row in rows
    ]
