"""Own: the files of users, and which names their models may have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from wholesale_elt.models.project import TESTS
from wholesale_elt.models.rendering.declarations import parsed
from wholesale_elt.models.rendering.failures import NotRendered
from wholesale_elt.models.rendering.sources import Own

NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
PLAIN_VIEWS = frozenset(
    {
        *("orders", "order_lines", "sales_orders", "buyers", "vendors"),
        *("products", "categories", "brands"),
        *("daily_sales", "monthly_sales", "late_buyers", "receivables"),
        *("changes", "change_fields", "why_totals", "why", "why_orders"),
        *("forecast_claims", "forecast_month_claims"),
        *("rpt_closed_months", "rpt_journal"),
        *("tables", "columns", "relationships", "metrics", "settings", "versions", "digests"),
    }
)
"""What is published under these names, besides models."""


def own_models(own: Own) -> Sequence[Mapping[str, Any]]:
    """The models of users as their YAML describes them, and those that it does not.

    Raises: NotRendered.
    """
    described = {
        model["name"]: model
        for path, text in own.files.items()
        if is_yaml(path)
        for model in own_yaml(path, text).get("models", ())
    }
    names = [name for name, _, _ in own_sql(own) if name]
    unknown = {"description": "", "columns": ()}
    return [{**unknown, **described.get(name, {}), "name": name} for name in names]


def own_sql(own: Own) -> Iterator[tuple[str, str, str]]:
    """Name, path and text of each model, and of each test, which has no name here.

    Raises: NotRendered for a name that no model of theirs may have.
    """
    for path, text in own.files.items():
        if not path.endswith(".sql"):
            continue
        if is_test(path):
            yield "", path, text
            continue
        name = PurePosixPath(path).stem
        if not is_named_well(name):
            what = f"{name!r} is no name of a table: use small letters, digits and _"
            raise NotRendered(path, None, what)
        if name in PLAIN_VIEWS:
            raise NotRendered(path, None, f"{name} is published already: give yours another name")
        yield name, path, text


def is_yaml(path: str) -> bool:
    return path.endswith((".yml", ".yaml"))


def is_named_well(name: str) -> bool:
    return bool(NAME.fullmatch(name))


def is_test(path: str) -> bool:
    """Whether a file of theirs is a test: one below a folder of that name."""
    return path.endswith(".sql") and TESTS in PurePosixPath(path).parts[:-1]


@cache
def own_yaml(path: str, text: str) -> Mapping[str, Any]:
    """A YAML file of theirs, if it says nothing that would be ignored.

    Raises: NotRendered with the line that is not understood.
    """
    from wholesale_elt.models.rendering.own_contract import require_known  # with pydantic

    found = parsed(path, text)
    require_known(path, text, found)
    return found
