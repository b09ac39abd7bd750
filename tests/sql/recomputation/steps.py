"""Steps: in which state orders are and for how long, and how long each step took."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from .arithmetic import Row, greatest, grouped, hashed, least, percentile, told, total
from .books import Books
from .tasks import STEPS, fulfilment

HALF = Fraction(1, 2)
NINE_OF_TEN = Fraction(9, 10)


def states(books: Books) -> Iterator[Row]:
    for state, rows in grouped(fulfilment(books), lambda row: row["order_status"] or None).items():
        old = [row for row in rows if row["is_old"]]
        recent = [row for row in rows if row["is_recent"]]
        yield {
            "order_state_id": f"order_status-{state or ''}",
            "order_status": state,
            "order_standing": rows[0]["order_standing"],
            "order_count": len(rows),
            "amount": total(row["sub_total"] for row in rows),
            "median_waiting_days": percentile(_waiting(rows), HALF),
            "first_ordered_date": least(row["ordered_date"] for row in rows),
            "last_ordered_date": greatest(row["ordered_date"] for row in rows),
            "old_order_count": len(old),
            "old_amount": total(row["sub_total"] for row in old),
            "last_old_ordered_date": greatest(row["ordered_date"] for row in old),
            "recent_order_count": len(recent),
            "recent_amount": total(row["sub_total"] for row in recent),
            "recent_median_waiting_days": percentile(_waiting(recent), HALF),
            "first_recent_ordered_date": least(row["ordered_date"] for row in recent),
        }


def _waiting(rows: Sequence[Row]) -> list[int]:
    return [row["waiting_days"] for row in rows if row["waiting_days"] is not None]


def by_step(books: Books) -> Iterator[Row]:
    names: dict[str, str | None] = {"all": "all"}
    days: dict[tuple[str, str], list[int]] = {}
    for row in fulfilment(books):
        vendor = told(row["vendor_id"])
        names[vendor] = row["vendor_name"]
        for step in STEPS:
            if (took := row[f"days_to_{step}"]) is not None:
                for key in (vendor, "all"):
                    days.setdefault((key, step), []).append(took)
    for (vendor, step), taken in days.items():
        place = ceil(NINE_OF_TEN * (len(taken) + 1))
        yield {
            "fulfilment_step_id": hashed(vendor, step),
            "vendor_id": vendor,
            "vendor_name": names[vendor],
            "step": step,
            "order_count": len(taken),
            "median_days": percentile(taken, HALF),
            "most_days": sorted(taken)[place - 1] if place <= len(taken) else None,
            "longest_days": max(taken),
        }
