"""A list of children that is denied, or stays empty, is believed by what its parent says."""

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    ids,
    not_found,
    on,
    paged,
    parents_of,
    read_lists,
    stored,
    variants,
)

DENIED = "1 list denied though the parent is there"




@pytest.mark.parametrize("status", [404, 200])
def test_a_list_that_is_denied_counts_with_the_word_of_its_parent(status: int) -> None:
    service = Lists({"/items/i/variants": variants("a"), "/items": [{"id": "i"}]})
    service_single = service.single

    def single(path: str) -> httpx.Response:
        return answer({"id": "gone"}, status) if path == "/items/gone" else service_single(path)

    service.single = single  # type: ignore[method-assign]
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i", "gone"])) == ["a"]
    assert reader.report.doubts() == ([UNPROVED, DENIED] if status == 200 else [])


@pytest.mark.parametrize("answers", [True, False])
def test_a_list_is_denied_with_right_where_its_parent_says_that_it_is_deleted(
    answers: bool,
) -> None:
    items = [{"id": "i"}, {"id": "j", "deleted_at": on(2)}]
    service = Lists({"/items/i/variants": variants("a"), "/items": items})
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        whole(path) if answers or path != "/items/j" else not_found()
    )
    before = [*variants("a", parent_id="i"), *variants("b", parent_id="j")]
    reader = service.reader("variants", stored("variants", before))

    assert ids(read_lists(reader, ["i", "j"])) == ["a"]
    assert (reader.gone, reader.report.doubts()) == ({"b"}, [])


@pytest.mark.parametrize(
    ("empty", "asked", "shown"),
    [("j", 2, {"I": "i", "J": "j", "K": "k"}), ("ij", 1, {"K": "k"})],
)
def test_an_empty_list_is_read_again_unless_most_are(
    empty: str, asked: int, shown: dict[str, str]
) -> None:
    """Only parents that count children are asked for their lists."""
    lists = {f"/items/{item}/variants": variants(item.upper()) for item in "ijk"}

    def page(path: str, number: int) -> httpx.Response | None:
        is_first = service.asked[path, number] == 1
        return paged([], number, 10) if is_first and path[7] in empty else None

    service = Lists(lists, page)
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j", "k"])) == shown
    assert service.asked["/items/j/variants", 1] == asked
    assert reader.report.doubts() == []


@pytest.mark.parametrize(
    ("held", "shown"), [("", {"I": "i", "J": "j", "K": "k"}), ("I", {"I": "i", "K": "k"})]
)
def test_empty_lists_of_parents_that_count_nothing_are_read_again_in_the_first_load(
    held: str, shown: dict[str, str]
) -> None:
    lists = {f"/buyers/{buyer}/buyer_users": variants(buyer.upper()) for buyer in "ijk"}

    def page(path: str, number: int) -> httpx.Response | None:
        return paged([], number) if path[8] == "j" and service.asked[path, number] == 1 else None

    service = Lists(lists, page)
    before = stored("buyer_users", variants(held), parent="i") if held else None
    reader = service.reader("buyer_users", before)

    batches = read_lists(reader, ["i", "j", "k"])
    rows = [row for batch in batches for row in batch.decoded.root.to_pylist()]
    assert {row["id"]: row["buyer_id"] for row in rows} == shown
    assert reader.report.doubts() == []


@pytest.mark.parametrize(
    ("counts", "doubts"),
    [
        ({"i": 1, "j": 2, "k": 1}, ["1 list with fewer records than the parent counts"]),
        ({"i": 1, "j": 0, "k": 1}, []),
        ({"i": None, "j": None, "k": None}, []),
        ({"i": 2, "j": 2, "k": 3}, []),
    ],
)
def test_a_list_that_stays_empty_is_doubted_where_its_parent_counts_some_and_others_count_right(
    counts: dict[str, int | None], doubts: list[str]
) -> None:
    """The last service counts what its lists do not show, of all."""
    lists = {f"/items/{item}/variants": variants(item.upper()) for item in "ik"}
    items = [{"id": item, "title": "A", "variants_count": count} for item, count in counts.items()]
    reader = Lists({"/items": items, "/items/j/variants": [], **lists}).reader("variants")

    assert sorted(ids(read_lists(reader, ["i", "j", "k"]))) == ["I", "K"]
    assert reader.report.doubts() == ([UNPROVED, *doubts] if doubts else [])


