"""Expect: what full records must have by the profile of the service, and what contradicts that.

In:  full records as they come, and rows of the list beside them.
Out: which records are whole; a sentence, with the setting that mends it, for each contradiction.
Knows nothing of what is stored, nor of when a list is complete.
Begin with `expectation`.
"""

from wholesale.expect.expectation import Expectation
from wholesale.expect.form import UNUSUAL, usual_columns
from wholesale.expect.unlike import find_rows, unlike_columns

__all__ = ["UNUSUAL", "Expectation", "find_rows", "unlike_columns", "usual_columns"]
