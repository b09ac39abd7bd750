"""Children are read in the lists of their parents, and nothing is lost with a list that lies."""

from decimal import Decimal

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
from support.records.samples import guid
from wholesale.api.profile import ServiceProfile
from wholesale.prove.absence import CONTRADICTED
from wholesale.sync.doubts import REFUSED


def test_the_lists_together_are_complete_as_of_the_moment_before_the_first() -> None:
    service = Lists({"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")})
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j"])) == {"a": "i", "b": "i", "c": "j"}
    assert reader.doubts.proof is not None
    assert reader.doubts.proof.kind == "count"
    assert reader.tally.started_at <= reader.doubts.proof.complete_as_of
    assert (reader.tally.alive, reader.doubts.sentences()) == (3, [])


SHORT = ServiceProfile(lists_in_short=frozenset({"variants"}))


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
    held = stored("variants", [] if is_first else before)
    reader = service.reader("variants", held, known=SHORT)

    found = [
        (row["id"], row["parent_id"], row["sku"], row["unit_price"])
        for batch in read_lists(reader, ["i", "j"])
        for row in batch.decoded.root.to_pylist()
    ]

    assert sorted(found) == [
        (child, parent, "S", Decimal("2.50")) for child, parent in zip("abcd", "iijj", strict=True)
    ]
    assert reader.doubts.sentences() == []


def test_a_child_that_a_short_list_shows_and_that_is_not_found_is_not_certified() -> None:
    whole = variants("ab", sku="S")
    service = Lists({"/items/i/variants": whole[:1]})
    service.page = lambda path, number: paged([{"id": row["id"]} for row in whole], number)
    reader = service.reader("variants", known=SHORT)

    assert ids(read_lists(reader, ["i"])) == ["a"]
    assert reader.doubts.sentences() == [f"1 record {REFUSED}"]


@pytest.mark.parametrize("lacking", [{"options": None}, {}, {"options": {"1": {"name": "Size"}}}])
def test_a_child_without_its_options_is_not_certified_and_empties_nothing(lacking: Record) -> None:
    """An object in the place of a list is never an empty one, whatever the setting says."""
    children = [*variants("ab"), {"id": "c", "title": "new", **lacking}]
    before = variants("abc", options=[{"name": "Size", "value": "S"}], parent_id="i")
    left_out = ServiceProfile(empty_lists_left_out=frozenset({"variants__options"}))
    for known in (ServiceProfile(), left_out):
        service = Lists({"/items/i/variants": children})
        reader = service.reader("variants", stored("variants", before), known=known)
        is_settled = known is left_out and lacking in ({"options": None}, {})

        assert ids(read_lists(reader, ["i"])) == [*("abc" if is_settled else "ab")]
        is_lacking = not lacking.get("options") and not is_settled
        assert named_settings(reader) == ({"empty_lists_left_out"} if is_lacking else set())
        assert reader.doubts.refused == (() if is_settled else ("c",))


def test_a_child_without_its_options_is_stored_as_it_came_where_nothing_is_held_of_it() -> None:
    service = Lists({"/items/i/variants": [*variants("a"), {"id": "c", "title": "new"}]})
    reader = service.reader("variants")

    assert sorted(ids(read_lists(reader, ["i"]))) == ["a", "c"]

    assert (reader.tally.alive, reader.doubts.refused) == (2, ("c",))
    assert named_settings(reader) == {"empty_lists_left_out"}


def test_a_child_that_no_list_shows_and_the_service_denies_is_gone() -> None:
    service = Lists({"/items/i/variants": variants("ab")})
    reader = service.reader("variants", stored("variants", variants("abd"), parent="i"))

    read_lists(reader, ["i"])

    assert reader.gone == {"d"}
    assert (reader.tally.alive, reader.doubts.sentences()) == (2, [])


@pytest.mark.parametrize("are_all", [True, False])
def test_the_last_children_are_gone_with_their_parents_if_these_were_all(are_all: bool) -> None:
    """No control is left to tell whether a 404 can be believed; that the parents are gone, can."""
    service = Lists({})
    reader = service.reader("variants", stored("variants", variants("ab"), parent="i"))

    reader.read_lists([], {}, lambda batch: None, are_all=are_all)

    assert reader.gone == ({"a", "b"} if are_all else set())


def test_a_child_is_asked_for_below_its_parent_as_listed_however_it_spells_it() -> None:
    parent = guid("i")
    service = Lists({f"/items/{parent}/variants": variants("abc")})
    before = variants("abcd", parent_id=parent.replace("-", "").upper())
    reader = service.reader("variants", stored("variants", before))

    read_lists(reader, [parent])

    assert reader.gone == {"d"}
    assert service.asked[f"/items/{parent}/variants/d", 0] == 2  # once more at the end
    assert reader.doubts.sentences() == []


