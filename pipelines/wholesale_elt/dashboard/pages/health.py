"""Data health: whether these numbers can be trusted, and why."""

from wholesale_elt.dashboard.page import MOST_ROWS, Column, DashboardPage, Headline, Rows, Table

MOST_RUNS = 200
"""Runs of resources that the page lists."""
HEADLINES = "rpt_health_headlines"
RESOURCE = Column("resource", "text", "Resource")
VERDICT = Column("verdict", "verdict", "Verdict", is_coloured=True)
REASON = Column("reason", "text", "Reason")


def headline(name: str, label: str, explanation: str, part: str, whole: str, note: str) -> Headline:
    """So many of so many."""
    return Headline(
        name=name,
        label=label,
        explanation=explanation,
        model=HEADLINES,
        columns=(Column(part, "count"), Column(whole, "count")),
        rows=Rows(order="1"),
        figure=f"{{{part}}} of {{{whole}}}",
        note=note,
    )


HEALTH = DashboardPage(
    name="health",
    title="Data health",
    question="Can these numbers be trusted?",
    tiles=(
        headline(
            "complete_resources",
            "Completeness",
            "Resources whose last sync was certified complete.",
            "complete_resource_count",
            "resource_count",
            "resources certified complete",
        ),
        headline(
            "reconciled_checks",
            "Reconciliation",
            "Checks of numbers that must agree with each other and with the service.",
            "reconciled_check_count",
            "check_count",
            "checks agree",
        ),
        headline(
            "still_resources",
            "Drift",
            "Resources whose list did not change while the last sync read it.",
            "still_resource_count",
            "resource_count",
            "resources did not change while read",
        ),
        Headline(
            name="quarantined_records",
            label="Quarantine",
            explanation="Records that could not be loaded, of all syncs.",
            model=HEADLINES,
            columns=(Column("quarantined_record_count", "count"),),
            rows=Rows(order="1"),
            figure="{quarantined_record_count}",
            note="records could not be loaded",
        ),
        Headline(
            name="orders_left_out",
            label="Missing amounts",
            explanation="Orders that count as sales, of all time. Those without a plausible amount"
            " are in no sum, and those without a plausible date are in all time only. Lines without"
            " a quantity or an amount are missing in units, and in sales of products.",
            model="rpt_headlines",
            columns=(
                Column("missing_amount_count", "count"),
                Column("undated_order_count", "count"),
                Column("lines_without_quantity_count", "count"),
                Column("lines_without_amount_count", "count"),
            ),
            rows=Rows(order="1"),
            figure="{missing_amount_count}",
            note="orders lack an amount; {undated_order_count} lack a date;"
            " {lines_without_quantity_count} lines lack a quantity and"
            " {lines_without_amount_count} an amount",
        ),
        Table(
            name="freshness",
            label="Completeness by resource",
            explanation="The certificate of the last sync of each resource, and when the resource"
            " was last complete.",
            model="rpt_freshness",
            columns=(
                *(RESOURCE, VERDICT),
                Column("complete_as_of", "moment", "Complete as of"),
                Column("lag_seconds", "duration", "Age when built"),
                Column("last_run_at", "moment", "Last run"),
                REASON,
            ),
            rows=Rows(order="resource"),
            sort="resource",
            empty="Nothing has been synced.",
        ),
        Table(
            name="drift",
            label="Drift",
            explanation="Signs that a list changed while the last sync read it: totals that change,"
            " records seen twice or missed, edits that no date shows.",
            model="rpt_sync_runs",
            columns=(
                RESOURCE,
                Column("proof", "text", "Proof"),
                Column("duplicate_count", "count", "Seen twice"),
                Column("first_total_count", "count", "Total at first"),
                Column("last_total_count", "count", "Total at last"),
                Column("missed_count", "count", "Missed"),
                Column("audited_count", "count", "Read again"),
                Column("silent_count", "count", "Silent edits"),
            ),
            rows=Rows(order="resource", where="is_latest"),
            sort="resource",
            empty="Nothing has been synced.",
        ),
        Table(
            name="reconciliation",
            label="Reconciliation",
            explanation="Numbers that must agree with each other and with the service. Values set"
            " aside are in neither of the two.",
            model="rpt_reconciliation",
            columns=(
                Column("check_name", "text", "Check"),
                RESOURCE,
                Column("is_reconciled", "flag", "Agrees", is_coloured=True),
                Column("expected", "number", "Expected"),
                Column("found", "number", "Found"),
                Column("difference", "number", "Difference"),
                Column("difference_count", "count", "Count difference"),
                Column("set_aside_count", "count", "Values set aside"),
                Column("severity", "text", "If they differ"),
            ),
            rows=Rows(order="reconciliation_id"),
            size=25,
        ),
        Table(
            name="quarantine",
            label="Quarantine",
            explanation="Records that could not be loaded, such as those without a usable id.",
            model="rpt_quarantine",
            columns=(
                *(RESOURCE, REASON),
                Column("record_count", "count", "Records"),
                Column("run_id", "id", "Run"),
            ),
            rows=Rows(order="run_id desc, resource, reason", most=MOST_ROWS),
            empty="Every record could be loaded.",
        ),
        Table(
            name="set_aside",
            label="Values set aside",
            explanation="Values that are not plausible, such as an amount of 1e20 or a date in"
            " 2999. They are in no figure; the raw tables keep them as received.",
            model="rpt_set_aside",
            columns=(
                Column("table_name", "text", "Table"),
                Column("field_name", "text", "Field"),
                Column("value_count", "count", "Values"),
                Column("example_id", "id", "One of them"),
            ),
            rows=Rows(order="set_aside_id", most=MOST_ROWS),
            empty="Every value is plausible.",
        ),
        Table(
            name="currencies",
            label="Currencies",
            explanation="Currencies that records name in a field of their own, which the service"
            " does not describe. Amounts are added up whatever it says, so more than one, or"
            " another than the setting currency, makes sums wrong.",
            model="rpt_currencies",
            columns=(
                Column("table_name", "text", "Table"),
                Column("currency", "code", "Currency"),
                Column("record_count", "count", "Records"),
                Column("is_expected", "flag", "Expected", is_coloured=True),
            ),
            rows=Rows(order="currency_id", most=MOST_ROWS),
            empty="No record names a currency.",
        ),
        Table(
            name="runs",
            label="Recent syncs",
            explanation="What each run read and what it changed, the newest first.",
            model="rpt_sync_runs",
            columns=(
                Column("started_at", "moment", "Started"),
                *(RESOURCE, VERDICT),
                Column("strategy", "text", "Strategy"),
                Column("duration_seconds", "duration", "Took"),
                Column("request_count", "count", "Requests"),
                Column("ids_seen_count", "count", "Ids seen"),
                Column("new_count", "count", "New"),
                Column("changed_count", "count", "Changed"),
                Column("deleted_count", "count", "Deleted"),
                Column("unreadable_count", "count", "Unreadable"),
                REASON,
            ),
            rows=Rows(order="run_id desc, resource", most=MOST_RUNS),
            sort="started_at",
            size=15,
        ),
    ),
)
