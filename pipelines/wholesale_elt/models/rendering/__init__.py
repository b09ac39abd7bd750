"""Rendering: makes the SQL of a dialect from the templates and YAML of the project.

In:  the files of the project, and the macros of a dialect.
Out: models, tests and queries in their order; rendered only where a file changed.
Knows nothing of databases, settings, and what becomes of the SQL.
Begin with `reading`.
"""

from wholesale_elt.models.rendering.declarations import parsed
from wholesale_elt.models.rendering.reading import read_project

__all__ = ["parsed", "read_project"]
