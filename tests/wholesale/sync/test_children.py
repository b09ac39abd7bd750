"""Children are read in the lists of their parents, and nothing is lost with a list that lies."""

from decimal import Decimal
from typing import Any

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
    read_lists,
    stored,
)
from support.records.samples import guid
from wholesale.sync.batches import Batch

DENIED = "1 list denied though the parent is there"
UNPROVED = "no moment was found at which all records had been seen"


def variants(names: str, **more: Any) -> list[Record]:
    return [{"id": name, "title": name, **more} for name in names]


def parents_of(batches: list[Batch]) -> dict[str, str]:
    """The parent of each child that was passed on."""
    rows = [row for batch in batches for row in batch.decoded.root.to_pylist()]
    return {row["id"]: row["parent_id"] for row in rows}


def test_the_lists_together_are_complete_as_of_the_moment_before_the_first() -> None:
    service = Lists({"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")})
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j"])) == {"a": "i", "b": "i", "c": "j"}
    assert reader.report.proof is not None
    assert reader.report.proof.kind == "count"
    assert reader.report.started_at <= reader.report.proof.complete_as_of
    assert (reader.report.alive, reader.report.doubts()) == (3, [])


@pytest.mark.parametrize("is_first", [True, False])
def test_children_are_read_one_by_one_where_their_lists_show_them_in_short(is_first: bool) -> None:
    whole = {
        f"/items/{item}/variants": variants(ids, sku="S", unit_price="2.50")
        for item, ids in (("i", "ab"), ("j", "cd"))
    }
    service = Lists(whole)
    service.page = lambda path, number: paged([{"id": row["id"]} for row in whole[path]], number)
    before = [
        row | {"sku": "R", "unit_price": 1, "parent_id": path.split("/")[2]}
        for path, rows in whole.items()
        for row in rows
    ]
    reader = service.reader("variants", stored("variants", [] if is_first else before))

    found = [
        (row["id"], row["parent_id"], row["sku"], row["unit_price"])
        for batch in read_lists(reader, ["i", "j"])
        for row in batch.decoded.root.to_pylist()
    ]

    assert sorted(found) == [
        (child, parent, "S", Decimal("2.50")) for child, parent in zip("abcd", "iijj", strict=True)
    ]
    assert reader.report.doubts() == []


def test_a_child_that_a_short_list_shows_and_that_is_denied_is_not_certified() -> None:
    whole = variants("ab", sku="S")
    service = Lists({"/items/i/variants": whole[:1]})
    service.page = lambda path, number: paged([{"id": row["id"]} for row in whole], number)
    reader = service.reader("variants")

    assert ids(read_lists(reader, ["i"])) == ["a"]
    assert reader.report.doubts() == [UNPROVED, "1 record came in a poorer form than others"]


def test_lists_of_children_may_leave_out_what_is_empty() -> None:
    sizes = {"options": [{"name": "Size", "value": "S"}]}
    lists = {"/items/i/variants": variants("ab", options=None), "/items/j/variants": variants("c")}
    lists["/items/k/variants"] = variants("de", **sizes)
    service = Lists(lists)
    reader = service.reader("variants")

    assert len(ids(read_lists(reader, ["k", "i", "j"]))) == 5
    assert reader.report.doubts() == []
    few = ["k/variants/d", "k/variants/e"]  # as no list shows their titles
    assert sorted(service.singles) == [
        f"/items/{child}" for child in ("i/variants/a", "i/variants/b", "j/variants/c", *few)
    ]


def test_a_child_that_no_list_shows_and_the_service_denies_is_gone() -> None:
    service = Lists({"/items/i/variants": variants("ab")})
    reader = service.reader("variants", stored("variants", variants("abd"), parent="i"))

    read_lists(reader, ["i"])

    assert reader.gone == {"d"}
    assert (reader.report.alive, reader.report.doubts()) == (2, [])


def test_a_child_is_asked_for_below_its_parent_as_listed_however_it_spells_it() -> None:
    parent = guid("i")
    service = Lists({f"/items/{parent}/variants": variants("abc")})
    before = variants("abcd", parent_id=parent.replace("-", "").upper())
    reader = service.reader("variants", stored("variants", before))

    read_lists(reader, [parent])

    assert reader.gone == {"d"}
    assert service.asked[f"/items/{parent}/variants/d", 0] == 1
    assert reader.report.doubts() == []


