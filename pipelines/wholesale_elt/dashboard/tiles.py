"""The tiles of each page: columns of one report, what they mean, and the filters that hold."""

from collections.abc import Sequence

from wholesale_elt.dashboard.page import Tile

PERIOD, VENDOR, STATE = "period", "vendor", "state"
SALES = "rpt_sales_by_period"
PRODUCT = ("product_id", "sku", "item_title", "variant_title", "vendor_id", "vendor_name")
ORDER = (
    *("order_id", "order_number", "vendor_id", "vendor_name", "buyer_id", "buyer_company_name"),
    *("state", "ordered_date"),
)

OVERVIEW_TILES: Sequence[Tile] = (
    Tile(
        "sales",
        "Sales",
        "Sum of the orders' sub_total. Cancelled and deleted orders are left out.",
        SALES,
        ("sales_amount", "sales_amount_year_before", "sales_amount_growth"),
        (PERIOD, VENDOR, STATE),
    ),
    Tile(
        "orders",
        "Orders",
        "Orders that count as a sale: neither cancelled nor deleted.",
        SALES,
        ("order_count", "order_count_year_before", "order_count_growth"),
        (PERIOD, VENDOR, STATE),
    ),
    Tile(
        "buyers",
        "Buyers",
        "Different buyers with a sale. Those of two months, vendors or states do not add up,"
        " because one may be in both.",
        SALES,
        ("buyer_count", "buyer_count_year_before", "buyer_count_growth"),
        (PERIOD, VENDOR, STATE),
    ),
    Tile(
        "average_order_value",
        "Average order",
        "Sales divided by orders.",
        SALES,
        (
            *("average_order_value", "average_order_value_year_before"),
            "average_order_value_growth",
        ),
        (PERIOD, VENDOR, STATE),
    ),
    Tile(
        "trend",
        "By month",
        "The twelve months up to the end of the period, each against the same month a year before;"
        " every month where the period is all time. The last month may not be over.",
        SALES,
        (
            *("period_key", "order_count", "buyer_count", "sales_amount", "average_order_value"),
            *("order_count_year_before", "buyer_count_year_before", "sales_amount_year_before"),
            *("average_order_value_year_before", "order_count_growth", "buyer_count_growth"),
            *("sales_amount_growth", "average_order_value_growth"),
        ),
        (PERIOD, VENDOR, STATE),
    ),
    Tile(
        "top_vendors",
        "Top vendors",
        "Vendors with the largest sales.",
        SALES,
        ("vendor_id", "vendor_name", "sales_amount", "sales_amount_growth", "order_count"),
        (PERIOD, STATE),
    ),
    Tile(
        "top_states",
        "Top states",
        "Where the orders with the largest sales are shipped to.",
        SALES,
        ("state", "sales_amount", "sales_amount_growth", "order_count"),
        (PERIOD, VENDOR),
    ),
)

VENDOR_TILES: Sequence[Tile] = (
    Tile(
        "vendors",
        "Vendors",
        "One row a vendor with sales. Below minimum is the share of its orders that are worth less"
        " than the minimum it asks for.",
        SALES,
        (
            *("vendor_id", "vendor_name", "sales_amount", "sales_amount_year_before"),
            *("order_count", "buyer_count", "unit_count", "average_order_value", "discount_rate"),
            *("below_minimum_count", "below_minimum_rate", "sales_amount_growth"),
        ),
        (PERIOD, STATE),
    ),
)

BUYER_TILES: Sequence[Tile] = (
    Tile(
        "cohorts",
        "Who comes back",
        "Of the buyers who first ordered in a month, the share that orders in each later month.",
        "rpt_buyer_cohorts",
        (
            *("cohort_month", "month_start", "month_number", "cohort_buyer_count"),
            *("active_buyer_count", "order_count", "sales_amount", "retention_rate"),
            "sales_retention_rate",
        ),
    ),
    Tile(
        "reordering",
        "Ordered again within 90 days",
        "Share of the buyers whose first order is old enough to tell. Below it: who is late, longer"
        " without an order than usual for them, and who has lapsed (setting lapse_days).",
        "rpt_buyer_headlines",
        (
            *("reorder_90_days_rate", "reorder_90_days_count", "reorder_90_days_known_count"),
            *("late_count", "late_sales_amount", "lapsed_count", "lapsed_sales_amount"),
        ),
    ),
    Tile(
        "at_risk",
        "Buyers at risk",
        "Late or lapsed buyers, the largest first.",
        "rpt_reorders",
        (
            *("buyer_id", "company_name", "account_manager_id", "state", "order_count"),
            *("sales_amount", "first_ordered_date", "last_ordered_date"),
            *("median_days_between_orders", "expected_next_order_date", "days_since_last_order"),
            *("is_late", "is_lapsed", "is_at_risk"),
        ),
        (STATE,),
    ),
    Tile(
        "concentration",
        "Concentration",
        "Share of sales that comes from the five largest buyers. Orders without a buyer are left"
        " out.",
        "rpt_buyer_concentration",
        (
            *("vendor_id", "vendor_name", "buyer_count", "sales_amount", "top_5_sales_amount"),
            *("top_5_share", "herfindahl_index"),
        ),
        (VENDOR,),
    ),
)

