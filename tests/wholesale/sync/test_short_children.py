"""A list of children that shows less than detail requests do empties nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx
import pytest

from support.records.kept import Kept, doubted
from support.records.lists import Lists, Record, paged

FIELDS = ("title", "sku", "msrp", "barcode", "description", "a_field_of_its_own")
SHORT = ("id", "title", "options")


@dataclass
class ShortLists(Lists):
    """Lists of children whose rows have these fields alone; None: all."""

    shown: Sequence[str] | None = None
    shown_of: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        records = self.lists.get(path, ())
        shown = self.shown if path.count("/") == 3 else self.shown_of.get(path)
        if shown is None:
            return super().slice(path, number, query)
        rows = [{name: row[name] for name in shown if name in row} for row in records]
        return paged(rows, number, int(query["limit"]))


def variant(item: str, number: int) -> Record:
    values = {name: f"{number}.5" for name in FIELDS}
    options = [{"name": "size", "value": "L"}]
    return {"id": f"{item}-{number}", "item_id": item, "options": options, **values}


def world(items: int, empty: int, shown: Sequence[str] | None = None) -> ShortLists:
    """Items that count no variants, the first of which have none, and the others three each."""
    names = [f"i{number:02}" for number in range(items)]
    lists: dict[str, Sequence[Record]] = {"/items": [{"id": name, "title": name} for name in names]}
    for number, name in enumerate(names):
        rows = [variant(name, number) for number in range(3)] if number >= empty else []
        lists[f"/items/{name}/variants"] = rows
    return ShortLists(lists, shown=shown)


def stored(kept: Kept) -> dict[str, dict[str, str]]:
    """The fields of each variant as text, and how many options it has."""
    counts = kept.counts("variants__options")
    return {
        key: {name: str(row[name]).rstrip("0") for name in FIELDS} | {"options": str(counts[key])}
        for key, row in kept.rows["variants"].items()
    }


def sent(service: Lists) -> dict[str, dict[str, str]]:
    rows = [row for path, of in service.lists.items() if path.endswith("/variants") for row in of]
    return {row["id"]: {name: row[name] for name in FIELDS} | {"options": "1"} for row in rows}


@pytest.mark.parametrize("empty", [0, 1, 12])
def test_lists_that_are_short_from_the_start_are_found_to_be(empty: int) -> None:
    kept = Kept(world(15, empty, SHORT))

    for _ in range(2):
        readers = kept.sync("items", "variants")
        assert doubted(readers["variants"]) == []
        assert stored(kept) == sent(kept.service)
    assert kept.known is not None
    assert kept.known.lists_in_short == {"variants"}


@pytest.mark.parametrize("empty", [0, 1, 12])
@pytest.mark.parametrize(
    "shown",
    [
        SHORT,
        ("id", "title", "item_id"),  # no options either
        ("id", *FIELDS[:-1], "options", "item_id"),  # without one that the description lacks
        ("id", "title", "sku", "options"),
    ],
)
def test_lists_that_become_short_take_nothing_from_what_is_stored(
    shown: Sequence[str], empty: int
) -> None:
    service = world(15, empty)
    kept = Kept(service)
    assert doubted(kept.sync("items", "variants")["variants"]) == []

    service.shown = shown
    assert doubted(kept.sync("items", "variants")["variants"]) == ["lists_in_short"]
    assert stored(kept) == sent(service)
    for _ in range(2):
        assert doubted(kept.sync("items", "variants")["variants"]) == []
        assert stored(kept) == sent(service)


def test_lists_that_are_set_not_to_be_short_are_named_and_take_nothing() -> None:
    service = world(15, 1)
    kept = Kept(service)
    kept.sync("items", "variants", lists_in_short={"brands"})
    service.shown = SHORT

    for _ in range(3):
        reader = kept.sync("items", "variants", lists_in_short={"brands"})["variants"]
        assert '(set lists_in_short = ["brands", "variants"] in ' in "; ".join(
            reader.doubts.sentences()
        )
        assert stored(kept) == sent(service)

    whole = kept.sync("items", "variants", lists_in_short={"brands", "variants"})["variants"]
    assert doubted(whole) == []
    assert stored(kept) == sent(service)
