"""Versions: when records were changed last, as numbers that can be compared in bulk."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Versions = NDArray[np.int64]
"""Microseconds since 1970, UTC."""
NO_VERSION = np.iinfo(np.int64).min
"""Older than any version; the version of a record of a resource that has none."""


def versions_of(column: pa.ChunkedArray) -> Versions:
    """A column of times as numbers; null is older than any."""
    numbers = pc.fill_null(column.cast(pa.int64()), NO_VERSION)
    return np.asarray(numbers.to_numpy(), np.int64)


def no_versions(count: int) -> Versions:
    """So many records without a version."""
    return np.full(count, NO_VERSION, np.int64)
