"""A run reads resources one after the other, parents before children, whatever becomes of one."""

import time
from datetime import UTC, datetime

import httpx
import pyarrow as pa
import pytest

from support.records.lists import (
    LOOKED_AT,
    Lists,
    Record,
    answer,
    decoded,
    ids,
    orders,
    paged,
    stored,
)
from wholesale.api.profile import ServiceProfile
from wholesale.api.resources import RESOURCE
from wholesale.compare.past import Past
from wholesale.compare.stored import IS_DELETED, NOTHING, Stored
from wholesale.errors import ServiceError, Unauthorized
from wholesale.names import EARLY_STOP, MANIFEST, moment_of
from wholesale.settings import ApiSettings
from wholesale.sync.changes import Batch
from wholesale.sync.children.parents import SAMPLED_PARENTS
from wholesale.sync.run import Run, new_run_id
from wholesale.tables.shapes import shape_of

SETTINGS = ApiSettings.of(base_url="http://127.0.0.1/api/external/v1", api_key="k", attempts=2)
ITEMS: list[Record] = [
    {"id": "none", "variants_count": 0, "options": []},
    {"id": "one", "variants_count": 1, "options": []},
    {"id": "unknown", "options": []},
]
VARIANTS: dict[str, list[Record]] = {
    "/items/none/variants": [],
    "/items/one/variants": [{"id": "of one", "options": []}],
    "/items/unknown/variants": [{"id": "of unknown", "options": []}],
}


def run_of(
    service: Lists, *, known: ServiceProfile | None = LOOKED_AT, goes_on: bool = False
) -> Run:
    """A run over this service, which looked at it before."""
    run = Run(SETTINGS, known=known, goes_on=goes_on)
    run.service = service.service()
    return run


def read(run: Run, name: str) -> list[str]:
    resource = RESOURCE[name]
    batches: list[Batch] = []
    run.read(run.begin(resource, shape_of(resource)), batches.append)
    return ids(batches)


def refusing(path: str, status: int) -> Lists:
    def refuse(asked: str, number: int) -> httpx.Response | None:
        return answer({"error": "no"}, status) if asked == path else None

    return Lists({"/vendors": [{"id": "v"}], "/items": ITEMS, **VARIANTS}, refuse)


def test_a_list_that_uses_up_all_patience_leaves_the_next_one_whole() -> None:
    """Nothing but its bodies came for as long as one request may take."""

    def stall(path: str, number: int) -> httpx.Response | None:
        if path != "/brands":
            return None
        time.sleep(0.06)
        raise httpx.ReadTimeout("timed out")

    service = Lists({"/vendors": [{"id": "v"}], "/brands": []}, stall)
    run = run_of(service, goes_on=True)
    run.service = service.service(deadline_seconds=0.05)

    assert [read(run, name) for name in ("brands", "vendors")] == [[], ["v"]]

    doubts = {name: reader.doubts for name, reader in run.readers.items()}
    assert doubts["brands"].failure
    assert (doubts["vendors"].failure, doubts["vendors"].sentences()) == (None, [])


def test_a_resource_that_fails_says_so_and_the_others_are_read() -> None:
    run = run_of(refusing("/vendors", 422), goes_on=True)

    assert read(run, "vendors") == []
    assert read(run, "items") == ["none", "one", "unknown"]

    doubts = {name: reader.doubts for name, reader in run.readers.items()}
    (_, refusal) = doubts["vendors"].sentences()
    assert refusal.startswith("GET /vendors?page=1&limit=10 answered 422 no")
    assert "(set page_size = 5 in " in refusal  # loaded by the next run, which looks anew
    assert doubts["vendors"].failure is None
    assert (doubts["items"].failure, doubts["items"].sentences()) == (None, [])


def test_a_run_that_does_not_go_on_ends_with_the_resource_that_fails() -> None:
    with pytest.raises(ServiceError, match="answered 422 no"):
        read(run_of(refusing("/vendors", 422)), "vendors")


def test_a_key_that_is_refused_ends_the_run() -> None:
    with pytest.raises(Unauthorized):
        read(run_of(refusing("/vendors", 401), goes_on=True), "vendors")


def test_a_key_that_is_refused_at_first_contact_ends_the_run() -> None:
    run = run_of(refusing("/vendors", 401), known=None, goes_on=True)

    with pytest.raises(Unauthorized):
        read(run, "vendors")