CATALOGUE_TILES: Sequence[Tile] = (
    Tile(
        "classes",
        "ABC classes",
        "A: the products that bring the first 80 % of all sales. B: the next 15 %. C: the rest.",
        "rpt_catalogue_classes",
        (
            *("vendor_id", "abc_class", "product_count", "product_share", "never_ordered_count"),
            *("ordered_but_inactive_count", "sales_amount", "sales_share"),
        ),
        (VENDOR,),
    ),
    Tile(
        "best_sellers",
        "Best sellers",
        "Products with the largest sales of all time.",
        "rpt_catalogue",
        (
            *PRODUCT,
            *("product_kind", "category_name", "unit_price", "is_orderable", "order_count"),
            *("buyer_count", "repeat_buyer_rate", "unit_count", "sales_amount", "abc_class"),
            "last_ordered_date",
        ),
        (VENDOR,),
    ),
    Tile(
        "never_ordered",
        "Never ordered",
        "Products that could be ordered and never were, the dearest first.",
        "rpt_catalogue",
        (*PRODUCT, "category_name", "unit_price", "is_never_ordered"),
        (VENDOR,),
    ),
    Tile(
        "ordered_but_inactive",
        "Ordered but inactive",
        "Products with sales that cannot be ordered any more: unpublished, deleted, or not in the"
        " catalogue.",
        "rpt_catalogue",
        (
            *PRODUCT,
            *("product_kind", "order_count", "buyer_count", "unit_count", "sales_amount"),
            *("last_ordered_date", "is_ordered_but_inactive"),
        ),
        (VENDOR,),
    ),
    Tile(
        "price_changes",
        "Price changes",
        "List prices that changed, the newest first, as far as the syncs saw it: history begins"
        " with the first build.",
        "rpt_price_changes",
        (
            *("variant_id", "sku", "item_title", "variant_title", "vendor_id", "vendor_name"),
            *("price_list", "observed_at", "price_before", "price", "change_rate"),
        ),
        (VENDOR,),
    ),
)

CHASE_TILES: Sequence[Tile] = (
    Tile(
        "open_by_age",
        "Open by age",
        "Billed and not settled, by days since the order: the API names no due dates.",
        "rpt_open_orders",
        (
            *("vendor_id", "state", "age_bucket", "order_count", "open_amount"),
            "oldest_ordered_date",
        ),
        (VENDOR, STATE),
    ),
    Tile(
        "open_orders",
        "Largest open orders",
        "Orders that are not settled, the largest first.",
        "rpt_orders",
        (*ORDER, "total", "age_in_days", "age_bucket", "order_status", "payment_status", "is_open"),
        (VENDOR, STATE),
    ),
    Tile(
        "below_minimum",
        "Below the minimum",
        "Orders short of a vendor's minimum value or quantity, the newest first. A near miss"
        " reached most of both (setting near_miss_share).",
        "rpt_minimum_orders",
        (
            *ORDER,
            *("sub_total", "minimum_order_value", "value_shortfall", "unit_count"),
            *("minimum_order_quantity", "quantity_shortfall", "is_near_miss"),
        ),
        (VENDOR, STATE),
    ),
)

HEALTH_TILES: Sequence[Tile] = (
    Tile(
        "freshness",
        "Completeness by kind",
        "The certificate of the last sync of each kind of record, and when the kind was last"
        " complete.",
        "rpt_freshness",
        ("resource", "last_run_at", "verdict", "reason", "complete_as_of", "lag_seconds"),
    ),
    Tile(
        "reconciliation",
        "Reconciliation",
        "Numbers that must agree with each other and with the service.",
        "rpt_reconciliation",
        (
            *("check_name", "resource", "severity", "expected", "found", "difference"),
            *("different_row_count", "is_reconciled"),
        ),
    ),
    Tile(
        "drift",
        "Drift",
        "Signs that a list moved while it was read: totals that change, records seen twice or"
        " missed, edits that no date tells of.",
        "rpt_sync_runs",
        (
            *(
                "run_id",
                "resource",
                "started_at",
                "ids_seen_count",
                "first_total_count",
                "last_total_count",
            ),
            *("duplicate_count", "missed_count", "silent_count", "audited_count", "is_latest"),
        ),
    ),
    Tile(
        "quarantine",
        "Quarantine",
        "Records without a usable id, which could not be loaded.",
        "rpt_quarantine",
        ("run_id", "resource", "reason", "record_count", "found_at"),
    ),
    Tile(
        "runs",
        "Recent syncs",
        "What each run read and what it changed, the newest first.",
        "rpt_sync_runs",
        (
            *("run_id", "resource", "started_at", "ended_at", "duration_seconds", "strategy"),
            *("page_count", "request_count", "sweep_count", "new_count", "changed_count"),
            *("deleted_count", "unreadable_count", "verdict", "reason"),
        ),
    ),
)
