"""Settings of the models, validated before they reach the SQL."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import combinations
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from wholesale.api import known_time_zone
from wholesale.configuration import read_model
from wholesale_elt.models.project import SECTION
from wholesale_elt.models.rendering import field_of


def _currency(code: str) -> str:
    code = code.strip().upper()
    if not (len(code) == 3 and code.isascii() and code.isalpha()):
        raise ValueError("no currency; use the three letters of ISO 4217, such as EUR")
    return code


def _states(states: tuple[str, ...]) -> tuple[str, ...]:
    """The states as in staging: without white space around them, in small letters, each once.

    Databases lower-case character by character: `İ` is one character there, and two in Python.
    """
    small = ("".join(char.lower()[0] for char in state.strip()) for state in states)
    return tuple(dict.fromkeys(state for state in small if state))


def _by_word(value: object, read: Callable[[str, object], Any], example: str) -> Any:
    """What words mean, without white space, in small letters; in the environment it is JSON."""
    if isinstance(value, str):
        with suppress(json.JSONDecodeError, RecursionError):
            value = json.loads(value)
    if not isinstance(value, Mapping):
        raise ValueError(f"write a table of what words mean, in JSON such as {example}")
    found: dict[str, Any] = {}
    for word, told in value.items():
        meaning = read(word, told)
        key = "".join(char.lower()[0] for char in word if not char.isspace())
        if found.setdefault(key, meaning) != meaning:
            raise ValueError(f"{word!r} is there twice, with other meanings: leave it in once")
    return found


def _listed(words: Mapping[str, object]) -> str:
    return ", ".join(f'"{word}" = {json.dumps(words[word])}' for word in sorted(words))


def _days(term: str, days: object) -> int:
    if type(days) is not int or not 0 <= days <= MOST_DAYS:
        raise ValueError(f"the days of {term!r} are a whole number from 0 to {MOST_DAYS:,}")
    return days


def _meaning(word: str, told: object) -> str:
    meaning = " ".join(str(told).split()).lower()
    if not MEANING.fullmatch(meaning):
        raise ValueError(f"what {word!r} means is written as {EXAMPLES}")
    return meaning


def _fields(entries: tuple[str, ...]) -> tuple[str, ...]:
    for entry in entries:
        field_of(entry)
    return tuple(sorted(set(entries)))


EXAMPLES = '"3 business days", "3 calendar days", "business days", "14:30" or "monday, friday"'
WEEKDAY = "(mon|tues|wednes|thurs|fri|satur|sun)day"
MEANING = re.compile(
    r"([0-9]{1,3} )?(business|calendar) days?|([01][0-9]|2[0-3]):[0-5][0-9]"
    rf"|{WEEKDAY}(, ?{WEEKDAY})*"
)
"""What a word on processing can mean: days, a time of the day, or days of the week."""
_DAYS = BeforeValidator(partial(_by_word, read=_days, example='{"net 30": 30}'))
_MEANINGS = BeforeValidator(partial(_by_word, read=_meaning, example='{"noon": "12:00"}'))
Terms = Annotated[Mapping[str, int], _DAYS]
Processing = Annotated[Mapping[str, str], _MEANINGS]
States = Annotated[tuple[str, ...], AfterValidator(_states)]
STANDINGS: Mapping[str, Mapping[str, str]] = {
    "order_status": {
        "cancelled": "cancelled_order_statuses",
        "returned": "returned_order_statuses",
        "done": "done_order_statuses",
        "sent": "sent_order_statuses",
        "accepted": "accepted_order_statuses",
        "waiting": "waiting_order_statuses",
    },
    "payment_status": {
        "refunded": "refunded_payment_statuses",
        "settled": "settled_payment_statuses",
        "open": "open_payment_statuses",
    },
}
"""The standings by field of an order, each with the setting that names its states. Of a state that
several name, those that were set go before defaults, and then the first one here counts."""
MOST_DAYS = 36_500
DAYS = (
    *("lapse_days", "late_minimum_orders", "confirm_days", "confirm_minimum_orders"),
    *("old_order_days", "overdue_days", "recent_days", "spending_days", "done_days"),
    *("price_change_days", "pair_minimum_orders"),
)
"""The settings of days and orders from which on something is told."""
WITHIN = {("settled", "refunded")}
"""Standings of which the second is a kind of the first: a state may be named by both settings."""


@dataclass(frozen=True, slots=True)
class StateMeaning:
    """What a state of an order, or of its payment, means.

    One that was set `is_expected`. A default that was replaced `is_past`: it means nothing for
    orders any more, and still tells what their earlier states meant.
    """

    field_name: str
    state: str
    standing: str
    is_expected: bool
    is_past: bool = False


class ModelSettings(BaseModel):
    """Settings of the models, with their defaults, which `sql/dbt_project.yml` repeats for dbt.

    `engine` builds the models: beside the command, with `engine_memory` megabytes for joins, sorts
    and groups, or at `remote`, by Spark Connect.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Literal["duckdb", "sail", "spark"] = "duckdb"
    """What builds the models: `duckdb`, `sail` beside the command, or `spark` at `remote`."""
    remote: str | None = Field(default=None, pattern="^sc://")
    """Address of the engine by Spark Connect: `sc://host:15002`."""
    engine_memory: int = Field(default=500, ge=100)
    """Megabytes for joins, sorts and groups of Sail beside the command, which takes more itself."""
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
    gaps tell, or, if these are too few, those of buyers with about as many purchases."""
    late_minimum_orders: int = Field(default=4, ge=2)
    """Fewest purchases of a buyer that can be late."""
    confirm_days: int = Field(default=3, ge=1, le=36_500)
    """Days that it usually takes to accept an order, where too few were seen to know."""
    confirm_minimum_orders: int = Field(default=5, ge=1)
    """Fewest orders seen to be accepted whose median is what is usual."""
    old_order_days: int = Field(default=30, ge=1, le=36_500)
    """An order that waits for more days is no longer one to confirm, but one to decide on."""
    overdue_days: int = Field(default=60, ge=1, le=36_500)
    """What was sent and is not paid for more days after its order is overdue, where no due day is
    known."""
    terms: Terms = {}
    """After how many days the money is due, by terms of vendors that do not say it themselves, as
    `cod = 0`; `"" = 30` is that of vendors without terms."""
    processing: Processing = {}
    """What words of vendors on their processing mean that are not read, as
    `"made to order" = "9 business days"`; `""` is that of vendors without a processing time."""
    recent_days: int = Field(default=30, ge=1, le=36_500)
    """Lines sold below the list price are told of for so many days."""
    spending_days: int = Field(default=90, ge=1, le=36_500)
    """What a buyer spends in a month is told by so many days up to its last purchase."""
    price_change_days: int = Field(default=30, ge=1, le=36_500)
    """What was sold is compared in so many whole days before and after a change of a price."""
    pair_minimum_orders: int = Field(default=5, ge=1)
    """Fewest orders with two products that make them a pair that is bought together."""
    done_days: int = Field(default=90, ge=1, le=36_500)
    """Orders that are done are shown among the others for so many days."""
    color_options: States = ("color", "colour")
    """Options of variants that are colours."""
    size_options: States = ("size",)
    """Options of variants that are sizes."""
    is_discount_in_amounts: bool = False
    """Whether `sub_total` and `total_price` are after line discounts, which §2.4 leaves open."""
    largest_amount: int = Field(default=10**15, ge=1, le=10**15)
    """A larger amount or price is taken for a mistake, and counted nowhere."""
    largest_quantity: int = Field(default=10**9, ge=1, le=10**9)
    """A larger quantity is taken for a mistake, and counted nowhere."""
    first_plausible_day: date = date(2000, 1, 1)
    """An order dated before this day, or after the sync, counts as undated."""
    waiting_order_statuses: States = ("received",)
    """States of orders that nobody has accepted yet."""
    accepted_order_statuses: States = ("confirmed",)
    """States of orders that are accepted, and not sent yet."""
    sent_order_statuses: States = ("shipped",)
    """States of orders that are under way to the buyer: what is not paid of them is owed."""
    done_order_statuses: States = ("delivered",)
    """States of orders that arrived: what is not paid of them is owed."""
    cancelled_order_statuses: States = (
        *("cancelled", "canceled", "declined"),
        *("rejected", "void", "voided"),
    )
    """States of orders that are not sales."""
    returned_order_statuses: States = ()
    """States of orders that came back: sales of which nothing is owed."""
    open_payment_statuses: States = ("unpaid",)
    """States of payments that are not settled."""
    settled_payment_statuses: States = ("paid", "voided")
    """States of payments that are settled; refunded ones are, too."""
    refunded_payment_statuses: States = ("refunded",)
    """States of payments that were refunded in full."""
    models: str | None = None
    """A folder of models of your own: SQL, and YAML that describes it."""
    metrics: str | None = None
    """A file of metrics of your own."""
    goals: str | None = None
    """A file of goals, CSV: `month`, `metric`, `target`, and if wanted `vendor` and `manager`."""
    extra_fields: Annotated[tuple[str, ...], AfterValidator(_fields)] = ()
    """Undocumented fields that are columns of marts, and dimensions, such as `orders.some_field`,
    `orders.some_field as other_name` or `orders.some_field date`: none may be personal."""

    def row(self) -> dict[str, tuple[str, str]]:
        """The columns of `wholesale_build.settings`: type and value as text, without the clock."""
        return {
            "time_zone": ("text", self.time_zone),
            "currency": ("text", self.currency),
            "near_miss_share": ("decimal(13, 12)", str(self.near_miss_share)),
            "late_percentile": ("decimal(13, 12)", str(self.late_percentile)),
            **{name: ("bigint", str(getattr(self, name))) for name in DAYS},
            **{
                name: ("text", ", ".join(sorted(getattr(self, name))))
                for name in ("color_options", "size_options")
            },
            "terms": ("text", _listed(self.terms)),
            "processing": ("text", _listed(self.processing)),
            "is_discount_in_amounts": ("boolean", str(self.is_discount_in_amounts)),
            "largest_amount": ("decimal(38, 9)", str(self.largest_amount)),
            "largest_quantity": ("bigint", str(self.largest_quantity)),
            "first_plausible_day": ("date", f"{self.first_plausible_day}"),
            "first_plausible_at": ("timestamptz", f"{self.first_plausible_day} 00:00:00+00"),
            **{
                name: ("text", ", ".join(sorted(getattr(self, name))))
                for names in STANDINGS.values()
                for name in names.values()
            },
        }

    @model_validator(mode="after")
    def _one_meaning_each(self) -> Self:
        """Refuse a state that was set to mean two things."""
        for names in STANDINGS.values():
            for (first, one), (second, other) in combinations(names.items(), 2):
                twice = set(getattr(self, one)) & set(getattr(self, other))
                is_set = {one, other} <= self.model_fields_set
                if twice and is_set and (second, first) not in WITHIN:
                    raise ValueError(f"{one} and {other} both name {min(twice)}: leave it in one")
        return self

    def states(self) -> Sequence[StateMeaning]:
        """The rows of `wholesale_build.states`: a state that no setting names is not among them."""
        found = [
            StateMeaning(field, state, *self._standing(names, state))
            for field, names in STANDINGS.items()
            for state in dict.fromkeys(
                state for name in names.values() for state in getattr(self, name)
            )
        ]
        if not self.model_fields_set:
            return found
        named = {(each.field_name, each.state) for each in found}
        defaults = ModelSettings().states()
        return [
            *found,
            *(
                replace(each, is_past=True)
                for each in defaults
                if (each.field_name, each.state) not in named
            ),
        ]

    def _standing(self, names: Mapping[str, str], state: str) -> tuple[str, bool]:
        """What the state means by these settings, and whether one of them was set."""
        found = [standing for standing, name in names.items() if state in getattr(self, name)]
        was_set = [each for each in found if names[each] in self.model_fields_set]
        if was_set and (was_set[0], found[0]) in WITHIN:
            return found[0], True
        return (was_set or found)[0], bool(was_set)


def read_settings() -> ModelSettings:
    """Read `[build]` of `.dlt/config.toml`, or `BUILD__…` in the environment.

    Raises: ConfigurationError naming the setting, its value, its place and the rule.
    """
    return read_model(ModelSettings, SECTION)
