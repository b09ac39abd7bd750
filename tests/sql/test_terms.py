"""Terms: which texts say after how many days money is due, and what becomes of the others."""

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import duckdb
import psycopg2
import pytest
from dlt.common.configuration.container import Container
from dlt.common.configuration.specs.pluggable_run_context import PluggableRunContext

from sql.recomputation import built_at, differences
from sql.recomputation.books import Books, Settings, read
from support.warehouses.marts import Marts
from support.warehouses.rendered import POSTGRES, called
from wholesale.errors import ConfigurationError
from wholesale_elt.figures import Question, ask
from wholesale_elt.inspect import read_overview
from wholesale_elt.models.settings import read_settings

SAID: Mapping[str | None, int | None] = {
    "Net 30": 30,
    "net30": 30,
    "NET 30": 30,
    "Net-30": 30,
    "net: 45": 45,
    "NET 30 days": 30,
    "net 60 d": 60,
    " \tNet\u00a030 Days. ": 30,
    "N30": 30,
    "n/30": 30,
    "30 days": 30,
    "30 DAYS": 30,
    "30days": 30,
    "14d": 14,
    "30-day": 30,
    "1 day": 1,
    "30 days net": 30,
    "Net 0": 0,
    "net 090": 90,
    "Terms: Net 15": 15,
    "Payment terms: 30 days": 30,
    "payment within 30 days": 30,
    "Due in 10 days": 10,
    "Net 30 from invoice": 30,
    "Net 30 days from date of invoice": 30,
    "30 days after invoice date": 30,
    "2/10 net 30": 30,
    "2/10, n/30": 30,
    "2% 10, Net 30": 30,
    "1.5 % 10 days, net 45 days": 45,
    "2%/10 net 60": 60,
    "Due on receipt": 0,
    "payable upon receipt of invoice": 0,
    "COD": None,
    "Prepaid": None,
    "50 % deposit": None,
    "30": None,
    "30 %": None,
    "net": None,
    "days": None,
    "Net thirty": None,
    "Net 30/60": None,
    "Net 30 EOM": None,
    "30-60 days": None,
    "30 days end of month": None,
    "net 1000": None,
    "net 30 after delivery": None,
    "internet 30": None,
    "3 months": None,
    "2 10 net 30": None,
    "net 30%": None,
    "net \uff130": None,
    "": None,
    None: None,
}
"""Terms, and their days; those without any are told by settings alone."""
DAYS = "days_in_terms('terms')"


def test_terms_that_say_their_days_are_read_and_no_others() -> None:
    days = called(DAYS)
    with duckdb.connect() as connection:
        found = connection.execute(
            f"select terms, {days} from (select unnest(?) as terms)",
            [list(SAID)],
        ).fetchall()
    assert dict(found) == SAID


def test_postgresql_reads_the_same(socket: str) -> None:
    days = called(DAYS, POSTGRES)
    with psycopg2.connect(host=socket, user="postgres", dbname="postgres") as connection:
        cursor = connection.cursor()
        cursor.execute(
            f"select terms, {days} from json_array_elements_text('{json.dumps(list(SAID))}') as"
            " said (terms)"
        )
        assert dict(cursor.fetchall()) == SAID


@pytest.mark.parametrize(
    ("told", "days"),
    [
        ('{"COD": 0}', {"cod": 0}),
        ('{" Net 30\\u00a0": 45, "": 10}', {"net30": 45, "": 10}),
        ('{"Pre paid": 0, "PREPAID": 0}', {"prepaid": 0}),
        ("{}", {}),
        ('{"late": 36500}', {"late": 36500}),
    ],
)
def test_terms_are_set_without_blanks_and_in_small_letters(
    monkeypatch: pytest.MonkeyPatch, told: str, days: Mapping[str, int]
) -> None:
    monkeypatch.setenv("BUILD__TERMS", told)
    assert read_settings().terms == days


def test_terms_are_a_table_of_the_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / ".dlt"
    place.mkdir()
    (place / "config.toml").write_text('[build.terms]\n"50 % deposit" = 14\ncod = 0\n')
    monkeypatch.chdir(tmp_path)
    with Container().injectable_context(PluggableRunContext()):
        found = read_settings()
    assert found.terms == {"50%deposit": 14, "cod": 0}


