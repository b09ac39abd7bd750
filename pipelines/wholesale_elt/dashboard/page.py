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
"""How the values of a column are written, put in order and coloured: site/columns.js."""


class Column(Struct, frozen=True, omit_defaults=True):
    """A column of a report; one without a label is read, for filters and links, and not shown.

    `words` stand in the place of some of its values. `values` are all that it can take, where each
    has a row even if the report has none for it. Coloured ones are good or bad news.
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
    """Columns and rows of one report; without `rows` they stand in the data files of sales."""

    name: str
    model: str
    columns: Sequence[Column]
    rows: Rows | None = None


class Tile(ReportExtract, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """One thing shown, narrowed down by `filters` only.

    Where the report has rows of `all` that sum up the others, `has_totals`, a filter that is not
    set looks those up.
    """

    label: str
    explanation: str
    filters: Sequence[str] = ()
    has_totals: bool = False


class Headline(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="headline"):
    """A figure and a note, texts with `{column}` in them.

    `otherwise` is the note where one of its columns is NULL. `behind` is the title of the orders
    that the figure leads to.
    """

    figure: str
    note: str
    otherwise: str = ""
    behind: str = ""


class Table(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="table"):
    """A row a record, `size` of them at once; the first column with a label names the row.

    `sort` is the column that the rows are in the order of, `empty` what stands in their place.
    """

    sort: str = ""
    size: int = 12
    empty: str = "Nothing here."
    is_half: bool = False


class Picture(Tile, frozen=True, kw_only=True, omit_defaults=True, tag="picture"):
    """A chart or a table of shades, drawn by the page's own script."""


class Page(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tiles that answer one question together.

    `lists` are read for no tile of their own, and so are the reports of `besides`: spans of time,
    and the orders behind a number. A page that is by month has a data file for each.
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
        """What the data file of the page holds."""
        return [(entry, entry.rows) for entry in (*self.tiles, *self.lists) if entry.rows]

    @property
    def models(self) -> Sequence[str]:
        """Every report of the page, once."""
        read = {listing.model for listing in (*self.tiles, *self.lists)}
        return sorted(read | set(self.besides))


MOST_ROWS = 2_000
"""Rows of a list that a page can hold; beyond it the list says what it is cut from."""
