"""A list of children that is not found, or shows none or others, is believed by what its parent
says."""

import httpx
import pytest

from support.records.lists import (
    Lists,
    Record,
    answer,
    ids,
    named_settings,
    not_found,
    paged,
    parents_of,
    read_lists,
    stored,
    users,
    variants,
)

NOT_FOUND = "1 list not found though the parent is there"


@pytest.mark.parametrize(
    ("parent", "doubts"),
    [
        (None, []),
        ({"id": "j"}, [NOT_FOUND]),
        ({"id": "j", "variants_count": 0}, [NOT_FOUND]),  # nobody counts here
        ("broken", [NOT_FOUND]),
    ],
)
def test_a_list_that_is_not_found_is_empty_where_its_parent_is_gone(
    parent: Record | str | None, doubts: list[str]
) -> None:
    service = Lists({"/items/i/variants": variants("a")})
    whole = service.single

    def single(path: str) -> httpx.Response:
        if path != "/items/j":
            return whole(path)
        broken = answer({"error": "broken"}, 500)
        return not_found() if parent is None else broken if parent == "broken" else answer(parent)

    service.single = single  # type: ignore[method-assign]
    before = [*variants("a", parent_id="i"), *variants("b", parent_id="j")]
    reader = service.reader("variants", stored("variants", before))

    assert ids(read_lists(reader, ["i", "j"])) == ["a"]
    assert reader.gone == (set() if doubts else {"b"})
    assert reader.doubts.suspects == (("b",) if doubts else ())
    assert [doubt for doubt in reader.doubts.sentences() if doubt == NOT_FOUND] == doubts


def test_a_list_that_is_not_found_is_empty_where_its_parent_counts_no_children() -> None:
    items = [{"id": "i", "variants_count": 0}, {"id": "j", "variants_count": 1}]
    service = Lists({"/items": items, "/items/j/variants": variants("a")})
    before = [*variants("b", parent_id="i"), *variants("a", parent_id="j")]
    reader = service.reader("variants", stored("variants", before))

    assert ids(read_lists(reader, ["i", "j"], {"i": 0, "j": 1})) == ["a"]
    assert (reader.gone, reader.doubts.sentences()) == ({"b"}, [])


def test_lists_that_are_not_found_are_not_empty_however_many_are() -> None:
    names = [f"b{number}" for number in range(30)]
    buyers = [{"id": name, "company_name": "A"} for name in (*names, "z")]
    service = Lists({"/buyers": buyers, "/buyers/z/buyer_users": users("x")})
    before = [*users("x", buyer_id="z"), *users("u", buyer_id="b0")]
    reader = service.reader("buyer_users", stored("buyer_users", before))

    assert ids(read_lists(reader, [*names, "z"])) == ["x"]
    assert (reader.gone, reader.doubts.suspects) == (set(), ("u",))
    assert reader.doubts.proof is None


@pytest.mark.parametrize(
    ("later", "loaded", "doubts"),
    [("b", "abc", []), ("", "ac", []), (None, "ac", [NOT_FOUND])],
)
def test_a_list_that_is_not_found_once_is_asked_for_again(
    later: str | None, loaded: str, doubts: list[str]
) -> None:
    """What it shows the second time; None is not found."""
    path = "/buyers/j/buyer_users"

    def page(asked_for: str, number: int) -> httpx.Response | None:
        if asked_for != path:
            return None
        is_first = service.asked[path, 1] == 1
        return not_found() if is_first or later is None else paged(users(later), number)

    buyers = {"/buyers": [{"id": buyer} for buyer in "ijk"]}
    lists = {"/buyers/i/buyer_users": users("a"), "/buyers/k/buyer_users": users("c")}
    service = Lists({**buyers, **lists}, page)
    reader = service.reader("buyer_users")

    assert sorted(ids(read_lists(reader, ["i", "j", "k"]))) == [*loaded]
    assert service.asked[path, 1] == 2
    assert reader.doubts.sentences() == doubts


@pytest.mark.parametrize("empty", ["j", "ij", "ijk"])
def test_an_empty_list_of_an_item_that_counts_variants_is_read_again(empty: str) -> None:
    lists = {f"/items/{item}/variants": variants(item.upper()) for item in "ijk"}

    def page(path: str, number: int) -> httpx.Response | None:
        is_first = service.asked[path, number] == 1
        return paged([], number, 10) if is_first and path[7] in empty else None

    service = Lists(
        {**lists, "/items": [{"id": item, "variants_count": 1} for item in "ijk"]}, page
    )
    reader = service.reader("variants", concurrency=1)

    found = parents_of(read_lists(reader, ["i", "j", "k"], dict.fromkeys("ijk", 1)))

    assert found == {"I": "i", "J": "j", "K": "k"}
    assert reader.doubts.sentences() == []


def test_lists_that_stay_empty_though_their_items_count_variants_are_told_of_together() -> None:
    items = [{"id": item, "variants_count": 1} for item in "ijklm"]
    lists = {f"/items/{item}/variants": variants(item.upper()) for item in "ikl"}
    empty: dict[str, list[Record]] = {"/items/j/variants": [], "/items/m/variants": []}
    reader = Lists({"/items": items, **empty, **lists}).reader("variants")

    read_lists(reader, [*"ijklm"], dict.fromkeys("ijklm", 1))

    assert named_settings(reader) == {"variants_are_counted"}
    assert any(doubt.startswith("2 lists with fewer") for doubt in reader.doubts.sentences())


@pytest.mark.parametrize(
    ("lists", "doubtful"),
    [
        ({"i": "j", "j": "j", "k": "k"}, 1),
        ({"i": "k", "j": "k", "k": "k"}, 2),  # the same list for each item
        ({"i": "x", "j": "x", "k": "x"}, 0),  # they name their items by something else
    ],
)
def test_a_list_that_shows_only_children_of_others_is_doubted(
    lists: dict[str, str], doubtful: int
) -> None:
    service = Lists(
        {
            f"/items/{item}/variants": variants(named.upper(), parent_id=named)
            for item, named in lists.items()
        }
    )
    reader = service.reader("variants")

    found = parents_of(read_lists(reader, ["i", "j", "k"]))

    assert found == {named.upper(): named for named in lists.values()}
    sentences = [doubt for doubt in reader.doubts.sentences() if "of other parents" in doubt]
    assert [int(sentence[0]) for sentence in sentences] == [doubtful] * bool(doubtful)
    assert (reader.doubts.proof is None) == bool(doubtful)


def test_a_list_that_counts_nothing_and_is_refused_on_the_way_is_named_with_the_reason() -> None:
    path = "/buyers/b/buyer_users"

    def page(asked: str, number: int) -> httpx.Response | None:
        limit = int(service.queries[-1]["limit"])
        shown = [{"id": f"{n}", "first_name": "A"} for n in range(limit)]
        refused = answer({"error": "Unprocessable"}, 422)
        return None if asked != path else answer(shown) if number == 1 else refused

    service = Lists({"/buyers": [{"id": "b"}]}, page)
    reader = service.reader("buyer_users")
    read_lists(reader, ["b"])

    assert named_settings(reader) == {"lists_not_counted"}
    assert any("b (page 2 is refused" in doubt for doubt in reader.doubts.sentences())
