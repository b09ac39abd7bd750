"""Moments: days and times as a letter says them, of the business."""

from datetime import date, datetime, timedelta

from wholesale_elt.dashboard import Formats

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day_name(day: date, *, has_year: bool = False) -> str:
    """`Wednesday, July 15`, or with the year."""
    told = f"{WEEKDAYS[day.weekday()]}, {MONTHS[day.month - 1]} {day.day}"
    return f"{told}, {day.year}" if has_year else told


def moment_text(write: Formats, at: datetime, now: datetime, *, has_zone: bool = True) -> str:
    """`today, 08:05, New York time`: as who reads it on that day would say it."""
    local, today = write.local(at), write.local(now).date()
    names = {today: "today", today - timedelta(1): "yesterday"}
    day = names.get(local.date()) or day_name(local.date(), has_year=local.year != today.year)
    return f"{day}, {local:%H:%M}" + (f", {write.zone}" if has_zone else "")
