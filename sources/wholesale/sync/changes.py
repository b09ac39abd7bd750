"""Changes: records to be merged into the destination."""

from dataclasses import dataclass

import numpy as np

from wholesale.tables import Decoded, Mask


@dataclass(frozen=True, slots=True)
class Batch:
    """Records to be merged into the destination, and which of them it may hold already."""

    decoded: Decoded
    is_known: Mask

    @staticmethod
    def of_new(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.zeros(len(decoded.root), np.bool_))

    @staticmethod
    def of_known(decoded: Decoded) -> "Batch":
        return Batch(decoded, np.ones(len(decoded.root), np.bool_))
