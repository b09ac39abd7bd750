"""Described: the fields of settings with the texts below them."""

import ast
import inspect
from itertools import pairwise

from pydantic import BaseModel


def describe(model: type[BaseModel]) -> None:
    """Describe its fields by the texts below them. Commands do without: to read them from the
    source takes as long as a short question."""
    [found] = ast.parse(inspect.getsource(model)).body
    assert isinstance(found, ast.ClassDef)
    for field, below in pairwise(found.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                value=ast.Constant(value=str(text))
            ):
                model.model_fields[name].description = inspect.cleandoc(text)
