"""Privacy: a column of theirs that can identify a person is refused unless a setting allows it."""

from collections.abc import Iterable, Mapping

from wholesale.configuration import names_in, read_section
from wholesale.settings import PRIVACY as SECTION
from wholesale_elt.models.project import Model
from wholesale_elt.models.rendering import NotRendered

NAME = "published"
SETTING, ALL = f"{SECTION}.{NAME}", "all"


def allowed_columns() -> object:
    """The value of the setting, as it is."""
    return names_in(read_section(SECTION, (NAME,)).get(NAME))


def is_allowed(name: str) -> bool:
    """Whether the setting names this column, as `table.column`, or all."""
    allowed = allowed_columns()
    names = allowed if isinstance(allowed, list) else []
    return ALL in names or name in names


def refuse_personal(models: Iterable[Model], found: Mapping[tuple[str, str], str]) -> None:
    """Raises: NotRendered for the first of these columns that the setting does not name."""
    files = {model.name: model.file for model in models}
    for (table, column), source in found.items():
        name = f"{table}.{column}"
        if not is_allowed(name):
            of = "" if source == column else f" has {source}, which"
            raise NotRendered(
                files[table],
                None,
                f"column {column}{of} can identify a person: leave it out, or allow it by"
                f' {SETTING} = ["{name}"]',
            )
