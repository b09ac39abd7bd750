"""Settings of the models, validated before they reach the SQL."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from wholesale.configuration import read_model

SECTION = "build"
"""The section of dlt's configuration; settings are named like the fields."""


def _time_zone(name: str) -> str:
    if name not in available_timezones() - {"localtime"}:  # which is known to Python alone
        raise ValueError("no time zone; use a name such as Europe/London or UTC")
    return name


def _currency(code: str) -> str:
    code = code.strip().upper()
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise ValueError("no currency; use the three letters of ISO 4217, such as EUR")
    return code


def _states(states: tuple[str, ...]) -> tuple[str, ...]:
    """The states as in staging: trimmed, in lower case, each once."""
    trimmed = (state.strip().lower() for state in states)
    return tuple(dict.fromkeys(state for state in trimmed if state))


States = Annotated[tuple[str, ...], AfterValidator(_states)]


class ModelSettings(BaseModel):
    """Variables of `sql/dbt_project.yml`, which has their defaults; None is not set.

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
    time_zone: Annotated[str, AfterValidator(_time_zone)] | None = None
    """Days begin at midnight of this time zone."""
    currency: Annotated[str, AfterValidator(_currency)] | None = None
    """Currency of all amounts, ISO 4217; `XXX` means none, as the API names none."""
    near_miss_share: Decimal | None = Field(default=None, gt=0, le=1)
    """From this share of a vendor's minimum on, an order nearly reached it."""
    lapse_days: int | None = Field(default=None, ge=1, le=36_500)
    """A buyer without an order for more than so many days has lapsed."""
    late_percentile: Decimal | None = Field(default=None, gt=0, lt=1)
    """A buyer is late if this share of its own gaps was shorter than the present one."""
    late_minimum_orders: int | None = Field(default=None, ge=2)
    """Fewest purchases of a buyer that can be late."""
    is_discount_in_amounts: bool | None = None
    """Whether `sub_total` and `total_price` are after line discounts, which §2.4 leaves open."""
    largest_amount: int | None = Field(default=None, ge=1, le=10**15)
    """A larger amount or price is taken for a mistake, and counted nowhere."""
    largest_quantity: int | None = Field(default=None, ge=1, le=10**9)
    """A larger quantity is taken for a mistake, and counted nowhere."""
    first_plausible_day: date | None = None
    """An order dated before this day, or after the sync, counts as undated."""
    cancelled_order_statuses: States | None = None
    """States of orders that are not sales."""
    settled_payment_statuses: States | None = None
    """States of payments that are settled."""
    refunded_payment_statuses: States | None = None
    """States of payments that were refunded in full."""
    known_order_statuses: States | None = None
    """A build warns of other states of orders."""
    known_payment_statuses: States | None = None
    """A build warns of other states of payments. Those not settled are open."""

    def variables(self) -> dict[str, object]:
        """The variables for dbt: what is set, and the states that orders are expected to have."""
        found = self.model_dump(
            mode="json", exclude_none=True, exclude={"engine", "remote", "engine_memory"}
        )
        return found | {
            "expected_order_statuses": self.cancelled_order_statuses or (),
            "expected_payment_statuses": (
                *(self.settled_payment_statuses or ()),
                *(self.refunded_payment_statuses or ()),
            ),
        }


def read_settings() -> ModelSettings:
    """Read `[build]` of `.dlt/config.toml`, or `BUILD__…` in the environment.

    Raises: ConfigurationError naming the setting, its value, its place and the rule.
    """
    return read_model(ModelSettings, SECTION)
