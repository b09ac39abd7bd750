"""Own: what users add to the models: a folder of SQL and YAML, metrics, goals, and parameters.

In:  the settings that name them.
Out: their texts and values; their tables; and what is wrong with them, in one line.
Knows nothing of how metrics are counted, and of what is published.
Begin with `reading`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.models.own.goals import GOAL_COLUMNS, Goal, goals_of, read_goals
    from wholesale_elt.models.own.making import make_own, without_place
    from wholesale_elt.models.own.metrics import OwnMetrics, own_metrics, require_countable
    from wholesale_elt.models.own.privacy import refuse_personal
    from wholesale_elt.models.own.reading import (
        Added,
        read_added,
        read_extra_fields,
        read_once,
        without_own,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "GOAL_COLUMNS",
    "Added",
    "Goal",
    "OwnMetrics",
    "goals_of",
    "make_own",
    "own_metrics",
    "read_added",
    "read_extra_fields",
    "read_goals",
    "read_once",
    "refuse_personal",
    "require_countable",
    "without_own",
    "without_place",
]
