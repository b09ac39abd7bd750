"""Comments: when orders were commented on, and the words where these are published."""

from pathlib import Path

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

COMMENTS = "wholesale_marts.fct_order_comments"


def told(site: Site, *columns: str) -> list[tuple[object, ...]]:
    """What the parts of buyers have, and the months of the orders of nobody."""
    return [
        tuple(row[name] for name in columns)
        for part in site.names()
        if part.startswith(("of_orders/", "of_buyers/"))
        for row in site.table(part, "comments")
    ]


def test_words_are_shown_where_they_are_published(site: Site) -> None:
    rows = told(site, "at", "author", "body")
    assert sorted(rows, key=str) == sorted(
        site.answer(f"select commented_at, author, body from {COMMENTS}"), key=str
    )
    assert any(body for *_, body in rows)


def test_without_them_their_times_are(built: Marts, tmp_path: Path) -> None:
    site = publish(
        *(built, tmp_path),
        *(f"alter table {COMMENTS} drop column {name}" for name in ("author", "body")),
    )
    rows = told(site, "at")
    assert sorted(rows, key=str) == sorted(
        site.answer(f"select commented_at from {COMMENTS}"), key=str
    )
    [part, *_] = [name for name in site.names() if name.startswith("of_buyers/")]
    assert {*site.content(part)["comments"]["columns"]} == {"place", "at"}
