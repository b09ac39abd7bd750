"""Life of an order: the states it has passed by the end of the world, and when."""

from typing import NamedTuple

from wholesale_sandbox.contract import INVOICE_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES
from wholesale_sandbox.values import DAY, HOUR

RECEIVED, CONFIRMED, SHIPPED, DELIVERED, CANCELLED = ORDER_STATUSES.value
UNPAID, PAID, REFUNDED, VOIDED = PAYMENT_STATUSES.value
NOT_INVOICED, INVOICED, INVOICE_PAID = INVOICE_STATUSES.value

# Shares of the 65,536 fates: never looked at, then cancelled, … and refunded from here on.
_FORGOTTEN_BELOW = 900
_CANCELLED_BELOW = 3_900
_REFUNDED_FROM = 64_900
_CORRECTED_BELOW = 3_300  # of as many edits


class Life(NamedTuple):
    """Moments in microseconds since the epoch."""

    created_at: int
    updated_at: int
    status: str
    payment_status: str
    invoice_status: str
    invoiced_at: int | None


def life(
    created_at: int, end: int, terms: int, fate: int, pace: int, delay: int, edit: int
) -> Life:
    """The life of an order up to `end`; `terms` are the days its buyer has to pay.

    `fate`, `pace`, `delay` and `edit` are draws below 2**16. Invoices and payments are booked
    by nightly runs, so that many orders share the moment of their last change.
    """
    confirmed_at = created_at + HOUR // 4 + (pace * 2 * DAY >> 16)
    if fate < _FORGOTTEN_BELOW or confirmed_at >= end:
        return placed(created_at)
    if fate < _CANCELLED_BELOW:
        return placed(created_at)._replace(
            updated_at=confirmed_at, status=CANCELLED, payment_status=VOIDED
        )
    shipped_at = confirmed_at + DAY // 2 + (delay * 8 * DAY >> 16)
    if shipped_at >= end:
        return placed(created_at)._replace(updated_at=confirmed_at, status=CONFIRMED)
    updated_at, status, payment, invoice = shipped_at, SHIPPED, UNPAID, NOT_INVOICED
    invoiced_at = _next_night(shipped_at, hour=2)
    if invoiced_at < end:
        updated_at, invoice = invoiced_at, INVOICED
    delivered_at = shipped_at + 2 * DAY + (pace * 5 * DAY >> 16)
    if delivered_at < end:
        updated_at, status = max(updated_at, delivered_at), DELIVERED
    paid_at = _next_night(shipped_at + terms * (DAY + (delay * DAY >> 16)), hour=3)
    if paid_at < end:
        updated_at, invoice = max(updated_at, paid_at), INVOICE_PAID
        payment = PAID if fate < _REFUNDED_FROM else REFUNDED
    corrected_at = updated_at + edit % 1000 * 7 * HOUR
    if edit < _CORRECTED_BELOW and corrected_at < end:
        updated_at = corrected_at
    return Life(
        created_at, updated_at, status, payment, invoice, invoiced_at if invoiced_at < end else None
    )


def placed(at: int) -> Life:
    """The life of an order that was placed just now."""
    return Life(at, at, RECEIVED, UNPAID, NOT_INVOICED, None)


def _next_night(moment: int, hour: int) -> int:
    return moment - moment % DAY + DAY + hour * HOUR
