"""Then: marts as of a moment, of which no version is kept, made by the same SQL."""

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from shutil import rmtree

from wholesale_elt.load import copy_as_of
from wholesale_elt.models import BuildStep, Built, build_models
from wholesale_elt.warehouse import Warehouse

COMPLETE_AS_OF = (
    "select bool_and(is_complete), strftime(case when count(complete_as_of) = count(*) then"
    " min(complete_as_of) end at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')"
    " from wholesale_bi.rpt_freshness"
)
"""Asked of marts: whether they are of complete lists, and as of when they are."""


def build_as_of(
    warehouse: Warehouse,
    moment: datetime,
    file: Path,
    observe: Callable[[BuildStep], None] = lambda step: None,
    only: Collection[str] = (),
    is_held: bool = False,
) -> Built:
    """Build the models of what was stored at a moment into a new file; or `only` these, with those
    that they read, and no test. With `is_held` the caller holds the warehouse.

    Raises: as `copy_as_of` and `build_models` do.
    """
    then = Warehouse(file)
    try:
        copy_as_of(warehouse, then, moment, is_held=is_held)
        return build_models(then, observe, only=only)
    finally:
        rmtree(then.state_folder, ignore_errors=True)