def test_a_child_that_no_list_shows_and_that_answers_is_kept_and_puts_the_lists_in_doubt() -> None:
    hidden = {"/items/i/variants/c": variants("c")[0]}
    service = Lists({"/items/i/variants": variants("ab")}, hidden=hidden)
    reader = service.reader("variants", stored("variants", variants("abc"), parent="i"))

    assert sorted(ids(read_lists(reader, ["i"]))) == ["a", "b", "c"]
    assert reader.gone == set()
    assert reader.doubts.sentences() == [
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

    assert (reader.gone, reader.doubts.suspects) == (set(), ("z",))
    assert CONTRADICTED in reader.doubts.sentences()


def test_a_404_of_a_child_is_taken_back_though_its_list_is_proved_if_it_answers_later() -> None:
    """One of two servers lacks it: the list and the first denial are its own."""
    hidden = {"/items/i/variants/c": variants("c")[0]}
    service = Lists({"/items/i/variants": variants("ab")}, hidden=hidden)
    whole = service.single
    service.single = lambda path: (  # type: ignore[method-assign]
        not_found() if path.endswith("c") and service.asked[path, 0] == 1 else whole(path)
    )
    reader = service.reader("variants", stored("variants", variants("abc"), parent="i"))

    read_lists(reader, ["i"])

    assert (reader.gone, reader.doubts.proof) == (set(), None)
    assert CONTRADICTED in reader.doubts.sentences()


def test_where_no_child_that_is_listed_answers_one_is_gone_that_two_runs_missed() -> None:
    service = Lists({"/items/i/variants": variants("ab")})
    service.single = lambda path: not_found()  # type: ignore[method-assign]
    before = stored("variants", variants("abcd"), parent="i", absent=["d"])
    reader = service.reader("variants", before)

    read_lists(reader, ["i"])

    assert (reader.gone, reader.doubts.suspects) == ({"d"}, ("c",))


def test_a_child_that_two_runs_missed_is_not_gone_while_its_request_fails() -> None:
    service = Lists({"/items/i/variants": []})
    service.single = lambda path: answer({}, 500)  # type: ignore[method-assign]
    before = stored("variants", variants("a"), parent="i", absent=["a"])
    reader = service.reader("variants", before)

    read_lists(reader, ["i"])

    assert (reader.gone, reader.doubts.suspects) == (set(), ("a",))


def test_a_child_is_not_gone_while_a_list_fails_to_which_it_may_have_moved() -> None:
    service = Lists({"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")})
    whole = service.handle
    service.handle = lambda request: (  # type: ignore[method-assign]
        answer({}, 500) if request.url.path.endswith("/j/variants") else whole(request)
    )
    reader = service.reader("variants", stored("variants", variants("abc"), parent="i"))

    read_lists(reader, ["i", "j"])

    assert (reader.gone, reader.doubts.suspects) == (set(), ("c",))
    assert service.singles.count("/items/i/variants/c") == 1, "it answers 404"


def test_of_lists_that_show_no_known_child_nothing_is_gone_while_one_answers() -> None:
    hidden = {"/items/i/variants/b": variants("b")[0]}
    service = Lists({"/items/i/variants": []}, hidden=hidden)
    before = stored("variants", variants("abc"), parent="i", absent=["a", "b", "c"])
    reader = service.reader("variants", before)

    read_lists(reader, ["i"])

    assert (reader.gone, reader.doubts.suspects) == (set(), ("a", "c"))


def test_a_child_that_moves_to_another_parent_meanwhile_is_not_gone() -> None:
    lists = {"/items/i/variants": variants("ab"), "/items/j/variants": variants("c")}
    service = Lists(lists)

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
    before = [*variants("ab", parent_id="i"), *variants("c", parent_id="j")]
    reader = service.reader("variants", stored("variants", before), concurrency=1)
    batches = read_lists(reader, ["j", "i"])

    assert reader.gone == set()
    assert parents_of([*batches, *reader.late])["b"] == "j"
    assert reader.doubts.sentences() == []


def test_a_child_that_names_no_parent_and_is_in_two_lists_has_none_for_sure() -> None:
    service = Lists({"/buyers/b/buyer_users": users("x"), "/buyers/c/buyer_users": users("x")})
    reader = service.reader("buyer_users")

    assert ids(read_lists(reader, ["b", "c"])) == ["x"]
    assert reader.doubts.sentences() == [
        "1 id with several contents, of which nothing tells the newer one: x: ask whoever runs"
        " the service",
    ]


def test_a_child_that_is_in_two_lists_and_names_its_parent_has_that_one() -> None:
    both = variants("x", parent_id="i")
    of_j = variants("y", parent_id="j")
    service = Lists({"/items/i/variants": both, "/items/j/variants": [*both, *both, *of_j]})
    reader = service.reader("variants")

    assert parents_of(read_lists(reader, ["i", "j"])) == {"x": "i", "y": "j"}
    assert reader.doubts.sentences() == []


def test_a_child_that_was_in_two_lists_as_it_moved_is_where_it_is_now() -> None:
    service = Lists({})
    names = {"b": "x", "c": "x"}

    def page(path: str, number: int) -> httpx.Response:
        buyer = path.split("/")[2]
        shown = names[buyer]
        names["b"] = ""  # it is in the first list until that is read
        return paged(users(shown), number)

    service.page = page
    reader = service.reader("buyer_users", concurrency=1)

    batches = read_lists(reader, ["b", "c"])

    late = [*batches, *reader.late][-1].decoded.root.to_pylist()
    assert [(row["id"], row["buyer_id"]) for row in late] == [("x", "c")]
    assert reader.doubts.sentences() == []


def test_where_nobody_is_listed_and_nobody_answers_it_takes_two_runs_to_believe_it() -> None:
    service = Lists({"/items/i/variants": []})
    for absent in ([], ["a", "b"]):
        before = stored("variants", variants("ab"), parent="i", absent=absent)
        reader = service.reader("variants", before)
        read_lists(reader, ["i"])
        assert reader.gone == set(absent)
        assert sorted(reader.doubts.suspects) == ([] if absent else ["a", "b"])


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
    assert (not reader.doubts.sentences()) == (gone == {"a", "b"})
