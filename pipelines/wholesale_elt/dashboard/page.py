"""Page: the tiles that answer one question, as the site and the lineage describe them."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

# fmt: off
ColumnType = Literal[
    "amount", "price", "number", "count", "rate", "change", "difference", "duration",
    "date", "moment", "month", "code", "id", "flag", "verdict", "text",
]
# fmt: on
"""How the values of a column are formatted, sorted and coloured: see site/columns.js."""


TOTALS = "_totals"
"""How the names of reports end that hold sums of the rows of another."""


def source_of(*models: str) -> str:
    """The rows of all of these reports in SQL."""
    return f"({' union all by name '.join(f'from wholesale_bi.{model}' for model in models)})"


class Column(Struct, frozen=True, omit_defaults=True):
    """A column of a report; without a label it is not shown, but read for filters and links.

    `words` replace some of its values. `values` are all that it can take, if each is to have a row
    even where the report has none. Coloured ones are good or bad news.
    """

    name: str
    type: ColumnType = "text"
    label: str = ""
    has_bar: bool = False
    is_coloured: bool = False
    words: Mapping[str, str] = {}
    values: Sequence[str] = ()


class Rows(Struct, frozen=True):
    """Which rows of a report a data file holds: with `most`, the first ones only."""

    order: str
    where: str = "true"
    most: int | None = None


class ReportExtract(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Columns and rows of one report; without `rows` they are in the data files of sales."""

    name: str
    model: str
    columns: Sequence[Column]
    rows: Rows | None = None

    @property
    def models(self) -> Sequence[str]:
        """The reports that its rows are from."""
        return (self.model,)

    @property
    def source(self) -> str:
        """Its rows in SQL, and more: all that the reports have."""
        return source_of(*self.models)


class Tile(ReportExtract, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """One element of a page, to which only `filters` apply.

    `has_totals`: sums of the report's rows, as `all`, are shown for a filter that is not set. They
    are in a report of their own, so that nobody adds them up.
    """

    label: str
    explanation: str
    filters: Sequence[str] = ()
    has_totals: bool = False

    @property
    def models(self) -> Sequence[str]:
        if not self.has_totals or self.model.endswith(TOTALS):
            return (self.model,)
        return (self.model, f"{self.model}{TOTALS}")


class Headline(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="headline"):
    """A figure and a note, templates with `{column}`.

    `otherwise` is the note if one of its columns is NULL. `doubt` says what is not known of the
    figure, where the first of its columns counts any; it takes the place of the note if the figure
    is NULL. `behind` is the title of the list of orders behind the figure.
    """

    figure: str
    note: str
    otherwise: str = ""
    doubt: str = ""
    behind: str = ""


class Table(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="table"):
    """A table with `size` rows at a time; the first column with a label is the row's header.

    `sort` is the column that it is sorted by, `empty` the text if it has no rows.
    """

    sort: str = ""
    size: int = 12
    empty: str = "Nothing here."
    is_half: bool = False


class Picture(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="picture"):
    """A chart or a heat map, drawn by the page's own script."""


class DashboardPage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tiles that answer one question together.

    `lists`, and the reports of `besides`, are read without a tile of their own: spans of time, and
    the orders behind a number. A page that is by month has a data file for each.
    """

    name: str
    title: str
    question: str
    tiles: Sequence[Headline | Table | Picture]
    lists: Sequence[ReportExtract] = ()
    besides: Sequence[str] = ()
    is_by_month: bool = False

    @property
    def listings(self) -> Sequence[tuple[ReportExtract, Rows]]:
        """The content of the page's data file."""
        return [(entry, entry.rows) for entry in (*self.tiles, *self.lists) if entry.rows]

    @property
    def models(self) -> Sequence[str]:
        """Every report of the page, once."""
        read = {model for listing in (*self.tiles, *self.lists) for model in listing.models}
        return sorted(read | set(self.besides))


MOST_ROWS = 2_000
"""Most rows of a list in a page; a longer list is cut, and says how long it is."""
