"""Pages: what the site has, each with the question that it answers and the tables it reads."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

COUNTED = (
    *("fct_orders", "fct_order_lines", "dim_vendors", "dim_buyers", "dim_items", "dim_names"),
    *("dim_as_of", "rpt_order_states", "dim_buyer_users", "dim_variants", "dim_categories"),
    *("rpt_goals", "rpt_sales_outlook", "rpt_sales_outlook_totals"),
)
"""What figures count, on any page."""
NEWS = ("dim_settings", "rpt_events", "rpt_sync_runs")
"""What tells of news, besides orders."""

ON_NO_OTHER_PAGE = (
    *("rpt_account_managers", "rpt_buyer_concentration", "rpt_buyer_concentration_totals"),
    *("rpt_buyer_headlines", "rpt_catalogue_classes", "rpt_catalogue_classes_totals"),
    *("rpt_daily_sales", "rpt_geography", "rpt_lost_buyers", "rpt_minimum_order_totals"),
    *("rpt_open_orders", "rpt_open_orders_totals", "rpt_order_terms", "rpt_orders"),
    *("rpt_payment_ageing", "rpt_periods", "rpt_price_realisation"),
    *("rpt_product_sales_by_period", "rpt_receivables_by_buyer", "rpt_sales_by_period"),
    *("rpt_sales_by_period_totals", "rpt_unusual", "rpt_unusual_record", "rpt_vendor_scorecard"),
)
"""Reports that only their own page shows."""


class Page(Struct, frozen=True):
    """A page of the site; `models` are the marts and reports that it reads."""

    name: str
    title: str
    question: str
    models: Sequence[str] = ()


PAGES: Sequence[Page] = (
    Page(
        "today",
        "Today",
        "What is new, and what is there to do?",
        (*(*COUNTED, *NEWS, "rpt_tasks", "rpt_receivables"),),
    ),
    Page("sales", "Sales", "How is business, and what moved?", COUNTED),
    Page(
        "buyers",
        "Buyers",
        "Who buys, and who is about to be lost?",
        (
            *(*COUNTED, "rpt_reorders", "rpt_buyer_cohorts", "rpt_receivables_by_buyer_totals"),
            *("rpt_receivables", "rpt_events", "fct_order_line_changes", "rpt_next_orders"),
        ),
    ),
    Page(
        "next",
        "Who orders next",
        "Who orders next, when, and how often was that right?",
        (
            *("rpt_next_orders", "rpt_forecast_record", "rpt_forecast_record_totals"),
            *("rpt_due_weeks", "rpt_sales_outlook", "rpt_sales_outlook_totals", "dim_names"),
        ),
    ),
    Page(
        "calls",
        "Calls",
        "Whom to call, and what is there to say?",
        (
            *("rpt_call_sheet", "rpt_call_sheet_products", "rpt_receivables", "dim_buyers"),
            *("dim_as_of", "fct_orders", "fct_order_comments", "rpt_tasks", "rpt_next_orders"),
        ),
    ),
    Page(
        "products",
        "Products",
        "What sells, and what does not?",
        (
            *(*COUNTED, "rpt_catalogue", "rpt_price_changes"),
            *("fct_list_prices", "dim_price_lists", "rpt_bought_together", "dim_item_images"),
            *("dim_item_options", "dim_variant_options"),
        ),
    ),
    Page(
        "vendors",
        "Vendors",
        "How does each vendor do?",
        (
            *(*COUNTED, "fct_vendor_minimums", "rpt_minimum_orders"),
            *("rpt_fulfilment_steps", "rpt_fulfilment"),
        ),
    ),
    Page(
        "orders",
        "Orders",
        "Which orders are these?",
        (
            *(*COUNTED, "fct_order_comments", "fct_order_status_changes"),
            *("fct_order_line_changes", "rpt_events"),
        ),
    ),
    Page(
        "fulfilment",
        "Fulfilment",
        "Which orders wait, and for how long?",
        (
            *(*COUNTED, "rpt_fulfilment", "rpt_fulfilment_states"),
            "rpt_fulfilment_steps_totals",
        ),
    ),
    Page("changes", "Changes", "What changed, and why did a figure move?", (*COUNTED, *NEWS)),
    Page(
        "closed",
        "Closed months",
        "What did a month say when it was closed, and what moved it since?",
        ("fct_orders",),
    ),
    Page("explore", "Explore", "Any figure by anything.", COUNTED),
    Page("reports", "Reports", "What does each report say?", ON_NO_OTHER_PAGE),
    Page(
        "health",
        "Health",
        "Can these figures be trusted?",
        (
            *("rpt_freshness", "rpt_sync_runs", "rpt_reconciliation", "rpt_quarantine"),
            *("rpt_set_aside", "rpt_currencies", "rpt_headlines", "rpt_health_headlines"),
        ),
    ),
    Page("glossary", "Glossary", "What do the words mean?"),
)
"""All pages, as the rail lists them; the first is the one that opens."""


def are_reports(models: Iterable[str]) -> bool:
    """Whether they are all there where only reports were published."""
    return all(name.startswith("rpt_") for name in models)
