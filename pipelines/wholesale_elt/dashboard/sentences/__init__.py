"""Sentences: what the first page says in words, for doors that have no scripts.

In:  rows of tasks and events of a version, and what every page knows of it.
Out: lines of what there is to do, what is new, and what a reader must know before.
Knows nothing of where they are shown.
Begin with `lines`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.dashboard.sentences.formats import Formats, address
    from wholesale_elt.dashboard.sentences.line import Line
    from wholesale_elt.dashboard.sentences.lines import lines_of
    from wholesale_elt.dashboard.sentences.new import new_since
    from wholesale_elt.dashboard.sentences.notices import Age, notices_of
    from wholesale_elt.dashboard.sentences.owed import read_owed
    from wholesale_elt.dashboard.sentences.said import Said, Words, plain
    from wholesale_elt.dashboard.sentences.singly import SENTENCES
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "SENTENCES",
    "Age",
    "Formats",
    "Line",
    "Said",
    "Words",
    "address",
    "lines_of",
    "new_since",
    "notices_of",
    "plain",
    "read_owed",
]
