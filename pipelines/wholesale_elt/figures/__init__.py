"""Figures: any metric by any dimension, for any days, compared with others.

In:  a question by names, and a connection to marts and reports, published or not.
Out: rows and their total, exact, with the one statement that made them; or a file of them.
Knows nothing of where the tables are, and changes nothing there.
Begin with `answer`.
"""

from wholesale_elt.figures.answer import Figures, ask
from wholesale_elt.figures.asking import Question, Unanswerable, unknown
from wholesale_elt.figures.csv_file import decimal_text, heading_of, write_csv
from wholesale_elt.figures.dimensions import FACTS, Fact
from wholesale_elt.figures.metrics import Metric, read_metrics
from wholesale_elt.figures.periods import Span
from wholesale_elt.figures.statement import exact_quotient

__all__ = [
    "FACTS",
    "Fact",
    "Figures",
    "Metric",
    "Question",
    "Span",
    "Unanswerable",
    "ask",
    "decimal_text",
    "exact_quotient",
    "heading_of",
    "read_metrics",
    "unknown",
    "write_csv",
]
