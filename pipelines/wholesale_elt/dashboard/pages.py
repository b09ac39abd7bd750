"""Pages: what the site has, each with the question that it answers and the tables it reads."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

COUNTED = (
    *("fct_orders", "fct_order_lines", "dim_vendors", "dim_buyers", "dim_items", "dim_names"),
    *("dim_as_of", "rpt_order_states", "dim_buyer_users", "dim_variants", "dim_categories"),
)
"""What figures count, on any page."""
NEWS = ("dim_settings", "rpt_events", "rpt_sync_runs")
"""What tells of news, besides orders."""


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
        (*COUNTED, "rpt_reorders", "rpt_buyer_cohorts", "rpt_receivables_by_buyer_totals"),
    ),
    Page(
        "calls",
        "Calls",
        "Whom to call, and what is there to say?",
        (
            *("rpt_call_sheet", "rpt_call_sheet_products", "rpt_receivables", "dim_buyers"),
            *("dim_as_of", "fct_orders", "fct_order_comments", "rpt_tasks"),
        ),
    ),
    Page(
        "products",
        "Products",
        "What sells, and what does not?",
        (
            *(*COUNTED, "rpt_catalogue", "rpt_price_changes"),
            *("fct_list_prices", "dim_price_lists"),
        ),
    ),
    Page(
        "vendors",
        "Vendors",
        "How does each vendor do?",
        (
            *(*COUNTED, "fct_vendor_minimums", "rpt_minimum_orders"),
            "rpt_fulfilment_steps",
        ),
    ),
    Page("orders", "Orders", "Which orders are these?", (*COUNTED, "fct_order_comments")),
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
    Page("explore", "Explore", "Any figure by anything.", COUNTED),
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
