"""A list of children that does not add up is read again, and then doubted: by its own count, or by
that of its parent."""

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    ids,
    named_settings,
    paged,
    read_lists,
    stored,
    users,
    variants,
)
from wholesale.api.profile import ServiceProfile


def counting(total: int | None, first: str, later: str) -> Lists:
    """A service whose list of item `i` counts so many variants, and shows `later` when read
    again."""

    def page(path: str, number: int) -> httpx.Response:
        is_first = service.queries[-1]["limit"] == "10"
        return paged(variants(first if is_first else later), number, total_count=total)

    service = Lists({"/items": [{"id": "i", "variants_count": 3}]}, page)
    return service


@pytest.mark.parametrize("total", [0, 1, 3, 9])
def test_a_list_that_shows_more_or_fewer_than_it_counts_is_doubted_until_the_setting_says_otherwise(
    total: int,
) -> None:
    for known, settings in (
        (ServiceProfile(), {"lists_not_counted"}),
        (ServiceProfile(lists_not_counted=frozenset({"variants"})), set[str]()),
    ):
        service = counting(total, "ab", "ab")
        before = stored("variants", variants("a"), parent="i")
        reader = service.reader("variants", before, known=known)

        assert ids(read_lists(reader, ["i"])) == ["a", "b"]
        assert (named_settings(reader), reader.gone) == (settings, set())
        assert (reader.doubts.proof is None) == bool(settings)


@pytest.mark.parametrize("total", [1, 2])
def test_a_list_that_adds_up_when_it_is_read_again_is_proved(total: int) -> None:
    service = counting(total, "ab"[: 3 - total], "abc"[:total])
    reader = service.reader("variants", concurrency=1)

    read_lists(reader, ["i"])

    assert reader.doubts.sentences() == []
    assert reader.doubts.proof
    assert reader.doubts.proof.kind == "count"
    assert {query["limit"] for query in service.queries if "page" in query} == {"10", "9"}


def items(counts: dict[str, int | None]) -> list[Record]:
    return [{"id": item, "variants_count": count} for item, count in counts.items()]


@pytest.mark.parametrize("total", [2, None])
@pytest.mark.parametrize(
    ("by_itself", "later", "settings"),
    [
        (3, "ab", {"variants_are_counted"}),  # the item goes on counting more
        (3, "abc", set()),  # the list follows
        (2, "ab", set()),  # the item follows
        (0, "ab", set()),  # the item is gone
        (4, "abc", {"variants_are_counted"}),
        (None, "ab", {"variants_are_counted"}),  # it counts none by itself
    ],
)
def test_a_list_of_fewer_than_its_item_counts_is_read_again_and_then_doubted(
    by_itself: int | None, later: str, settings: set[str], total: int | None
) -> None:
    def page(path: str, number: int) -> httpx.Response:
        shown = "ab" if service.asked[path, 1] == 1 else later
        return paged(variants(shown), number, total_count=total and len(shown))

    service = Lists({"/items": items({"i": by_itself} if by_itself != 0 else {})}, page)
    reader = service.reader("variants", concurrency=1)

    assert sorted(ids(read_lists(reader, ["i"], {"i": 3}))) == [*later]
    assert (named_settings(reader), reader.doubts.proof is None) == (
        settings,
        bool(settings),
    )


def test_a_list_of_more_than_its_item_counts_is_proved_by_its_own_count() -> None:
    service = Lists({"/items/i/variants": variants("ab")})
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i"], {"i": 1})) == ["a", "b"]
    assert (reader.doubts.sentences(), service.singles) == ([], [])


def test_what_a_list_of_fewer_than_its_item_counts_lacks_is_not_called_deleted() -> None:
    """It answers by its id, so it is there."""
    hidden = {"/items/i/variants/c": variants("c")[0]}
    service = Lists({"/items": items({"i": 3}), "/items/i/variants": variants("ab")}, hidden=hidden)
    before = stored("variants", variants("abc"), parent="i")
    reader = service.reader("variants", before)

    read_lists(reader, ["i"], {"i": 3})

    assert reader.gone == set()
    assert named_settings(reader) == {"variants_are_counted"}


def test_lists_that_each_count_the_children_of_all_parents_count_nothing() -> None:
    lists = {"b": users("xy"), "c": users("z"), "d": []}
    for known, settings in (
        (ServiceProfile(), {"lists_not_counted"}),
        (ServiceProfile(lists_not_counted=frozenset({"buyer_users"})), set()),
    ):
        service = Lists({})
        service.page = lambda path, number: paged(lists[path.split("/")[2]], number, total_count=3)
        reader = service.reader("buyer_users", known=known)

        assert sorted(ids(read_lists(reader, list(lists)))) == ["x", "y", "z"]
        assert named_settings(reader) == settings
        assert (reader.doubts.proof is None) == bool(settings)


def test_a_list_that_cannot_be_read_to_its_end_is_doubted() -> None:
    service = Lists(
        {}, lambda path, number: paged(variants("ab"), 1, 2, total_pages=3, total_count=6)
    )
    reader = service.reader("variants", page_size=2)

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert named_settings(reader) == {"lists_not_counted"}


def test_lists_of_which_one_is_not_counted_count_nothing_together() -> None:
    service = Lists(
        {"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")},
        lambda path, number: (
            paged(variants("ab"), number, total_count=None) if path.startswith("/items/i") else None
        ),
    )
    reader = service.reader("variants")

    assert sorted(ids(read_lists(reader, ["i", "j"]))) == ["a", "b", "c"]
    assert (reader.tally.last_total, reader.doubts.sentences()) == (None, [])


def test_an_item_that_cannot_be_read_again_counts_what_it_did() -> None:
    service = Lists({"/items/i/variants": variants("ab")})
    service.single = lambda path: answer({"error": "broken"}, 500)  # type: ignore[method-assign]
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i"], {"i": 3})) == ["a", "b"]
    assert named_settings(reader) == {"variants_are_counted"}
