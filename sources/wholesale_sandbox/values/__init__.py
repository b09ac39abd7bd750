"""Values: seeded random draws, moments, amounts and fragments of JSON.

In:  a seed and a name for each draw.
Out: numbers, ids, times and amounts that are the same for the same seed.
Knows nothing of the business that is made of them.
Begin with `draws`.
"""

from wholesale_sandbox.values.amounts import decimal, literal, percent, text
from wholesale_sandbox.values.draws import Draws, NumberedIds, chance, guid
from wholesale_sandbox.values.fragments import encoded, members
from wholesale_sandbox.values.moments import DAY, HOUR, SECOND, between, iso, midnight, of

__all__ = [
    "DAY",
    "HOUR",
    "SECOND",
    "Draws",
    "NumberedIds",
    "between",
    "chance",
    "decimal",
    "encoded",
    "guid",
    "iso",
    "literal",
    "members",
    "midnight",
    "of",
    "percent",
    "text",
]
