"""Custom fields that the business has defined (§2.8 leaves open what they hold)."""

from typing import Any

from wholesale_sandbox.values import DAY, between, chance, guid, iso
from wholesale_sandbox.world.calendar import Calendar

_DEFINED = (
    ("Country of origin", "text", "items"),
    ("Case weight (lb)", "number", "items"),
    ("Fragile", "boolean", "variants"),
    ("Harmonized code", "text", "variants"),
    ("Sales territory", "text", "buyers"),
    ("Tax exempt", "boolean", "buyers"),
)


def make_custom_fields(seed: int, calendar: Calendar) -> list[dict[str, Any]]:
    rng = chance(seed, "custom fields")
    made = []
    for name, kind, applies_to in _DEFINED:
        created_at = between(calendar.start - 900 * DAY, calendar.start, rng)
        made.append(
            {
                "id": guid(seed, "custom field", name),
                "name": name,
                "kind": kind,
                "applies_to": applies_to,
                "created_at": iso(created_at),
                "updated_at": iso(between(created_at, calendar.end, rng)),
            }
        )
    return made
