"""A second computation of every report, from the definitions in words and the raw rows alone."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial

from support.warehouses.marts import Marts

from . import (
    baskets,
    buyers,
    calls,
    events,
    forecasts,
    health,
    orders,
    outlooks,
    owed,
    periods,
    prices,
    products,
    sales,
    steps,
    tasks,
    unusual,
)
from .arithmetic import Row
from .books import Books

Report = Callable[[Books], Iterable[Row]]


def apart(name: str, report: Report) -> dict[str, Report]:
    """A report, and in one of its own the sums of its rows, of which a key is `all`."""

    def rows(books: Books, *, are_sums: bool) -> Iterable[Row]:
        keys = ("vendor_id", "state", "age_bucket", "buyer_id", "due_bucket", "dimension", "part")
        return (
            row for row in report(books) if ("all" in [row.get(key) for key in keys]) is are_sums
        )

    return {
        name: partial(rows, are_sums=False),
        f"{name}_totals": partial(rows, are_sums=True),
    }


def no_goals(books: Books) -> Iterable[Row]:
    """Without a file of goals there is none; those of a file are figures, see `test_goals`."""
    return ()


def next_orders(books: Books) -> Iterable[Row]:
    return forecasts.next_orders(books, buyers.reorders(books))


REPORTS: Mapping[str, Report] = {
    "rpt_account_managers": buyers.account_managers,
    "rpt_bought_together": baskets.bought_together,
    "rpt_buyer_cohorts": buyers.buyer_cohorts,
    **apart("rpt_buyer_concentration", buyers.buyer_concentration),
    "rpt_buyer_headlines": buyers.buyer_headlines,
    "rpt_call_sheet": calls.call_sheet,
    "rpt_call_sheet_products": calls.call_sheet_products,
    "rpt_catalogue": products.catalogue,
    **apart("rpt_catalogue_classes", products.catalogue_classes),
    "rpt_currencies": health.currencies,
    "rpt_daily_sales": sales.daily_sales,
    "rpt_due_weeks": forecasts.due_weeks,
    "rpt_events": events.events,
    **apart("rpt_forecast_record", forecasts.record),
    "rpt_freshness": health.freshness,
    "rpt_fulfilment": tasks.fulfilment,
    "rpt_fulfilment_states": steps.states,
    **apart("rpt_fulfilment_steps", steps.by_step),
    "rpt_geography": sales.geography,
    "rpt_goals": no_goals,
    "rpt_headlines": sales.headlines,
    "rpt_health_headlines": health.health_headlines,
    "rpt_lost_buyers": buyers.lost_buyers,
    "rpt_minimum_order_totals": orders.minimum_order_totals,
    "rpt_minimum_orders": orders.minimum_orders,
    "rpt_next_orders": next_orders,
    **apart("rpt_open_orders", orders.open_orders),
    "rpt_order_states": orders.order_states,
    "rpt_order_terms": owed.order_terms,
    "rpt_orders": orders.orders,
    "rpt_payment_ageing": orders.payment_ageing,
    "rpt_periods": periods.told,
    "rpt_price_changes": prices.price_changes,
    "rpt_price_realisation": prices.price_realisation,
    "rpt_product_sales_by_period": products.product_sales_by_period,
    "rpt_quarantine": health.quarantine,
    "rpt_receivables": owed.receivables,
    **apart("rpt_receivables_by_buyer", owed.by_buyer),
    "rpt_reconciliation": health.reconciliation,
    "rpt_reorders": buyers.reorders,
    **apart("rpt_sales_by_period", sales.sales_by_period),
    **apart("rpt_sales_outlook", outlooks.sales_outlook),
    "rpt_set_aside": health.set_aside,
    "rpt_sync_runs": health.sync_runs,
    "rpt_tasks": tasks.tasks,
    "rpt_unusual": unusual.unusual,
    "rpt_unusual_record": unusual.unusual_record,
    "rpt_vendor_scorecard": sales.vendor_scorecard,
}
"""The recomputation of each report."""


def built_at(marts: Marts) -> datetime:
    """When the models were built: the one thing that no raw row tells."""
    ((moment,),) = marts.rows("select distinct built_at from wholesale_bi.rpt_freshness")
    assert isinstance(moment, datetime)
    return moment


def differences(marts: Marts, books: Books, report: str) -> list[str]:
    """Rows and values that a report and its recomputation do not share, a line each."""
    names = [name for name, *_ in marts.rows(f"describe wholesale_bi.{report}")]
    key = names[0]
    rows = marts.rows(f"select * from wholesale_bi.{report}")
    found = {row[0]: dict(zip(names, row, strict=True)) for row in rows}
    again = list(REPORTS[report](books))
    computed = {row[key]: row for row in again}
    assert len(computed) == len(again), f"{report} was computed with a key twice"
    lines = [
        *(f"only in {report}: {found[one]}" for one in found.keys() - computed.keys()),
        *(f"not in {report}: {computed[one]}" for one in computed.keys() - found.keys()),
    ]
    for one in found.keys() & computed.keys():
        assert found[one].keys() == computed[one].keys()
        lines += [
            f"{report} {one}, {name}: {found[one][name]}, computed {value}"
            for name, value in computed[one].items()
            if found[one][name] != value
        ]
    return lines
