"""Comments: when orders were commented on, and the words where these are published."""

from pathlib import Path

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish

COMMENTS = "wholesale_marts.fct_order_comments"


def told(site: Site, *columns: str) -> list[tuple[object, ...]]:
    return [tuple(row[name] for name in columns) for row in site.table("comments")]


def test_words_are_shown_where_they_are_published(site: Site) -> None:
    columns = ("order_id", "commented_at", "author", "body")
    assert told(site, *columns) == site.answer(
        f"select {', '.join(columns)} from {COMMENTS} order by order_id, comment_number"
    )
    assert any(row["body"] for row in site.table("comments"))


def test_without_them_their_times_are(built: Marts, tmp_path: Path) -> None:
    site = publish(
        *(built, tmp_path),
        *(f"alter table {COMMENTS} drop column {name}" for name in ("author", "body")),
    )
    assert {*site.table("comments")[0]} == {"order_id", "commented_at"}
    assert told(site, "order_id", "commented_at") == site.answer(
        f"select order_id, commented_at from {COMMENTS} order by order_id, comment_number"
    )
