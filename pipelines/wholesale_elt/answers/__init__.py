"""Answers: what can be asked of a publication, in Python as on the command line, in one form.

In:  questions by names, one SQL statement, versions, moments or files.
Out: an `Answer`: rows, the SQL that gave them, and how far to trust them.
Knows nothing of terminals; the command line prints what it gets here.
Begin with `published`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.answers.answer import Answer
    from wholesale_elt.answers.expected import ExpectedSales
    from wholesale_elt.answers.kinds import TASK_KINDS
    from wholesale_elt.answers.next_orders import REASONS, NextOrders, Wanted, today_of
    from wholesale_elt.answers.published import Published
    from wholesale_elt.answers.statement import Statement
    from wholesale_elt.answers.waiting import Tasks, amount_of
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "REASONS",
    "TASK_KINDS",
    "Answer",
    "ExpectedSales",
    "NextOrders",
    "Published",
    "Statement",
    "Tasks",
    "Wanted",
    "amount_of",
    "today_of",
]