@pytest.mark.parametrize(
    "told",
    [
        *("x", "[]", "3", '{"cod": -1}', '{"cod": 36501}', '{"cod": 1.5}', '{"cod": "0"}'),
        *('{"cod": true}', '{"cod": null}', '{"a b": 1, "AB": 2}', '{"cod": {"x": 1}}', "{"),
    ],
)
def test_terms_that_cannot_be_right_are_refused(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv("BUILD__TERMS", told)
    with pytest.raises(ConfigurationError, match=r"build\.terms"):
        read_settings()


REPORTS = (
    *("rpt_order_terms", "rpt_receivables", "rpt_receivables_by_buyer"),
    *("rpt_receivables_by_buyer_totals", "rpt_tasks"),
)
ODD = (
    "update wholesale_raw.vendors set order_terms = case n % 6 when 0 then 'Net 15' when 1 then"
    " ' c.o.d. ' when 2 then '2/10, n/45' when 3 then '' when 4 then 'By season' end from (select"
    " id as vendor, row_number() over (order by id) as n from wholesale_raw.vendors)"
    " where vendor = id",
    "update wholesale_raw.orders set payment_status = 'unpaid' where hash(id) % 3 = 0",
    "update wholesale_raw.orders set payment_status = 'by season' where hash(id) % 29 = 0",
    "update wholesale_raw.orders set vendor_id = null where hash(id) % 31 = 0",
    "update wholesale_raw.orders set vendor_id = 'gone' where hash(id) % 37 = 0",
    "update wholesale_raw.orders set buyer_id = 'all' where hash(id) % 41 = 0",
    "update wholesale_raw.orders set buyer_id = null, buyer_company_name = null"
    " where hash(id) % 43 = 0",
    "update wholesale_raw.orders set total = null where hash(id) % 17 = 0",
    "update wholesale_raw.orders set total = 1e20 where hash(id) % 47 = 0",
    "update wholesale_raw.orders set created_at = timestamptz '0001-01-01' where hash(id) % 53 = 0",
    "update wholesale_raw.orders set invoice_generated_at = null where hash(id) % 5 < 3",
    "update wholesale_raw.orders set invoice_generated_at = timestamptz '9000-01-01'"
    " where hash(id) % 59 = 0",
    "update wholesale_raw.orders set status = 'delivered' where status = 'shipped'"
    " and hash(id) % 2 = 0",
    "update wholesale_raw.orders set status = 'shipped', payment_status = 'unpaid'"
    " where status in ('received', 'confirmed') and hash(id) % 2 = 0",
)
"""Everything odd that may be so of what is owed."""
SET = {"c.o.d.": 0, "": 60}


@pytest.fixture(scope="module")
def owed(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> tuple[Marts, Books]:
    """Odd terms, of which a setting explains some, and odd orders."""
    marts = built.copy(tmp_path_factory.mktemp("owed"))
    before = read(marts.database)
    marts.change(*ODD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUILD__TERMS", json.dumps(SET))
        marts.build()
    return marts, Books([before, read(marts.database)], built_at(marts), Settings(terms=SET))


@pytest.mark.slow
@pytest.mark.parametrize("report", REPORTS)
def test_odd_terms_and_orders_are_as_a_second_computation_has_them(
    owed: tuple[Marts, Books], report: str
) -> None:
    assert differences(*owed, report) == []


@pytest.mark.slow
def test_due_days_begin_with_the_first_that_is_known(owed: tuple[Marts, Books]) -> None:
    marts, _ = owed
    found = marts.rows("select distinct due_from from wholesale_bi.rpt_receivables")
    assert {due_from for (due_from,) in found} == {"invoiced", "sent", "ordered", "unknown"}
    assert marts.rows(
        "select count(*) from wholesale_bi.rpt_receivables"
        " where (due_date is null) <> (due_from = 'unknown')"
        " or (due_bucket = 'unknown') <> (due_from = 'unknown')"
    ) == [(0,)]


@pytest.mark.slow
def test_no_order_is_lost(owed: tuple[Marts, Books]) -> None:
    marts, books = owed
    unpaid = [
        order
        for order in books.purchases
        if order.standing == "unknown"
        or (order.standing == "open" and order.order_standing in ("sent", "done", "unknown"))
    ]
    known = sum((order.total for order in unpaid if order.total is not None), Decimal())
    assert len(unpaid) > 100
    for table, condition in (
        ("rpt_receivables_by_buyer", "true"),
        ("rpt_receivables_by_buyer_totals", "buyer_id = 'all' and due_bucket = 'all'"),
        ("rpt_receivables_by_buyer_totals", "buyer_id = 'all' and due_bucket <> 'all'"),
        ("rpt_receivables_by_buyer_totals", "buyer_id <> 'all' and due_bucket = 'all'"),
    ):
        found = marts.rows(
            "select sum(order_count + unknown_order_count),"
            " sum(coalesce(open_amount, 0) + coalesce(unknown_amount, 0))"
            f" from wholesale_bi.{table} where {condition}"
        )
        assert found == [(len(unpaid), known)], (table, condition)


@pytest.mark.slow
@pytest.mark.parametrize("by", [(), ("vendor",), ("due_bucket", "due_from"), ("country", "buyer")])
def test_the_metrics_of_what_is_owed_are_those_of_the_reports(
    owed: tuple[Marts, Books], by: tuple[str, ...]
) -> None:
    marts, _ = owed
    [told] = marts.rows(
        "select order_count, open_amount, overdue_order_count, overdue_amount"
        " from wholesale_bi.rpt_receivables_by_buyer_totals"
        " where buyer_id = 'all' and due_bucket = 'all'"
    )
    metrics = ["open_bills", "open_amount", "overdue_bills", "overdue_amount"]
    with duckdb.connect(str(marts.database), read_only=True) as connection:
        found = ask(connection, Question(metrics=metrics, by=by))
    assert tuple(found.total[name] for name in metrics) == told
    if by:
        assert tuple(sum(row[name] or 0 for row in found.rows) for name in metrics) == told


@pytest.mark.slow
def test_terms_that_nothing_explains_are_asked_for_by_name(owed: tuple[Marts, Books]) -> None:
    marts, _ = owed
    late = marts.rows(
        "select count(*), sum(total) from wholesale_bi.rpt_receivables"
        " where order_terms = 'By season'"
    )
    assert (
        marts.rows(
            "select order_count, amount from wholesale_bi.rpt_tasks"
            " where field_name = 'order_terms' and state = 'By season'"
        )
        == late
    )
    asked = {each.state: each for each in read_overview(marts.warehouse).unknown_states}
    assert {state for state, each in asked.items() if each.field == "order_terms"} == {"By season"}
    assert (asked["By season"].orders, Decimal(asked["By season"].amount or 0)) == late[0]
