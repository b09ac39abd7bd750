"""Changed: what `--json` tells of changes between two moments."""

from collections.abc import Mapping
from typing import Any

from wholesale_elt.inspect import Change, Changes


def changes_document(found: Changes) -> dict[str, Any]:
    """The changes between two moments; `number` is that of a line, or of another entry. What counts
    in no figure has no amounts."""
    return {
        "since": found.since,
        "until": found.until,
        "changes": [
            {
                **{name: getattr(change, name) for name in ("kind", "resource", "id")},
                **{name: getattr(change, name) for name in ("order_number", "number", "sku")},
                **_amounts(change),
                "changed_at": change.changed_at,
                "fields": {
                    name: {"from": before, "to": after}
                    for name, (before, after) in change.fields.items()
                },
            }
            for change in found.changes
        ],
    }


def _amounts(change: Change) -> Mapping[str, object]:
    before, after = change.amounts or (None, None)
    return {"amount_before": before, "amount_after": after, "amount_effect": change.effect}
