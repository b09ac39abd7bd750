"""Documents: the `--json` output of `wholesale erase`, one object each."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from wholesale_erasure.erasing import Erasure
from wholesale_erasure.receipt import Receipt

Document = Mapping[str, object]


def erasure_document(plan: Erasure) -> Document:
    """What an erasure would empty and leave; nothing was done."""
    return {
        "kind": plan.subject.kind,
        "id": plan.subject.id,
        "tables": {
            table: {"rows": rows, "cells": cells} for table, (rows, cells) in plan.tables.items()
        },
        "quarantined": plan.quarantined,
        "mentions": [asdict(found) for found in plan.mentions],
    }


def receipt_document(receipt: Receipt, file: Path) -> Document:
    """What was erased, and the path of the receipt."""
    return {"file": file, "receipt": asdict(receipt)}


def proof_document(receipt: Receipt, faults: Sequence[str]) -> Document:
    """Whether a receipt holds, and what speaks against it."""
    return {
        "holds": not faults,
        "erased_at": receipt.erased_at,
        "faults": faults,
        "mentions": [asdict(found) for found in receipt.mentions],
    }
