"""Deletions: which records say themselves that they are deleted."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.tables import Mask

YES = ("true", "1")
WORDS_OF_DELETION = {"deleted": YES, "is_deleted": YES, "status": ("deleted",)}
TIME_OF_DELETION = "deleted_at"


def say_that_they_are_deleted(root: pa.Table) -> Mask:
    """Which of these records say so themselves, by a field of that name or by their status."""
    says: Mask = np.zeros(len(root), np.bool_)
    for name, words in WORDS_OF_DELETION.items():
        if name in root.column_names:
            column = root[name]
            if pa.types.is_decimal(column.type):
                column = column.cast(pa.int64(), safe=False)  # 1.000000000 in text
            text = pc.utf8_lower(column.cast(pa.string()))
            says |= pc.is_in(text, value_set=pa.array(words)).to_numpy()
    if TIME_OF_DELETION in root.column_names:
        text = root[TIME_OF_DELETION].cast(pa.string()).fill_null("")
        says |= pc.not_equal(text, "").to_numpy()
    return says