def test_two_lists_that_stay_empty_are_told_of_together() -> None:
    items = [{"id": item, "title": "A", "variants_count": 1} for item in "ijklm"]
    lists = {f"/items/{item}/variants": variants(item.upper()) for item in "ikl"}
    empty: dict[str, list[Record]] = {"/items/j/variants": [], "/items/m/variants": []}
    reader = Lists({"/items": items, **empty, **lists}).reader("variants")

    read_lists(reader, [*"ijklm"])

    assert reader.report.doubts() == [
        UNPROVED,
        "2 lists with fewer records than the parent counts",
    ]


def test_lists_that_are_denied_are_not_empty_however_many_are() -> None:
    names = [f"b{number}" for number in range(30)]
    buyers = [{"id": name, "company_name": "A"} for name in (*names, "z")]
    service = Lists({"/buyers": buyers, "/buyers/z/buyer_users": variants("x")})
    before = [*variants("x", buyer_id="z"), *variants("u", buyer_id="b0")]
    reader = service.reader("buyer_users", stored("buyer_users", before))

    assert ids(read_lists(reader, [*names, "z"])) == ["x"]
    assert (reader.gone, reader.report.suspects) == (set(), ("u",))
    assert reader.report.proof is None


def test_a_list_that_is_denied_is_empty_where_its_parent_counts_no_children() -> None:
    items = [{"id": "i", "variants_count": 0}, {"id": "j", "variants_count": 1}]
    service = Lists({"/items": items, "/items/j/variants": variants("a")})
    reader = service.reader("variants", stored("variants", variants("b"), parent="i"))

    assert ids(read_lists(reader, ["i", "j"])) == ["a"]
    assert (reader.report.suspects, reader.report.doubts()) == (
        ("b",),
        ["1 stored record not listed, and not settled yet"],
    )


@pytest.mark.parametrize(
    ("count", "named", "doubts"),
    [
        (1, "J", ["1 list with records of other parents only"]),
        (0, "J", []),
        (1, "x", []),
        (1, "k", ["2 lists with records of other parents only"]),
    ],
)
def test_a_list_that_shows_only_children_of_others_is_doubted_where_its_parent_counts_some(
    count: int, named: str, doubts: list[str]
) -> None:
    """The second service shows the variants of all items in each list, in the third one most name
    something else than their item, in the last one most lists show variants of the last item."""
    of_j = variants("b", parent_id=named)
    items = [{"id": item, "title": "A", "variants_count": 1} for item in "ijk"]
    items[0]["variants_count"] = count
    lists = {"i": of_j, "j": of_j, "k": variants("c", parent_id="k")}
    service = Lists(
        {"/items": items, **{f"/items/{item}/variants": shown for item, shown in lists.items()}}
    )
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j", "k"])) == {"b": named, "c": "k"}
    assert reader.report.doubts() == ([UNPROVED, *doubts] if doubts else [])


@pytest.mark.parametrize(
    ("later", "loaded", "asked", "doubts"),
    [
        (["b"], "abc", 2, []),
        (["", "b"], "abc", 3, []),
        (["", ""], "ac", 3, []),
        ([None], "ac", 2, [UNPROVED, DENIED]),
    ],
)
def test_a_list_that_is_denied_once_is_asked_for_again(
    later: list[str | None], loaded: str, asked: int, doubts: list[str]
) -> None:
    """What it shows from the second time on; None is denied."""
    path = "/buyers/j/buyer_users"

    def page(asked_for: str, number: int) -> httpx.Response | None:
        if asked_for != path:
            return None
        place = service.asked[path, 1] - 1
        shown = later[min(place, len(later)) - 1] if place else None
        return not_found() if shown is None else paged(variants(shown), number)

    buyers = {"/buyers": [{"id": buyer} for buyer in "ijk"]}
    lists = {"/buyers/i/buyer_users": variants("a"), "/buyers/k/buyer_users": variants("c")}
    service = Lists({**buyers, **lists}, page)
    reader = service.reader("buyer_users")

    assert sorted(ids(read_lists(reader, ["i", "j", "k"]))) == [*loaded]
    assert service.asked[path, 1] == asked
    assert reader.report.doubts() == doubts
