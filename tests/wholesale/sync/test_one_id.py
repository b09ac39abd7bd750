"""One id has one content: what a list shows twice is told apart from what it hides."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import pytest

from support.records.kept import Kept
from support.records.lists import Lists, Record, answer, not_found, on, orders, paged
from support.records.samples import guid

ID = guid("1")
OTHERS: Sequence[Record] = [{"id": guid(f"{n}"), "title": f"t{n}"} for n in range(2, 27)]
SEVERAL = "1 id with several contents"


def miscounting(lists: Mapping[str, Sequence[Record]], totals: Mapping[str, int]) -> Lists:
    """A service whose lists count so many records."""

    def page(path: str, number: int) -> httpx.Response | None:
        limit = int(service.queries[-1]["limit"])
        if path not in totals:
            return None
        pages = max(1, -(-totals[path] // limit))
        counts = {"total_count": totals[path], "total_pages": pages}
        return paged(service.lists[path], number, limit, **counts)

    service = Lists(lists, page)
    return service


def verdicts(kept: Kept, *resources: str, runs: int = 3) -> list[str]:
    """How often a run certified the last of these resources, or why it did not."""
    found = []
    for _ in range(runs):
        doubts = kept.sync(*resources)[resources[-1]].doubts
        found.append("; ".join(doubts.sentences()) or str(doubts.proof and doubts.proof.kind))
    return found


@pytest.mark.parametrize("total", [3, 1])
@pytest.mark.parametrize(
    "ids", [[ID] * 3, [ID, ID.upper(), ID.replace("-", "")], [1, "1", 1], ["x", "x", "x"]]
)
@pytest.mark.parametrize("resource", ["brands", "categories", "price_lists", "items", "vendors"])
def test_an_id_with_several_contents_is_named_and_never_certified(
    resource: str, ids: Sequence[Any], total: int
) -> None:
    column = "name" if resource == "vendors" else "title"
    rows = [{"id": key, column: text} for key, text in zip(ids, "abc", strict=True)]
    kept = Kept(miscounting({f"/{resource}": rows}, {f"/{resource}": total}))

    for why in verdicts(kept, resource):
        assert f"{SEVERAL}, of which nothing tells the newer one: {ids[0]}:" in why
        assert ("it counts 3 and shows 1" in why) == (total == 3)
        assert "(set " not in why
    assert len(kept.rows[resource]) == 1


@pytest.mark.parametrize("total", [26, 25])
@pytest.mark.parametrize("resource", ["brands", "categories"])
def test_an_id_with_two_contents_on_two_pages_is_named(resource: str, total: int) -> None:
    rows = [*OTHERS, OTHERS[0] | {"title": "other"}]
    kept = Kept(miscounting({f"/{resource}": rows}, {f"/{resource}": total}))

    assert all(f"newer one: {OTHERS[0]['id']}:" in why for why in verdicts(kept, resource))
    assert set(kept.rows[resource]) == {row["id"] for row in OTHERS}


@pytest.mark.parametrize(("total", "proof"), [(26, "agreement"), (25, "count")])
@pytest.mark.parametrize("resource", ["brands", "categories"])
def test_a_row_that_comes_twice_hides_nothing_whichever_way_it_is_counted(
    resource: str, total: int, proof: str
) -> None:
    kept = Kept(miscounting({f"/{resource}": [*OTHERS, OTHERS[0]]}, {f"/{resource}": total}))

    assert verdicts(kept, resource) == [proof] * 3
    assert kept.values(resource, "title") == {row["id"]: row["title"] for row in OTHERS}


@pytest.mark.parametrize("total", [2, 1])
def test_a_row_that_comes_twice_on_one_page_hides_nothing(total: int) -> None:
    rows = [{"id": ID, "title": "a"}, {"id": ID.upper(), "title": "a"}]
    kept = Kept(miscounting({"/brands": rows}, {"/brands": total}))

    assert verdicts(kept, "brands") == [["count", "agreement"][total - 1]] * 3
    assert kept.values("brands", "title") == {ID: "a"}


def test_a_record_that_is_shown_again_in_the_place_of_another_is_named() -> None:
    """A page that begins where the one before ended shows one twice, and never the last."""
    rows = numbered_titles(20)

    def page(path: str, number: int) -> httpx.Response:
        limit = int(service.queries[-1]["limit"])
        start = (number - 1) * (limit - 1)
        shown = rows[start : start + limit] if number <= 2 else []
        return paged(shown, 1, limit, total_count=20, total_pages=2)

    service = Lists({"/brands": rows}, page)
    service.single = lambda path: httpx.Response(404)  # type: ignore[method-assign]
    doubts = Kept(service).sync("brands")["brands"].doubts

    assert doubts.proof is None
    assert "listed more than once: id-00" in "; ".join(doubts.sentences())


def numbered_titles(count: int) -> list[Record]:
    return [{"id": f"id-{n:04}", "title": f"t{n}"} for n in range(count)]


@pytest.mark.parametrize("resource", ["brands", "categories"])
def test_a_record_that_is_edited_while_it_moves_is_certified_once_it_rests(resource: str) -> None:
    """The first scan shows it on two pages, before an edit and after it."""
    path = f"/{resource}"

    def page(asked: str, number: int) -> httpx.Response | None:
        if number == 3 and service.asked[asked, 3] == 1:
            return paged([*OTHERS[:20], OTHERS[0] | {"title": "new"}, *OTHERS[20:]], number)
        if service.asked[asked, 3]:
            service.lists = {path: [*OTHERS[1:], OTHERS[0] | {"title": "new"}]}
        return None

    service = Lists({path: OTHERS}, page)
    kept = Kept(service)

    assert "several contents" not in verdicts(kept, resource, runs=1)[0]
    assert verdicts(kept, resource, runs=2) == ["count"] * 2
    assert kept.values(resource, "title") == {
        row["id"]: row["title"] for row in [*OTHERS[1:], OTHERS[0] | {"title": "new"}]
    }


@pytest.mark.parametrize(("total", "proof"), [(6, "agreement"), (5, "count")])
def test_of_two_versions_of_an_order_the_newer_one_is_kept(total: int, proof: str) -> None:
    now = orders(5)
    newer = now[1] | {"status": "sent", "updated_at": on(3)}
    kept = Kept(miscounting({"/orders": [newer, *now]}, {"/orders": total}))
    by_path = {f"/orders/{row['id']}": row for row in [*now, newer]}

    def single(path: str) -> httpx.Response:
        return answer(by_path[path]) if path in by_path else not_found()

    kept.service.single = single  # type: ignore[method-assign]

    assert verdicts(kept, "orders") == [proof] * 3
    assert kept.values("orders", "status") == {
        row["id"]: "sent" if row is now[1] else "received" for row in now
    }


@pytest.mark.parametrize("field", ["status", "total", "a_field_of_its_own"])
@pytest.mark.parametrize("total", [6, 5])
def test_two_contents_of_an_order_of_one_version_are_named(total: int, field: str) -> None:
    now = orders(5)
    kept = Kept(miscounting({"/orders": [*now, now[1] | {field: "7"}]}, {"/orders": total}))

    assert all(f"newer one: {now[1]['id']}:" in why for why in verdicts(kept, "orders"))


@pytest.mark.parametrize("total", [2, 1])
@pytest.mark.parametrize("second", ["a", "b"])
@pytest.mark.parametrize(
    ("parent", "path", "resource", "column"),
    [
        ("items", "/items/p/variants", "variants", "title"),
        ("buyers", "/buyers/p/buyer_users", "buyer_users", "first_name"),
    ],
)
def test_a_child_that_comes_twice_is_certified_if_it_is_the_same(
    parent: str, path: str, resource: str, column: str, second: str, total: int
) -> None:
    rows = [{"id": ID, column: "a"}, {"id": ID.upper(), column: second}]
    kept = Kept(miscounting({f"/{parent}": [{"id": "p"}], path: rows}, {path: total}))

    for why in verdicts(kept, parent, resource):
        assert (why == "count") == (second == "a")
        assert second == "a" or f"newer one: {ID}:" in why
    assert len(kept.rows[resource]) == 1


def test_a_child_with_other_contents_below_another_parent_is_named() -> None:
    of = {"item_id": "i"}
    lists = {
        "/items": [{"id": "i"}, {"id": "j"}],
        "/items/i/variants": [{"id": ID, "title": "a", **of}],
        "/items/j/variants": [{"id": ID, "title": "b", **of}, {"id": "z", "item_id": "j"}],
    }

    for why in verdicts(Kept(Lists(lists)), "items", "variants"):
        assert f"newer one: {ID}:" in why


def test_a_child_on_two_pages_of_its_list_in_the_place_of_another_is_named() -> None:
    users = [{"id": f"u{n:02}", "first_name": f"{n}"} for n in range(12)]
    path = "/buyers/b/buyer_users"

    def page(asked: str, number: int) -> httpx.Response | None:
        limit = int(service.queries[-1]["limit"])
        shown = [*users[:limit], users[0], users[11]][:12]  # one in the place of what would follow
        return paged(shown, number, limit, total_count=12) if asked == path else None

    service = Lists({"/buyers": [{"id": "b"}], path: users}, page)

    for why in verdicts(Kept(service), "buyers", "buyer_users"):
        assert why != "count"
        assert "listed more than once: u00" in why
