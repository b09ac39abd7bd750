"""The pages of the dashboard: the registry that the site and the lineage are made from."""

from collections.abc import Sequence

from wholesale_elt.dashboard.page import Page
from wholesale_elt.dashboard.tiles import (
    BUYER_TILES,
    CATALOGUE_TILES,
    CHASE_TILES,
    HEALTH_TILES,
    OVERVIEW_TILES,
    VENDOR_TILES,
)

SPANS = ("rpt_headlines", "rpt_periods")
BEHIND = ("rpt_orders",)

PAGES: Sequence[Page] = (
    Page(
        "overview",
        "Overview",
        "How is business, against a year before?",
        OVERVIEW_TILES,
        (*SPANS, *BEHIND),
    ),
    Page("vendors", "Vendors", "How does each vendor do?", VENDOR_TILES, (*SPANS, *BEHIND)),
    Page("buyers", "Buyers", "Who comes back, and who is about to be lost?", BUYER_TILES),
    Page(
        "catalogue",
        "Catalogue",
        "What sells, what does not, and what should not?",
        CATALOGUE_TILES,
    ),
    Page(
        "chase",
        "Orders to chase",
        "Which orders need a call?",
        CHASE_TILES,
        ("rpt_minimum_order_totals", *BEHIND),
    ),
    Page(
        "health",
        "Data health",
        "Can these numbers be trusted?",
        HEALTH_TILES,
        ("rpt_health_headlines",),
    ),
)
