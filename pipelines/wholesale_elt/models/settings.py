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

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Literal["duckdb", "sail", "spark"] = "duckdb"
    remote: str | None = Field(default=None, pattern="^sc://")
    engine_memory: int = Field(default=500, ge=100)
    time_zone: Annotated[str, AfterValidator(_time_zone)] | None = None
    currency: Annotated[str, AfterValidator(_currency)] | None = None
    near_miss_share: Decimal | None = Field(default=None, gt=0, le=1)
    lapse_days: int | None = Field(default=None, ge=1, le=36_500)
    late_percentile: Decimal | None = Field(default=None, gt=0, lt=1)
    late_minimum_orders: int | None = Field(default=None, ge=2)
    is_discount_in_amounts: bool | None = None
    largest_amount: int | None = Field(default=None, ge=1, le=10**15)
    largest_quantity: int | None = Field(default=None, ge=1, le=10**9)
    first_plausible_day: date | None = None
    cancelled_order_statuses: States | None = None
    settled_payment_statuses: States | None = None
    refunded_payment_statuses: States | None = None
    known_order_statuses: States | None = None
    known_payment_statuses: States | None = None

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
