"""Figures: any metric by any dimension, for any days, compared with others.

In:  a question by names, and a connection to marts and reports, published or not.
Out: rows and their total, exact, with the one statement that made them.
Knows nothing of where the tables are, and writes nothing.
Begin with `answer`.
"""

from wholesale_elt.figures.answer import Figures, ask
from wholesale_elt.figures.asking import Question, Unanswerable, unknown
from wholesale_elt.figures.dimensions import FACTS
from wholesale_elt.figures.metrics import Metric, read_metrics
from wholesale_elt.figures.periods import Span
from wholesale_elt.figures.statement import exact_quotient

__all__ = [
    "FACTS",
    "Figures",
    "Metric",
    "Question",
    "Span",
    "Unanswerable",
    "ask",
    "exact_quotient",
    "read_metrics",
    "unknown",
]
