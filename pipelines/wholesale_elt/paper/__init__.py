"""Paper: what people print and file: pages set by Typst, and cells of a workbook, exact.

In:  a template with its data; values of a row.
Out: a PDF, the same bytes for the same data; cells that show each amount to its last digit.
Knows nothing of what the pages and the rows tell.
Begin with `pages`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.paper.cells import DIGITS, MOST_TEXT, write_cell
    from wholesale_elt.paper.pages import pdf_of
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["DIGITS", "MOST_TEXT", "pdf_of", "write_cell"]
