"""Changed: since when changes are asked for, and what `--json` tells of them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wholesale.errors import ConfigurationError, legible
from wholesale_elt.inspect import Change, Changes
from wholesale_elt.publish import MANIFEST, Manifest


def moment_in(text: str, published: Path) -> datetime:
    """The moment that a text names, or at which the sync of a published version began.

    Raises: ConfigurationError.
    """
    from wholesale.sync import moment_of

    path = published / "versions" / Path(text).name / MANIFEST
    if path.is_file():
        manifest = Manifest.of(path.read_text("utf-8"))
        if manifest.run_id:
            return moment_of(manifest.run_id)
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(
            f"--since {legible(text)} is no moment, such as 2026-11-28T08:00:00Z, and no version in"
            f" {published}"
        ) from None
    return given.replace(tzinfo=given.tzinfo or UTC)


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
