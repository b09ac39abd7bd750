"""Statements: what a buyer owes, or what orders of a vendor came to, as of a day, on paper.

In:  the past of a warehouse, as of the first moment after the day at which all orders were known.
Out: CSV, XLSX and PDF with a proof that is computed anew from the warehouse; entries of the book.
Knows nothing of closed months, or of how anything is counted: it reads what the models say.
Begin with `statement`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_books.statements.verifying import proof_in, verify_statement
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["proof_in", "verify_statement"]