def test_a_child_that_no_list_shows_and_that_answers_is_kept_and_puts_the_lists_in_doubt() -> None:
    hidden = {"/items/i/variants/c": variants("c")[0]}
    service = Lists({"/items/i/variants": variants("ab")}, hidden=hidden)
    reader = service.reader("variants", stored("variants", variants("abc"), parent="i"))

    assert sorted(ids(read_lists(reader, ["i"]))) == ["a", "b", "c"]
    assert reader.gone == set()
    assert reader.report.doubts() == [
        UNPROVED,
        "1 record there and in no list",
    ]


def test_no_child_is_gone_where_lists_are_in_doubt_and_one_answers_when_asked_again() -> None:
    lists = {"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")}
    hidden = {f"/items/i/variants/{key}": variants(key)[0] for key in "xy"}
    service = Lists(lists, hidden=hidden)
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("x") and service.asked[path, 0] == 1 else whole(path)
    )
    before = variants("abcxyz", parent_id="i")
    reader = service.reader("variants", stored("variants", before), concurrency=1)

    read_lists(reader, ["i", "j"])

    assert (reader.gone, reader.report.suspects) == (set(), ("z",))
    assert "single reads deny records that answer when asked again" in reader.report.doubts()


def any_letters(service: Lists) -> Lists:
    """The same service, which finds a record by its id in any letters."""

    def single(path: str) -> httpx.Response:
        for parent, records in service.lists.items():
            for record in records:
                if f"{parent}/{record['id']}".lower() == path.lower():
                    return answer(record)
        return not_found()

    service.single = single  # type: ignore[method-assign]
    return service


@pytest.mark.parametrize(("one", "other"), ["ij", "IJ"])
def test_a_child_that_moves_to_another_parent_meanwhile_is_not_gone(one: str, other: str) -> None:
    lists = {"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")}
    service = any_letters(Lists(lists))

    def move(path: str, number: int) -> None:
        if path == "/items/j/variants" and service.asked[path, 1] == 1:
            # j is being read, and i after it: b goes from i to j in between.
            service.lists = {
                "/items/i/variants": variants("a"),
                "/items/j/variants": variants("cb"),
            }

    def answer_first(path: str, number: int) -> httpx.Response | None:
        page = paged(lists[path], number) if path == "/items/j/variants" else None
        is_first = service.asked[path, 1] == 1
        move(path, number)
        return page if is_first else None

    service.page = answer_first
    before = [*variants("ab", parent_id=one), *variants("c", parent_id=other)]
    reader = service.reader("variants", stored("variants", before), concurrency=1)
    batches = read_lists(reader, ["j", "i"])

    assert reader.gone == set()
    assert parents_of([*batches, *reader.late])["b"] == "j"
    assert reader.report.doubts() == []


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


@pytest.mark.parametrize(("listed", "named"), ["jj", "jJ", "Jj"])
def test_where_the_service_denies_a_parent_that_it_lists_its_children_are_not_gone(
    listed: str, named: str
) -> None:
    items = [{"id": "i"}, {"id": listed}]
    service = any_letters(Lists({"/items/i/variants": variants("a"), "/items": items}))
    service_single = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path == "/items/j" else service_single(path)
    )
    before = [*variants("a", parent_id="i"), *variants("bc", parent_id=named)]
    reader = service.reader("variants", stored("variants", before))

    assert ids(read_lists(reader, ["i", "j"])) == ["a"]
    assert (reader.gone, reader.report.suspects) == (set(), ("b", "c"))
    assert reader.report.doubts() == [
        UNPROVED,
        "2 stored records not listed, and not settled yet",
        DENIED,
    ]


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


def test_lists_that_are_denied_are_not_empty_however_many_are() -> None:
    names = [f"b{number}" for number in range(30)]
    buyers = [{"id": name, "company_name": "A"} for name in (*names, "z")]
    service = Lists({"/buyers": buyers, "/buyers/z/buyer_users": variants("x")})
    before = [*variants("x", buyer_id="z"), *variants("u", buyer_id="b0")]
    reader = service.reader("buyer_users", stored("buyer_users", before))

    assert ids(read_lists(reader, [*names, "z"])) == ["x"]
    assert (reader.gone, reader.report.suspects) == (set(), ("u",))
    assert reader.report.proof is None


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


def test_a_list_that_is_denied_is_empty_where_its_parent_counts_no_children() -> None:
    items = [{"id": "i", "variants_count": 0}, {"id": "j", "variants_count": 1}]
    service = Lists({"/items": items, "/items/j/variants": variants("a")})
    reader = service.reader("variants", stored("variants", variants("b"), parent="i"))

    assert ids(read_lists(reader, ["i", "j"])) == ["a"]
    assert (reader.report.suspects, reader.report.doubts()) == (
        ("b",),
        ["1 stored record not listed, and not settled yet"],
    )


