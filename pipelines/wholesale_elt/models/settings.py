"""Settings of the models, validated before they reach the SQL."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from wholesale.api import known_time_zone
from wholesale.configuration import read_model

SECTION = "build"
"""The section of dlt's configuration; settings are named like the fields."""


def _currency(code: str) -> str:
    code = code.strip().upper()
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise ValueError("no currency; use the three letters of ISO 4217, such as EUR")
    return code


def _states(states: tuple[str, ...]) -> tuple[str, ...]:
    """The states as in staging: without white space around them, in small letters, each once.

    Databases make letters small one by one: of `İ` the first of the two that Python makes of it.
    """
    small = ("".join(char.lower()[0] for char in state.strip()) for state in states)
    return tuple(dict.fromkeys(state for state in small if state))


def _fields(names: tuple[str, ...]) -> tuple[str, ...]:
    wrong = [name for name in names if not re.fullmatch(r"[a-z]\w*\.[a-z_]\w*", name, re.ASCII)]
    if wrong:
        raise ValueError(f"{wrong[0]} is no field of a table; write it as orders.some_field")
    return tuple(sorted(set(names)))


States = Annotated[tuple[str, ...], AfterValidator(_states)]
EXPECTED: Mapping[str, Sequence[str]] = {
    "order_status": ("cancelled_order_statuses",),
    "payment_status": ("settled_payment_statuses", "refunded_payment_statuses"),
}
"""The settings by field of an order whose states some order should have."""


@dataclass(frozen=True, slots=True)
class StateMeaning:
    """What a state of an order, or of its payment, means."""

    field_name: str
    state: str
    is_known: bool
    is_cancelled: bool
    is_settled: bool
    is_refunded: bool
    is_expected: bool


class ModelSettings(BaseModel):
    """Settings of the models, with their defaults, which `sql/dbt_project.yml` repeats for dbt.

    `engine` builds the models: embedded in the command, with `engine_memory` megabytes for joins,
    sorts and groups, or at `remote`, by Spark Connect.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    engine: Literal["duckdb", "sail", "spark"] = "duckdb"
    """What builds the models: `duckdb`, `sail` within the command, or `spark` at `remote`."""
    remote: str | None = Field(default=None, pattern="^sc://")
    """Address of the engine by Spark Connect: `sc://host:15002`."""
    engine_memory: int = Field(default=500, ge=100)
    """Megabytes for joins, sorts and groups of Sail within the command."""
    time_zone: Annotated[str, AfterValidator(known_time_zone)] = "UTC"
    """Days begin at midnight of this time zone."""
    currency: Annotated[str, AfterValidator(_currency)] = "XXX"
    """Currency of all amounts, ISO 4217; `XXX` means none, as the API names none."""
    near_miss_share: Decimal = Field(default=Decimal("0.9"), gt=0, le=1)
    """From this share of a vendor's minimum on, an order nearly reached it."""
    lapse_days: int = Field(default=90, ge=1, le=36_500)
    """A buyer without an order for more than so many days has lapsed."""
    late_percentile: Decimal = Field(default=Decimal("0.9"), gt=0, lt=1)
    """A buyer is late if it is silent for longer than its next gap is with this share, as its own
    gaps tell."""
    late_minimum_orders: int = Field(default=4, ge=2)
    """Fewest purchases of a buyer that can be late."""
    is_discount_in_amounts: bool = False
    """Whether `sub_total` and `total_price` are after line discounts, which §2.4 leaves open."""
    largest_amount: int = Field(default=10**15, ge=1, le=10**15)
    """A larger amount or price is taken for a mistake, and counted nowhere."""
    largest_quantity: int = Field(default=10**9, ge=1, le=10**9)
    """A larger quantity is taken for a mistake, and counted nowhere."""
    first_plausible_day: date = date(2000, 1, 1)
    """An order dated before this day, or after the sync, counts as undated."""
    cancelled_order_statuses: States = (
        *("cancelled", "canceled", "declined"),
        *("rejected", "void", "voided"),
    )
    """States of orders that are not sales."""
    known_order_statuses: States = ("received", "confirmed", "shipped", "delivered", "cancelled")
    """A build warns of other states of orders."""
    settled_payment_statuses: States = ("paid", "refunded", "voided")
    """States of payments that are settled."""
    refunded_payment_statuses: States = ("refunded",)
    """States of payments that were refunded in full."""
    known_payment_statuses: States = ("unpaid", "paid", "refunded", "voided")
    """A build warns of other states of payments. Those not settled are open."""

    extra_fields: Annotated[tuple[str, ...], AfterValidator(_fields)] = ()
    """Undocumented fields that `dim_extra_fields` has, such as `orders.some_field`: none may be
    personal."""

    def row(self) -> dict[str, tuple[str, str]]:
        """The columns of `wholesale_build.settings`: type and value as text, without the clock."""
        return {
            "time_zone": ("text", self.time_zone),
            "currency": ("text", self.currency),
            "near_miss_share": ("decimal(13, 12)", str(self.near_miss_share)),
            "lapse_days": ("bigint", str(self.lapse_days)),
            "late_percentile": ("decimal(13, 12)", str(self.late_percentile)),
            "late_minimum_orders": ("bigint", str(self.late_minimum_orders)),
            "is_discount_in_amounts": ("boolean", str(self.is_discount_in_amounts)),
            "largest_amount": ("decimal(38, 9)", str(self.largest_amount)),
            "largest_quantity": ("bigint", str(self.largest_quantity)),
            "first_plausible_day": ("date", f"{self.first_plausible_day}"),
            "first_plausible_at": ("timestamptz", f"{self.first_plausible_day} 00:00:00+00"),
            "cancelled_order_statuses": ("text", ", ".join(sorted(self.cancelled_order_statuses))),
            "refunded_payment_statuses": (
                "text",
                ", ".join(sorted(self.refunded_payment_statuses)),
            ),
        }

    def states(self) -> Sequence[StateMeaning]:
        """The rows of `wholesale_build.states`. States that somebody has set are expected."""
        none: tuple[str, ...] = ()
        orders = (self.cancelled_order_statuses, self.known_order_statuses, none, none)
        payments = (
            *(none, self.known_payment_statuses),
            *(self.settled_payment_statuses, self.refunded_payment_statuses),
        )
        return [
            StateMeaning(
                field,
                state,
                is_known=state in (*cancelled, *known, *settled),
                is_cancelled=state in cancelled,
                is_settled=state in settled,
                is_refunded=state in refunded,
                is_expected=any(
                    state in getattr(self, name)
                    for name in EXPECTED[field]
                    if name in self.model_fields_set
                ),
            )
            for field, (cancelled, known, settled, refunded) in (
                ("order_status", orders),
                ("payment_status", payments),
            )
            for state in dict.fromkeys((*cancelled, *known, *settled, *refunded))
        ]


def read_settings() -> ModelSettings:
    """Read `[build]` of `.dlt/config.toml`, or `BUILD__…` in the environment.

    Raises: ConfigurationError naming the setting, its value, its place and the rule.
    """
    return read_model(ModelSettings, SECTION)
