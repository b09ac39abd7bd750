"""Load: what a sync writes: batches of a run into the raw dataset, whole records only.

In:  a `Run` of `wholesale.sync` and a `Warehouse`.
Out: tables, marks of deletion, certificates, and an `Outcome`.
Knows nothing of the models or of commands.
Begin with `sync`; programs that load begin with `pipeline`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.load.copies import PART_KINDS, TableDigest, copy_as_of, copy_warehouse
    from wholesale_elt.load.forgetting import forget_past
    from wholesale_elt.load.pipeline import chosen_resources, wholesale_pipeline
    from wholesale_elt.load.privacy import ErasableCells, cells_of, count, emptying, remaining
    from wholesale_elt.load.rereading import Reread, Wanted, reread_records
    from wholesale_elt.load.sync import Outcome, sync_resources
    from wholesale_elt.load.writer import Writer
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "PART_KINDS",
    "ErasableCells",
    "Outcome",
    "Reread",
    "TableDigest",
    "Wanted",
    "Writer",
    "cells_of",
    "chosen_resources",
    "copy_as_of",
    "copy_warehouse",
    "count",
    "emptying",
    "forget_past",
    "remaining",
    "reread_records",
    "sync_resources",
    "wholesale_pipeline",
]
