"""Field docs: what the fields of a record mean, in the text that stands below each in `records`.

Read from the source as a whole: pydantic would parse it once for each class, at every start.
"""

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from wholesale.api import records


@cache
def field_docs() -> Mapping[tuple[str, str], str]:
    """The texts by class and field; none where the source is not at hand."""
    try:
        tree = ast.parse(inspect.getsource(records))
    except OSError:
        return MappingProxyType({})
    return MappingProxyType(
        {
            (record.name, field.target.id): inspect.cleandoc(text.value.value)
            for record in tree.body
            if isinstance(record, ast.ClassDef)
            for field, text in pairwise(record.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
    )