def test_a_child_that_names_no_parent_and_is_in_two_lists_has_none_for_sure() -> None:
    service = Lists(
        {"/buyers/b/buyer_users": variants("x"), "/buyers/c/buyer_users": variants("x")}
    )
    reader = service.reader("buyer_users")

    assert ids(read_lists(reader, ["b", "c"])) == ["x"]
    assert reader.report.doubts() == [
        UNPROVED,
        "records that name no parent are in the lists of several",
    ]


def test_a_child_that_is_in_two_lists_and_names_its_parent_has_that_one() -> None:
    both = variants("x", parent_id="i")
    service = Lists({"/items/i/variants": both, "/items/j/variants": [*both, *both]})
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j"])) == {"x": "i"}
    assert reader.report.doubts() == []


@pytest.mark.parametrize(
    ("count", "named", "doubts"),
    [
        (1, "J", ["1 list with records of other parents only"]),
        (0, "J", []),
        (1, "x", []),
    ],
)
def test_a_list_that_shows_only_children_of_others_is_doubted_where_its_parent_counts_some(
    count: int, named: str, doubts: list[str]
) -> None:
    """The second service shows the variants of all items in each list, in the last one most name
    something else than their item."""
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


def test_a_child_that_was_in_two_lists_as_it_moved_is_where_it_is_now() -> None:
    service = Lists({})
    names = {"b": "x", "c": "x"}

    def page(path: str, number: int) -> httpx.Response:
        buyer = path.split("/")[2]
        shown = names[buyer]
        names["b"] = ""  # it is in the first list until that is read
        return paged(variants(shown), number)

    service.page = page
    reader = service.reader("buyer_users", concurrency=1)

    batches = read_lists(reader, ["b", "c"])

    late = [*batches, *reader.late][-1].decoded.root.to_pylist()
    assert [(row["id"], row["buyer_id"]) for row in late] == [("x", "c")]
    assert reader.report.doubts() == []


def test_a_list_that_cannot_be_read_to_its_end_is_doubted() -> None:
    service = Lists(
        {}, lambda path, number: paged(variants("ab"), 1, 2, total_pages=3, total_count=6)
    )
    reader = service.reader("variants", page_size=2)

    assert ids(read_lists(reader, ["i"])) == ["a", "b"]
    assert reader.report.doubts() == [UNPROVED, "1 list with more or fewer records than counted"]


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


def test_where_nobody_is_listed_and_nobody_answers_it_takes_two_runs_to_believe_it() -> None:
    service = Lists({"/items/i/variants": []})
    for absent in ([], ["a", "b"]):
        before = stored("variants", variants("ab"), parent="i", absent=absent)
        reader = service.reader("variants", before)
        read_lists(reader, ["i"])
        assert reader.gone == set(absent)
        assert sorted(reader.report.suspects) == ([] if absent else ["a", "b"])


@pytest.mark.parametrize(
    ("lists", "hidden", "gone"),
    [("", "", {"a", "b"}), ("", "b", {"a"}), ("a", "", set())],
)
def test_a_full_run_believes_that_all_children_are_gone_where_none_is_listed_or_answers(
    lists: str, hidden: str, gone: set[str]
) -> None:
    """The last service denies a child that it lists."""
    service = Lists(
        {"/items/i/variants": variants(lists)},
        hidden={f"/items/i/variants/{name}": variants(name)[0] for name in hidden},
    )
    if lists:
        service.single = lambda path: not_found()  # type: ignore[method-assign]
    before = stored("variants", variants("ab"), parent="i")
    reader = service.reader("variants", before, is_full=True)

    read_lists(reader, ["i"])

    assert reader.gone == gone
    assert (not reader.report.doubts()) == (gone == {"a", "b"})


def test_a_child_in_a_poorer_form_than_others_is_not_stored_and_named() -> None:
    tombstone: list[Record] = [{"id": "dead", "deleted": True}]
    service = Lists({"/items/i/variants": [*variants("abcdefghij"), *tombstone]})
    reader = service.reader("variants", page_size=20)

    assert ids(read_lists(reader, ["i"])) == list("abcdefghij")
    assert reader.report.doubts() == [UNPROVED, "1 record came in a poorer form than others"]


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