def test_a_service_that_fails_at_first_contact_is_looked_at_by_the_next_run() -> None:
    failing = refusing("/vendors", 500)
    run = run_of(failing, known=None, goes_on=True)

    assert read(run, "vendors") == []

    assert "vendors" not in run.profile.lists_seen
    failing.page = lambda path, number: None
    again = run_of(failing, known=run.profile)
    assert read(again, "vendors") == ["v"]
    assert "vendors" in again.profile.lists_seen


def test_a_rate_that_an_earlier_run_was_held_to_is_kept_from_the_start() -> None:
    run = run_of(
        Lists({"/vendors": [{"id": "v"}]}), known=LOOKED_AT.observing(requests_a_minute=600)
    )

    assert read(run, "vendors") == ["v"]

    assert run.service.client.limiter.requests_a_minute == run.profile.requests_a_minute == 600


def test_children_are_asked_for_where_there_may_be_some() -> None:
    service = Lists({"/items": ITEMS, **VARIANTS})
    run = run_of(service)

    read(run, "items")
    assert sorted(read(run, "variants")) == ["of one", "of unknown"]

    assert service.asked["/items", 1] == 1


@pytest.mark.parametrize("is_stored", [False, True])
def test_of_parents_that_count_no_children_a_few_are_asked_all_the_same(is_stored: bool) -> None:
    items: list[Record] = [{"id": f"i{n}", "variants_count": 0, "options": []} for n in range(50)]
    root = decoded("items", items).root.append_column(IS_DELETED, pa.repeat(False, 50))
    before = Stored.of([root], is_whole=True) if is_stored else NOTHING
    service = Lists({"/items": items, **{f"/items/i{n}/variants": [] for n in range(50)}})
    asked = []
    for _ in range(2):
        service.asked.clear()
        run = run_of(service)
        run.stored = lambda resource, shape: before if resource.name == "items" else NOTHING
        assert read(run, "variants") == []
        asked.append({path for path, _ in service.asked if path.endswith("/variants")})

    assert [len(paths) for paths in asked] == [SAMPLED_PARENTS] * 2
    assert asked[0] != asked[1]  # with one chance in two million of a failure


@pytest.mark.parametrize(
    ("old", "children", "asked"),
    [
        (10, [], ["i10"]),  # a new one
        (11, [{"id": "v", "options": [], "parent_id": "i3"}], ["i3"]),  # one that had some
        (0, [], []),  # in a first load all are new
    ],
)
def test_a_parent_that_counts_no_children_is_asked_where_its_count_may_be_behind(
    monkeypatch: pytest.MonkeyPatch, old: int, children: list[Record], asked: list[str]
) -> None:
    monkeypatch.setattr("wholesale.sync.children.parents.SAMPLED_PARENTS", 0)
    items: list[Record] = [{"id": f"i{n}", "variants_count": 0, "options": []} for n in range(11)]
    lists = {
        f"/items/i{n}/variants": [{"id": "v", "options": []}] if f"i{n}" in asked else []
        for n in range(11)
    }
    service = Lists({"/items": items, **lists})
    run = run_of(service)
    held = {"items": stored("items", items[:old]), "variants": stored("variants", children)}
    run.stored = lambda resource, shape: held[resource.name]

    read(run, "variants")

    lists_asked = {path for path, _ in service.asked if path.endswith("/variants")}
    assert lists_asked == {f"/items/{item}/variants" for item in asked}
    assert run.readers["variants"].doubts.sentences() == []


def test_a_parent_that_gets_its_first_child_while_parents_are_read_is_asked_for_it() -> None:
    items: list[Record] = [
        {"id": f"i{n:02}", "variants_count": 0, "options": []} for n in range(20)
    ]

    def page(path: str, number: int) -> httpx.Response | None:
        is_first = service.asked[path, 1] == 1
        later = [items[0] | {"variants_count": 1}, *items[1:]]
        return paged(items if is_first else later, number) if path == "/items" else None

    lists: dict[str, list[Record]] = {f"/items/i{n:02}/variants": [] for n in range(1, 20)}
    service = Lists(
        {"/items": items, **lists, "/items/i00/variants": [{"id": "v", "options": []}]}, page
    )
    run = run_of(service)
    run.run_id = "one that draws other parents, were this one said to have no children"

    assert read(run, "variants") == ["v"]


