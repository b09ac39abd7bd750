"""Singly: what to do in each task by itself, for whom and why."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

Task = Mapping[str, Any]


def rhythm(every: int, silent: int) -> str:
    """How often a buyer buys, and for how long it has not, in days."""
    return f"every {'day' if every == 1 else _days(every)}, silent for {_days(silent)}"


def _days(count: int) -> str:
    return f"{count:,} day{'' if count == 1 else 's'}"


def _waiting(task: Task) -> str:
    usual = task["usual_days"]
    told = "" if usual is None else f", usually {usual:,}"
    return f"order {_order(task)} waits {_days(task['waiting_days'])}{told}"


def _short(task: Task) -> str:
    if task["value_shortfall"]:
        below = f"{_money(task['value_shortfall'])} below {_money(task['minimum_order_value'])}"
    else:
        below = f"{task['quantity_shortfall']:,} below {task['minimum_order_quantity']:,} pieces"
    carton = f"a carton of {_product(task)} is {_money(task['carton_amount'])}"
    return f"order {_order(task)} is {below}; {carton}"


SENTENCES: Mapping[str, tuple[str, Callable[[Task], str]]] = {
    "unknown_state": (
        "Say what it means",
        lambda task: f"{task['order_count']:,} with this {task['field_name']}, set in [build]",
    ),
    "due": (
        "Offer",
        lambda task: (
            f"{100 * task['order_in_week_share']:.0f} % of buyers like it ordered within a week,"
            f" silent for {_days(task['days_since_last_order'])}"
        ),
    ),
    "silent": (
        "Call",
        lambda task: (
            f"buys {rhythm(task['median_days_between_orders'], task['days_since_last_order'])}"
        ),
    ),
    "unusual": (
        "See why",
        lambda task: (
            f"sales of {'7 days' if task['grain'] == 'week' else task['last_day']} of"
            f" {_member(task)}, outside {_money(task['low_amount'])} to"
            f" {_money(task['high_amount'])}"
        ),
    ),
    "overdue": (
        "Remind of the bill",
        lambda task: (
            f"order {_order(task)}, "
            + ("undated" if task["waiting_days"] is None else f"{_days(task['waiting_days'])} old")
        ),
    ),
    "unconfirmed": ("Confirm", _waiting),
    "old": (
        "Decide on",
        lambda task: f"order {_order(task)} waits {_days(task['waiting_days'])}",
    ),
    "near_misses": ("Offer one more carton", _short),
    "below_list": (
        "Check the price",
        lambda task: (
            f"{_product(task)} in order {_order(task)},"
            f" {_money(task['unit_price'])} for {_money(task['list_price'])}"
        ),
    ),
}
"""What to do in each kind, as the page sorts them, and why."""


def _member(task: Task) -> str:
    if task["dimension"] == "sales":
        return "all"
    return f"{task['dimension'].replace('_', ' ')} {task['member_name'] or task['member']}"


def _order(task: Task) -> str:
    return str(task["order_number"] or task["order_id"])


def _product(task: Task) -> str:
    names = (task["item_title"], task["variant_title"])
    return " ".join(name for name in names if name) or str(task["sku"] or task["product_id"])


def _money(amount: Decimal) -> str:
    return f"{amount:,.2f}"
