"""Fields: which columns the undocumented fields that a setting names may have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from wholesale.api import CLASS_OF_FIELD, PERSONAL_FIELDS
from wholesale.configuration import names_in, place_of
from wholesale.errors import ConfigurationError
from wholesale.names import VALID_FROM, VALID_TO
from wholesale_elt.models.own.privacy import SETTING, is_allowed
from wholesale_elt.models.project import SECTION, Field, project_folder
from wholesale_elt.models.rendering import field_of, is_named_well, parsed, personal_name
from wholesale_elt.process import budget

NAME = "extra_fields"
COUNTED = ("marts/fct_orders", "marts/fct_order_lines", "bi/rpt_reorders", "bi/rpt_receivables")
"""The tables whose rows are counted: a column of theirs is called nothing else in a figure."""
METRICS = "marts/metrics"
DIMENSIONS = frozenset(
    {
        *("vendor", "buyer", "country", "state", "city", "price_list", "payment_method"),
        *("buyer_user", "buyer_user_role", "account_manager", "weekday", "product", "product_id"),
        *("sku", "category", "parent_category", "top_category", "brand", "color", "size"),
        *("options", "order_id", "order_number", "order_status", "payment_status"),
        *("invoice_status", "buyer_kind", "due_bucket", "due_from", "order_terms", "promise"),
    }
)
"""The dimensions of figures, which come later: a test holds these against them."""
TAKEN = frozenset(
    {
        *(*DIMENSIONS, *(f"{name}_name" for name in DIMENSIONS)),
        *("day", "week", "month", "quarter", "year", "period", "compare", "grain", "code"),
        *("is_unfinished", "seen_day_count", "metric", "by", "where", "as_of_date"),
    }
)
"""What figures call otherwise: their dimensions, grains, and what else they tell of a row."""


def read_fields(value: object) -> Sequence[Field]:
    """The fields that the setting has.

    Raises: ConfigurationError for one that is documented, or whose column would be called as
    another thing is, or can identify a person.
    """
    names = names_in(value)
    entries = names if isinstance(names, list | tuple) else [names]
    fields = [_field(str(entry)) for entry in entries]
    for told in ("column", "name"):
        counts = Counter(
            (told == "name" and each.table, getattr(each, told)) for each in fields if each.mart
        )
        twice = next((name for (_, name), count in counts.items() if count > 1), None)
        if twice:
            raise _wrong(
                twice, "is there twice: call one otherwise, as orders.a as b, or leave one"
            )
    return sorted(fields, key=lambda each: (each.table, each.name))


def _field(text: str) -> Field:
    try:
        field = field_of(text)
    except ValueError as error:
        raise ConfigurationError(f"{_setting()}: {error}") from None
    if fault := next(_faults(field), None):
        raise _wrong(f"{field.table}.{field.name}", fault)
    return field


def _faults(field: Field) -> Iterator[str]:
    name, column = field.name, field.column
    documented = CLASS_OF_FIELD[field.table]
    if name in {*documented, VALID_FROM, VALID_TO} or name.startswith("_"):
        yield f"is no extra field: it has a column of its own in wholesale_raw.{field.table}"
    otherwise = f"write {field.table}.{name} as other_name"
    if not is_named_well(column) or column in _keywords():
        yield f"cannot be called {column} in SQL: {otherwise}, of small letters, digits and _"
    if table := next((each for each in _tables(field) if column in _columns(each)), None):
        taken = f"a column of {table.rpartition('/')[2]}"
        yield f"cannot be called {column}, as {taken} is: {otherwise}"
    if column in TAKEN or column in _metrics():
        yield f"cannot be called {column}, as something else of figures is: {otherwise}"
    if (known := personal_name(name)) and column not in PERSONAL_FIELDS:
        yield f"can identify a person: write {field.table}.{name} as {known}, so that this is known"
    if column in PERSONAL_FIELDS and not is_allowed(f"{field.mart}.{column}"):
        yield (
            f"can identify a person: leave it out, or allow it by {SETTING} ="
            f' ["{field.mart}.{column}"]'
        )


def _tables(field: Field) -> Iterator[str]:
    if field.mart:
        yield f"marts/{field.mart}"
        yield from COUNTED


@cache
def _columns(path: str) -> frozenset[str]:
    [model] = _yaml(path)["models"]
    return frozenset(column["name"] for column in model["columns"])


@cache
def _metrics() -> frozenset[str]:
    return frozenset(metric["name"] for metric in _yaml(METRICS)["metrics"])


@cache
def _keywords() -> frozenset[str]:
    with budget.connect() as connection:
        found = connection.execute(
            "select keyword_name from duckdb_keywords() where keyword_category = 'reserved'"
        ).fetchall()
    return frozenset({*(name for (name,) in found), "user"})  # the last one in PostgreSQL alone


def _yaml(name: str) -> Mapping[str, Any]:
    path = f"models/{name}.yml"
    return parsed(path, (project_folder() / path).read_text("utf-8"))


def _setting() -> str:
    return f"setting {SECTION}.{NAME} ({place_of(SECTION, NAME)})"


def _wrong(named: str, what: str) -> ConfigurationError:
    return ConfigurationError(f"{_setting()}: {named} {what}")