def test_where_a_count_of_children_is_wrong_none_is_believed() -> None:
    lying = [{"id": f"i{n}", "variants_count": 0, "options": []} for n in range(9)]
    variants = {f"/items/i{n}/variants": [{"id": f"v{n}", "options": []}] for n in range(9)}
    run = run_of(Lists({"/items": lying, **variants}))

    assert sorted(read(run, "variants")) == [f"v{n}" for n in range(9)]
    assert run.readers["variants"].doubts.sentences() == []


def test_a_list_of_parents_in_doubt_puts_their_children_in_doubt() -> None:
    items = [{"id": f"i{n}", "options": []} for n in range(12)]

    def hide(path: str, number: int) -> httpx.Response | None:
        return paged(items, number, total_count=23, total_pages=3) if path == "/items" else None

    service = Lists({f"/items/i{n}/variants": [] for n in range(12)}, hide)
    for resources in (["items", "variants"], ["variants"]):
        run = run_of(service)
        for name in resources:
            read(run, name)
        assert run.readers["variants"].doubts.sentences() == [
            "the list of items is in doubt",
        ]


@pytest.mark.parametrize("resources", [["buyers", "buyer_users"], ["buyer_users"]])
def test_children_are_complete_no_later_than_their_parents(resources: list[str]) -> None:
    """Those of a parent that came after that moment may be missing."""
    users = {f"/buyers/{key}/buyer_users": [{"id": f"of {key}"}] for key in "ab"}
    seen_at: list[datetime] = []

    def page(path: str, number: int) -> httpx.Response | None:
        if path == "/buyers":
            seen_at.append(datetime.now(UTC))
        return None

    run = run_of(Lists({"/buyers": [{"id": "a"}, {"id": "b"}], **users}, page))
    for name in resources:
        read(run, name)

    proof = run.readers["buyer_users"].doubts.proof
    assert proof is not None
    assert proof.complete_as_of <= seen_at[-1]


def test_parents_that_were_not_read_are_read_for_their_children() -> None:
    service = Lists({"/items": ITEMS, **VARIANTS})
    run = run_of(service)

    assert sorted(read(run, "variants")) == ["of one", "of unknown"]
    assert service.asked["/items", 1] == 1
    assert set(run.readers) == {"variants"}


def test_children_of_parents_that_cannot_be_listed_fail_with_them() -> None:
    run = run_of(refusing("/items", 422), goes_on=True)

    assert read(run, "items") == []
    assert read(run, "variants") == []

    (_, refusal) = run.readers["variants"].doubts.sentences()
    assert refusal.startswith("GET /items?page=1&limit=10 answered 422 no")
    assert not run.readers["variants"].doubts.is_finished


def test_a_vendor_that_changed_in_this_run_takes_the_head_of_the_orders_from_their_list() -> None:
    """Their names are repeated in orders, whose own version need not change with them."""
    kept = stored("orders", orders(25)).after(
        Past(scanned_at=datetime.now(UTC), old_names=frozenset({"vendors"}))
    )
    service = Lists({"/vendors": [{"id": "v"}], "/orders": [*reversed(orders(25))]})
    strategies = []
    known = LOOKED_AT.observing(newest_change_first=True)
    for changed in (1, 0):
        run = run_of(service, known=known)
        run.stored = lambda resource, shape: kept if resource.name == "orders" else NOTHING
        assert read(run, "vendors") == ["v"]
        run.readers["vendors"].tally.changed = changed
        assert read(run, "orders") == []
        strategies.append(run.readers["orders"].tally.strategy)

    assert strategies == [MANIFEST, EARLY_STOP]


def test_users_are_read_of_every_buyer_as_a_buyer_counts_none() -> None:
    users = {f"/buyers/{key}/buyer_users": [{"id": f"of {key}"}] for key in "ab"}
    run = run_of(Lists({"/buyers": [{"id": "a"}, {"id": "b"}], **users}))

    assert read(run, "buyer_users") == ["of a", "of b"]
    assert run.readers["buyer_users"].doubts.sentences() == []


def test_the_id_of_a_run_tells_when_it_began() -> None:
    before = datetime.now(UTC)

    began_at = moment_of(new_run_id())

    assert before <= began_at <= datetime.now(UTC)
