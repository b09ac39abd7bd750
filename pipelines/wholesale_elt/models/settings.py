"""Settings of the models: checked when they are read, so that none reaches the SQL as it came."""

import json
from datetime import date
from decimal import Decimal
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dlt
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from wholesale.errors import ConfigurationError

SECTION = "build"
"""Of dlt's configuration; each setting has the name of its field there."""


def _time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("no time zone; use a name such as Europe/London or UTC") from None
    return name


def _currency(code: str) -> str:
    code = code.strip().upper()
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise ValueError("no currency; use the three letters of ISO 4217, such as EUR")
    return code


def _states(states: tuple[str, ...]) -> tuple[str, ...]:
    """As the orders have them in staging: trimmed, in lower case, each once."""
    trimmed = (state.strip().lower() for state in states)
    return tuple(dict.fromkeys(state for state in trimmed if state))


States = Annotated[tuple[str, ...], AfterValidator(_states)]


class ModelSettings(BaseModel):
    """Variables of `sql/dbt_project.yml`, which holds their defaults; None is not set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        """For dbt: what is set, and which states somebody expects some order to have."""
        found = self.model_dump(mode="json", exclude_none=True)
        return found | {
            "expected_order_statuses": self.cancelled_order_statuses or (),
            "expected_payment_statuses": (
                *(self.settled_payment_statuses or ()),
                *(self.refunded_payment_statuses or ()),
            ),
        }


def read_settings() -> ModelSettings:
    """Those of `[build]` in `.dlt/config.toml`, or `BUILD__…` in the environment.

    Raises: ConfigurationError naming the setting, its value and the rule.
    """
    found: dict[str, Any] = {
        name: dlt.config.get(f"{SECTION}.{name}") for name in ModelSettings.model_fields
    }
    values = {name: _plain(value) for name, value in found.items() if value is not None}
    try:
        return ModelSettings.model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    name = str(fault["loc"][0])
    raise ConfigurationError(f"setting {SECTION}.{name} is {found[name]!r}: {_rule(fault)}")


def _plain(value: Any) -> Any:
    """A list of the environment stands there as JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return value


def _rule(fault: Any) -> str:
    message = str(fault["msg"]).removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
