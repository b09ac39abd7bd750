"""Markup: the tiles, tables and cells of the page, in which no data become markup."""

from collections.abc import Iterable, Sequence
from html import escape

from wholesale_elt.dashboard import Markup

Cell = tuple[str, str | Markup]
"""The CSS class of a cell, and its content."""


def tile(title: str, explanation: str, content: str) -> Markup:
    return Markup(
        f'<section class="tile"><h2>{escape(title)}</h2>'
        f'<p class="explanation">{escape(explanation)}</p>{content}</section>'
    )


def table(caption: str, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Markup:
    """An HTML table; the first cell of a row is its header."""
    cells = [list(row) for row in rows]
    if not cells:
        return Markup('<p class="empty">Nothing here.</p>')
    classes = [style for style, _ in cells[0]]
    heads = "".join(
        f'<th scope="col" class="{style}">{escape(name)}</th>'
        for style, name in zip(classes, names, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            _cell(number, name, *cell)
            for number, (name, cell) in enumerate(zip(names, row, strict=True))
        )
        + "</tr>"
        for row in cells
    )
    return Markup(
        f'<div class="scroller" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<caption class="hidden">{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(number: int, name: str, style: str, content: str | Markup) -> str:
    text = content if isinstance(content, Markup) else escape(content)
    if not number:
        return f'<th scope="row" class="{style}">{text}</th>'
    return f'<td class="{style}" data-label="{escape(name)}">{text}</td>'
