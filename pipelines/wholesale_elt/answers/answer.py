"""Answer: rows and how far to trust them, whatever was asked; a table in a notebook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wholesale.errors import ConfigurationError, counted, decimal_text

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped, unused-ignore]
    import pyarrow as pa

    from wholesale_elt.differences import Side
    from wholesale_elt.publish import Manifest

D = TypeVar("D", covariant=True)
E = TypeVar("E")
MOST_SHOWN = 40
"""Rows that a notebook shows."""


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Generic[D]):
    """What was asked for.

    `rows` have exact values: amounts are decimals, days dates. `statement` is the SQL that gives
    them, None where it is more than one. `verdict` and `as_of` (ISO 8601, UTC) are those of the
    published `version`, None where a warehouse was asked; `summary` says it in a line. `document`
    is what `--json` prints, and `detail` the answer in the form of its kind.
    """

    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    statement: str | None
    verdict: str | None
    as_of: str | None
    version: str | None
    summary: str
    document: Mapping[str, Any] = field(hash=False)
    detail: D

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Answer of {counted(len(self.rows), 'row')}: {self.summary}>"

    def arrow(self) -> "pa.Table":
        """The rows as a table of Arrow; values of types that it lacks are texts there."""
        import pyarrow as pa

        values = {name: [row.get(name) for row in self.rows] for name in self.columns}
        return pa.table({name: _array(column) for name, column in values.items()})

    def df(self) -> "pd.DataFrame":
        """The rows as a DataFrame of pandas; amounts stay decimals.

        Raises: ConfigurationError if pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise ConfigurationError(
                "df() needs pandas, which is not installed: `pip install pandas`, or take arrow()"
            ) from None
        rows = [[row.get(name) for name in self.columns] for row in self.rows]
        return pd.DataFrame(rows, columns=list(self.columns))

    def _repr_html_(self) -> str:
        """The first rows, and below them what they are of: for notebooks."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(_cell(row.get(name)) for name in self.columns)}</tr>"
            for row in self.rows[:MOST_SHOWN]
        )
        more = len(self.rows) - MOST_SHOWN
        told = f"and {counted(more, 'row')} more; {self.summary}" if more > 0 else self.summary
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{escape(told)}</p>"
        )


def _cell(value: object) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, Decimal):
        value = decimal_text(value)
    elif not isinstance(value, int | float):
        return f"<td>{escape(str(value))}</td>"
    return f'<td style="text-align: right">{escape(str(value))}</td>'


def _array(column: Sequence[Any]) -> "pa.Array":
    import pyarrow as pa

    try:
        return pa.array(_alike(column))
    except (pa.ArrowException, OverflowError):  # as of UUIDs, and of numbers beyond 64 bits
        return pa.array([None if value is None else str(value) for value in column])


def _alike(column: Sequence[Any]) -> Sequence[Any]:
    """Values of one type: whole numbers among decimals are decimals, too."""
    if any(isinstance(value, Decimal) for value in column):
        return [Decimal(value) if isinstance(value, int) else value for value in column]
    return column


def of_version(
    of: "Manifest | Side",
    *,
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    statement: str | None,
    summary: str,
    document: Mapping[str, Any],
    detail: E,
) -> Answer[E]:
    """What was asked of a published version."""
    return Answer(
        columns=columns,
        rows=rows,
        statement=statement,
        verdict=of.verdict,
        as_of=of.as_of,
        version=of.version,
        summary=summary,
        document=document,
        detail=detail,
    )
