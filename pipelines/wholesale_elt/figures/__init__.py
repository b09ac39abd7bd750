"""Figures: any metric by any dimension, for any days, compared with others.

In:  a question by names, and a connection to marts and reports, published or not.
Out: rows and their total, exact, with the one statement that made them; or a file of them.
Knows nothing of where the tables are, and changes nothing there.
Begin with `answer`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.figures.added import read_facts
    from wholesale_elt.figures.answer import Figures, Keys, KnownDays, ask, keys_of, known_days
    from wholesale_elt.figures.asking import EXPECTED_BY, Question, name_meant, unknown
    from wholesale_elt.figures.csv_file import csv_lines, heading_of, write_csv
    from wholesale_elt.figures.dimensions import (
        BUYERS,
        FACTS,
        FULFILMENT,
        LINES,
        LOST_BUYERS,
        ORDERS,
        RECEIVABLES,
        Dimension,
        Fact,
        Join,
    )
    from wholesale_elt.figures.explained import Explained, explain, quotient
    from wholesale_elt.figures.goals import Progress, progress_of
    from wholesale_elt.figures.metrics import (
        GROUPS,
        Metric,
        metric_named,
        read_metrics,
        read_own_metrics,
    )
    from wholesale_elt.figures.periods import ALL_TIME, COMPARISONS, GRAINS, Span, period_of
    from wholesale_elt.figures.statement import (
        Plan,
        exact_quotient,
        in_our_words,
        indented,
        is_one_of,
        plan,
        tables_of,
    )
    from wholesale_elt.figures.told import told_meanings, told_parts
    from wholesale_elt.figures.wording import NO_CURRENCY, Writer, compact_in, document_of, line_of
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "ALL_TIME",
    "BUYERS",
    "COMPARISONS",
    "EXPECTED_BY",
    "FACTS",
    "FULFILMENT",
    "GRAINS",
    "GROUPS",
    "LINES",
    "LOST_BUYERS",
    "NO_CURRENCY",
    "ORDERS",
    "RECEIVABLES",
    "Dimension",
    "Explained",
    "Fact",
    "Figures",
    "Join",
    "Keys",
    "KnownDays",
    "Metric",
    "Plan",
    "Progress",
    "Question",
    "Span",
    "Writer",
    "ask",
    "compact_in",
    "csv_lines",
    "document_of",
    "exact_quotient",
    "explain",
    "heading_of",
    "in_our_words",
    "indented",
    "is_one_of",
    "keys_of",
    "known_days",
    "line_of",
    "metric_named",
    "name_meant",
    "period_of",
    "plan",
    "progress_of",
    "quotient",
    "read_facts",
    "read_metrics",
    "read_own_metrics",
    "tables_of",
    "told_meanings",
    "told_parts",
    "unknown",
    "write_csv",
]
