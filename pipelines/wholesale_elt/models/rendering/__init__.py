"""Rendering: makes the SQL of a dialect from the templates and YAML of the project.

In:  the files of the project, and the macros of a dialect.
Out: models, tests and queries in their order; rendered only where a file changed.
Knows nothing of databases, settings, and what becomes of the SQL.
Begin with `reading`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.models.rendering.declarations import parsed
    from wholesale_elt.models.rendering.failures import NotRendered, Unknown, line_of
    from wholesale_elt.models.rendering.fields import DECIMAL, TYPES, field_of, personal_name
    from wholesale_elt.models.rendering.loaded import loaded_yaml
    from wholesale_elt.models.rendering.own import is_named_well, is_yaml, own_models, own_yaml
    from wholesale_elt.models.rendering.reading import read_project, rendered
    from wholesale_elt.models.rendering.sources import LOADED, NOTHING, Own
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "DECIMAL",
    "LOADED",
    "NOTHING",
    "TYPES",
    "NotRendered",
    "Own",
    "Unknown",
    "field_of",
    "is_named_well",
    "is_yaml",
    "line_of",
    "loaded_yaml",
    "own_models",
    "own_yaml",
    "parsed",
    "personal_name",
    "read_project",
    "rendered",
]
