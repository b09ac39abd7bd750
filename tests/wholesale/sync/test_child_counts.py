"""A list of children that holds more or fewer than are counted is read again, and then doubted."""

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    any_letters,
    ids,
    paged,
    read_lists,
    variants,
)




@pytest.mark.parametrize(
    ("later", "doubts"),
    [("ab", []), ("abc", [UNPROVED, "1 list with more or fewer records than counted"])],
)
def test_a_list_that_counts_fewer_than_it_shows_is_proved_by_a_second_reading(
    later: str, doubts: list[str]
) -> None:
    service = Lists({})

    def page(path: str, number: int) -> httpx.Response:
        is_first = service.queries[-1]["limit"] == "10"
        return paged(variants("ab" if is_first else later), number, total_count=0)

    service.page = page
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert reader.report.doubts() == doubts
    assert {query["limit"] for query in service.queries if "page" in query} == {"10", "9"}
    proof = reader.report.proof
    assert (proof.kind if proof else None) == (None if doubts else "agreement")


@pytest.mark.parametrize(
    ("names", "counts", "later", "doubts"),
    [
        ("ijk", "123", "b", ["1 list with fewer records than the parent counts"]),
        ("IJK", "123", "b", ["1 list with fewer records than the parent counts"]),
        ("ijk", "123", "bc", []),
        ("ijk", "333", "b", []),
        ("ijk", "022", "b", []),
    ],
)
def test_a_list_that_counts_nothing_is_read_again_where_its_parent_counts_more_and_others_right(
    names: str, counts: str, later: str, doubts: list[str]
) -> None:
    """Most parents of the last two services count otherwise than their lists show."""
    items = [
        {"id": item, "title": "A", "variants_count": int(count)}
        for item, count in zip(names, counts, strict=True)
    ]

    def page(path: str, number: int) -> httpx.Response | None:
        if not path.endswith("/variants"):
            return None
        shown = {"i": "a", "j": "b" if service.asked[path, 1] == 1 else later, "k": "def"}
        return answer(variants(shown[path[7]]) if number == 1 else [])

    service = any_letters(Lists({"/items": items}, page))
    reader = service.reader("variants")

    assert sorted(ids(read_lists(reader, ["i", "j", "k"]))) == sorted({*"abdef", *later})
    assert reader.report.doubts() == ([UNPROVED, *doubts] if doubts else [])


def test_a_list_that_does_not_hold_what_it_counts_is_doubted() -> None:
    service = Lists({}, lambda path, number: paged(variants("ab"), number, total_count=3))
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert reader.report.doubts() == [UNPROVED, "1 list with more or fewer records than counted"]


def counting(names: str, total: int, parent: Record, later: str | None = None) -> Lists:
    """A service whose list of an item counts so many variants; read again, it shows `later`."""

    def page(path: str, number: int) -> httpx.Response:
        is_first = service.queries[-1]["limit"] == "10"
        shown = names if is_first or later is None else later
        return paged(variants(shown), number, total_count=total)

    service = Lists({"/items": [parent]}, page)
    return service


def test_a_list_that_counts_more_than_it_shows_is_proved_where_its_parent_counts_as_many() -> None:
    service = counting("ab", 3, {"id": "i", "variants_count": 2})
    reader = service.reader("variants", concurrency=1)

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert (reader.report.doubts(), service.asked["/items/i", 0]) == ([], 1)
    assert reader.report.proof
    assert reader.report.proof.kind == "agreement"


@pytest.mark.parametrize(
    ("parent", "later"),
    [
        ({"id": "i", "variants_count": 3}, "ab"),
        ({"id": "i", "variants_count": 2}, "ac"),
        ({"id": "i", "variants_count": 2}, "abc"),
        ({"id": "i"}, "ab"),
        ({"id": "another"}, "ab"),
    ],
)
def test_a_list_that_counts_more_is_doubted_where_its_parent_or_a_second_reading_says_otherwise(
    parent: Record, later: str
) -> None:
    reader = counting("ab", 3, parent, later).reader("variants", concurrency=1)

    read_lists(reader, ["i"])

    assert reader.report.doubts() == [UNPROVED, "1 list with more or fewer records than counted"]


def test_a_list_that_counts_more_is_doubted_where_its_parent_comes_without_an_id() -> None:
    service = counting("ab", 3, {"id": "i"})
    service.single = lambda path: answer({"variants_count": 2})  # type: ignore[method-assign]
    reader = service.reader("variants", concurrency=1)

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert reader.report.doubts() == [UNPROVED, "1 list with more or fewer records than counted"]


@pytest.mark.parametrize(("total", "is_proved"), [(3, True), (4, False)])
def test_lists_that_each_count_the_children_of_all_parents_are_proved_together(
    total: int, is_proved: bool
) -> None:
    users = {"b": variants("xy"), "c": variants("z"), "d": []}
    service = Lists({})
    service.page = lambda path, number: paged(users[path.split("/")[2]], number, total_count=total)
    reader = service.reader("buyer_users", page_size=9)

    assert sorted(ids(read_lists(reader, list(users)))) == ["x", "y", "z"]
    assert (reader.report.proof is not None) == is_proved
    assert reader.report.doubts() == (
        [] if is_proved else [UNPROVED, "3 lists with more or fewer records than counted"]
    )


def test_a_list_that_cannot_be_read_to_its_end_is_doubted() -> None:
    service = Lists(
        {}, lambda path, number: paged(variants("ab"), 1, 2, total_pages=3, total_count=6)
    )
    reader = service.reader("variants", page_size=2)

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert reader.report.doubts() == [UNPROVED, "1 list with more or fewer records than counted"]


def test_lists_of_which_one_is_not_counted_count_nothing_together() -> None:
    service = Lists(
        {"/items": [], "/items/i/variants": variants("ab"), "/items/j/variants": variants("c")},
        lambda path, number: (
            paged(variants("ab"), number, total_count=None) if path.startswith("/items/i") else None
        ),
    )
    reader = service.reader("variants")

    assert sorted(ids(read_lists(reader, ["i", "j"]))) == ["a", "b", "c"]
    assert (reader.report.last_total, reader.report.doubts()) == (None, [])
