"""What a list shows is held against what its records show by themselves, by a few requests."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import pytest

from support.records.lists import Lists, Record, answer, numbered, on, paged
from support.services.paged import Paged
from wholesale.api.profile import ServiceFacts, ServiceProfile
from wholesale.api.resources import ORDER_SUMMARY, RESOURCE, RESOURCES
from wholesale.discover import discover_list, discover_service
from wholesale.errors import NotFound, ServiceError, Unauthorized, Unprocessable
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.pages.service import Service
from wholesale.settings import ApiSettings
from wholesale.tables.shapes import shape_of
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

LINES_TABLE, COMMENTS_TABLE = "orders__order_line_items", "orders__order_comments"


def discovered(
    lists: Lists | Paged, resource: str, known: ServiceProfile | None = None, /, **settings: Any
) -> ServiceProfile:
    """What is known of the service after a look at the list of the resource."""
    service, row = lists.service(known, **settings), RESOURCE[resource]
    with service.client:
        discover_list(service, row, shape_of(row), Traffic())
    return service.profile


def order(number: int, **fields: Any) -> Record:
    """An order in full."""
    return {
        "id": f"id-{number:04}",
        "status": "received",
        "po_number": "P",
        "updated_at": on(1, number),
        "order_line_items": [{"sku": "A", "quantity": 1}],
        "order_comments": [],
    } | fields


def showing(path: str, full: Sequence[Record], rows: Sequence[Record]) -> Lists:
    """A service whose list at this path shows these rows of the records."""
    return Lists({path: full}, lambda asked, number: paged(rows, number))


def orders_showing(full: Sequence[Record], rows: Sequence[Record]) -> Lists:
    """A service whose orders are these in full, and that shows these rows of them in short."""
    service = Lists({"/orders": full})
    whole = service.slice

    def slice_(path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        is_short = query.get("verbose") == "false"
        return paged(rows, number) if is_short else whole(path, number, query)

    service.slice = slice_  # type: ignore[method-assign]
    return service


def without(record: Record, *names: str) -> Record:
    return {name: value for name, value in record.items() if name not in names}


# What is looked at, and what is left alone


def test_a_list_that_shows_all_says_what_full_records_have() -> None:
    profile = discovered(Lists({"/vendors": numbered(12, name="V", email=None)}), "vendors")

    assert profile.fields == {"vendors": {"name"}}
    assert profile.lists_seen == {"vendors"}
    assert profile.observed == frozenset()


def test_a_list_that_was_looked_at_is_not_asked_for_again() -> None:
    service = Lists({"/vendors": numbered(12)})
    known = discovered(service, "vendors")
    asked = service.asked.total()

    assert discovered(service, "vendors", known) == known
    assert (asked, service.asked.total()) == (3, 3)


@pytest.mark.parametrize("records", [[], [{"name": "no id"}], [None, 1]])
def test_a_list_without_records_stays_to_be_looked_at(records: list[Any]) -> None:
    assert discovered(Lists({"/vendors": records}), "vendors") == ServiceProfile()


def test_records_that_do_not_answer_by_themselves_tell_nothing() -> None:
    service = showing("/vendors", [], numbered(3, name="V"))

    profile = discovered(service, "vendors")

    assert profile.lists_in_short == frozenset()
    assert profile.fields == {"vendors": {"name"}}


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(NotFound):
        discovered(Lists({}), "vendors")


def test_a_key_that_is_refused_ends_the_look_at_any_request() -> None:
    full = [order(number, order_comments=None) for number in range(12)]
    service = Lists({"/orders": full})
    discovered(service, "orders")

    class Shut(Lists):
        left = 0

        def handle(self, request: httpx.Request) -> httpx.Response:
            self.left -= 1
            return super().handle(request) if self.left >= 0 else answer({"error": "no"}, 401)

    for let_in in range(service.asked.total()):
        shut = Shut({"/orders": full})
        shut.left = let_in
        with pytest.raises(Unauthorized):
            discovered(shut, "orders")


# How a list is paged and counted


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (numbered(3), {"vendors"}),
        ({"data": numbered(3)}, {"vendors"}),
        ({"data": numbered(3), "pagination": {"total_pages": 1}}, {"vendors"}),
        ({"data": numbered(3), "pagination": {"total_count": "many"}}, {"vendors"}),
        ({"data": numbered(3), "pagination": {"total_count": 3}}, set()),
    ],
)
def test_a_list_without_a_total_is_not_counted(body: Any, names: set[str]) -> None:
    service = Lists({"/vendors": numbered(3)}, lambda path, number: answer(body))

    profile = discovered(service, "vendors")

    assert profile.lists_not_counted == names
    assert profile.origin_of("lists_not_counted") == ("observed" if names else "documented")


def taking(records: Sequence[Record], *names: str) -> Lists:
    """A service whose vendors take these parameters, and refuse others."""
    service = Lists({"/vendors": records})
    inner = service.handle

    def handle(request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/vendors"):
            return inner(request)
        service.queries.append(dict(request.url.params))
        is_taken = {*names}.issuperset(request.url.params)
        return paged(records, 1, 100) if is_taken else answer({"error": "parameter"}, 422)

    service.handle = handle  # type: ignore[method-assign]
    return service


def test_a_list_that_takes_no_parameters_is_read_without_them() -> None:
    service = taking(numbered(12, name="V"))

    profile = discovered(service, "vendors")

    assert profile.lists_not_paged == {"vendors"}
    assert profile.lists_seen == {"vendors"}
    assert profile.origin_of("lists_not_paged") == "observed"
    again = profile.model_copy(update={"lists_seen": frozenset()})
    service.queries.clear()
    discovered(service, "vendors", again)
    assert service.queries[0] == {}


@pytest.mark.parametrize("taken", ["page", "limit"])
def test_a_list_that_refuses_one_parameter_alone_is_not_read_without_both(taken: str) -> None:
    with pytest.raises(Unprocessable):
        discovered(taking(numbered(12), taken), "vendors")


def test_a_list_may_give_fewer_records_a_page_than_the_orders_do() -> None:
    service = Paged({"/vendors": numbered(12)}, gives=5)

    assert discovered(service, "vendors").page_size == 5


def test_a_list_may_accept_fewer_records_a_page_than_the_orders_do() -> None:
    service = Paged({"/vendors": numbered(12)}, most=12)

    profile = discovered(service, "vendors", page_size=20)

    assert (profile.page_size, profile.lists_not_paged) == (10, frozenset())


def test_a_list_that_is_refused_in_any_way_is_an_error() -> None:
    service = Lists({}, lambda path, number: answer({"error": "no"}, 422))
    service.single = lambda path: answer({"error": "no"}, 422)  # type: ignore[method-assign]

    with pytest.raises(Unprocessable):
        discovered(service, "vendors")


# Lists that show less


HUE = {"name": "Hue"}


@pytest.mark.parametrize(
    ("resource", "full", "row", "is_short"),
    [
        ("vendors", {"name": "V", "email": "e"}, {"name": "V"}, True),
        ("vendors", {"name": "V", "email": "e"}, {"name": "V", "email": None}, True),
        ("vendors", {"name": "V", "mood": "good"}, {"name": "V"}, False),
        ("vendors", {"name": "V"}, {"name": "V", "email": "e"}, False),
        ("prices", {"unit_price": 1, "mood": "good"}, {"unit_price": 1}, True),
        ("prices", {"unit_price": 1}, {"unit_price": 1, "mood": "good"}, False),
        ("items", {"options": [HUE]}, {}, True),
        ("items", {"options": []}, {}, True),
        ("items", {"options": [HUE, HUE]}, {"options": [HUE]}, True),
        ("items", {"options": [HUE]}, {"options": []}, True),
        ("items", {"options": [HUE]}, {"options": [HUE, HUE]}, False),
        ("items", {"options": [HUE | {"values": ["red"]}]}, {"options": [HUE]}, True),
        ("items", {"options": [HUE | {"mood": "good"}]}, {"options": [HUE]}, False),
    ],
)
def test_a_list_is_in_short_if_records_show_more_by_themselves(
    resource: str, full: Record, row: Record, is_short: bool
) -> None:
    service = showing(f"/{resource}", numbered(5, **full), numbered(5, **row))

    profile = discovered(service, resource)

    shown = full if is_short else row
    assert profile.lists_in_short == ({resource} if is_short else set())
    options = shown.get("options")  # two samples are too few to say that all records have some
    lists = {"items__options"} if options == [] or (options and not is_short) else set()
    columns = {name for name in shown if shown[name]} - {"options"}
    assert profile.fields[resource] == columns | lists


def test_the_record_with_the_most_entries_is_asked_for_as_a_page_may_cut_it_off() -> None:
    full = numbered(5, options=[])
    full[4] = full[4] | {"options": [{"name": "Hue"}] * 3}
    rows = [*full[:4], full[4] | {"options": [{"name": "Hue"}] * 2}]

    assert discovered(showing("/items", full, rows), "items").lists_in_short == {"items"}


@pytest.mark.parametrize(("version", "is_short"), [(on(1), True), (on(2), False)])
def test_more_entries_than_on_the_page_count_only_in_the_same_version(
    version: str, is_short: bool
) -> None:
    rows = [order(0, updated_at=on(1))]
    full = [order(0, updated_at=version, order_line_items=[{"sku": "A", "quantity": 1}] * 2)]

    profile = discovered(showing("/orders", full, rows), "orders")

    assert profile.lists_in_short == ({"orders"} if is_short else set())


# Lists of entries that are left out


LEAVING_OUT = [
    pytest.param({}, id="missing"),
    pytest.param({"order_comments": None}, id="null"),
]


@pytest.mark.parametrize("left_out", LEAVING_OUT)
@pytest.mark.parametrize("others", [[], [{"body": "B"}]])
def test_a_list_that_is_left_out_where_it_is_empty_is_found(
    others: list[Record], left_out: Record
) -> None:
    full = [without(order(number), "order_comments") | left_out for number in range(12)]
    if others:
        full[3] = full[3] | {"order_comments": others}

    profile = discovered(Lists({"/orders": full}), "orders")

    assert profile.empty_lists_left_out == {COMMENTS_TABLE}
    assert profile.origin_of("empty_lists_left_out") == "observed"


@pytest.mark.parametrize(
    "comments",
    [
        pytest.param([None, None, [], None], id="empty in one"),
        pytest.param([None, [{"body": "B"}], [{"body": "B"}], [{"body": "B"}]], id="in few"),
        pytest.param(["none"] * 4, id="something else"),
        pytest.param([[]] * 4, id="empty"),
        pytest.param([[{"body": "B"}]] * 4, id="always there"),
    ],
)
def test_a_list_is_not_left_out_on_weaker_evidence(comments: list[Any]) -> None:
    full = [order(number, order_comments=held) for number, held in enumerate(comments)]

    assert discovered(Lists({"/orders": full}), "orders").empty_lists_left_out == frozenset()


@pytest.mark.parametrize(
    ("alone", "is_left_out"),
    [
        ([None, None, None], True),
        ([[], None, None], False),
        ([[], [], []], False),
        ([[{"body": "B"}]] * 3, False),
        ([[{"body": "B"}], None, None], True),
        (["none", "none", "none"], False),
        (["none", None, None], False),
    ],
)
def test_records_by_themselves_say_whether_a_list_is_left_out(
    alone: list[Any], is_left_out: bool
) -> None:
    """A list in short may lack what full records have: what these lack too is left out."""
    rows = [order(number, order_comments=None) for number in range(3)]
    full = [order(number, order_comments=held) for number, held in enumerate(alone)]

    profile = discovered(showing("/orders", full, rows), "orders")

    assert profile.empty_lists_left_out == ({COMMENTS_TABLE} if is_left_out else set())


@pytest.mark.parametrize("orders", [1, 2, 12])
@pytest.mark.parametrize("comments", [[], [{"body": "B"}]])
def test_a_list_that_was_always_there_is_not_left_out_later(
    comments: list[Any], orders: int
) -> None:
    known = discovered(
        Lists({"/orders": [order(number, order_comments=comments) for number in range(orders)]}),
        "orders",
    )
    vanished = Lists({"/orders": [order(number, order_comments=None) for number in range(orders)]})

    for _ in range(2):
        known = discovered(vanished, "orders", known.forgotten())

        assert known.empty_lists_left_out == frozenset()


def test_records_that_do_not_answer_do_not_say_that_a_list_is_left_out() -> None:
    rows = [order(number, order_comments=None) for number in range(3)]

    profile = discovered(showing("/orders", [], rows), "orders")

    assert profile.empty_lists_left_out == frozenset()


# Orders in short, in full and in their basic form


def test_fields_that_only_rows_of_the_list_have_are_found() -> None:
    full = [order(number) for number in range(5)]
    rows = [record | {"vendor_name": "V", "status": "received"} for record in full]
    rows[0] = rows[0] | {"buyer_id": "b"}

    profile = discovered(orders_showing(full, rows), "orders")

    assert profile.list_only_fields == frozenset({"vendor_name", "buyer_id"})
    assert profile.unlike_fields == frozenset()


def test_full_orders_that_have_all_that_rows_have_lack_nothing() -> None:
    profile = discovered(Lists({"/orders": [order(number) for number in range(5)]}), "orders")

    assert (profile.list_only_fields, profile.origin_of("list_only_fields")) == (
        frozenset(),
        "observed",
    )


@pytest.mark.parametrize(
    ("statuses", "unlike"),
    [
        (["new"] * 3, {"orders.status"}),
        (["new", "new", "received"], set()),
        (["new", "new", None], set()),
        ([None] * 3, {"orders.status"}),
    ],
)
def test_a_field_that_is_shown_otherwise_in_all_rows_is_found(
    statuses: list[str | None], unlike: set[str]
) -> None:
    full = [order(number) for number in range(3)]
    rows = [record | {"status": held} for record, held in zip(full, statuses, strict=True)]
    if statuses[-1] is None and statuses[0] is not None:
        full[2] = without(full[2], "status")
        rows[1] = rows[1] | {"status": "received"}

    profile = discovered(orders_showing(full, rows), "orders")

    assert profile.unlike_fields == unlike


def test_rows_of_another_version_are_no_evidence() -> None:
    full = [order(number) for number in range(3)]
    rows = [record | {"status": "new", "updated_at": on(2)} for record in full]
    rows[0] = full[0] | {"status": "new"}

    assert discovered(orders_showing(full, rows), "orders").unlike_fields == {"orders.status"}
    rows[0] = rows[0] | {"updated_at": on(2)}
    assert discovered(orders_showing(full, rows), "orders").unlike_fields == frozenset()


def test_a_list_that_moved_on_between_its_two_forms_tells_nothing_of_them() -> None:
    full, rows = [order(number) for number in range(3)], [order(9, vendor_name="V")]

    profile = discovered(orders_showing(full, rows), "orders")

    assert profile.list_only_fields is None


def in_two_forms(basic: Record | None, full: Record) -> Lists:
    """A service whose orders have these fields by themselves in their basic and verbose form."""
    records = [order(number, **full) for number in range(3)]
    service = Lists({"/orders": records})
    whole = service.single

    def single(path: str) -> httpx.Response:
        if service.queries[-1].get("verbose") != "false":
            return whole(path)
        name = path.rpartition("/")[2]
        (record,) = (record for record in records if record["id"] == name)
        return answer({"error": "no"}, 422) if basic is None else answer(record | basic)

    service.single = single  # type: ignore[method-assign]
    return service


COMMENTS = [{"body": "B"}]


@pytest.mark.parametrize(
    ("basic", "full", "names"),
    [
        ({"order_comments": COMMENTS}, {"order_comments": None}, {"order_comments"}),
        ({"order_comments": []}, {"order_comments": None}, {"order_comments"}),
        ({"po_number": "Q"}, {"po_number": None}, {"po_number"}),
        ({"mood": "good"}, {}, set()),
        ({"po_number": "Q"}, {}, set()),
        ({}, {}, set()),
        (None, {"order_comments": None}, set()),
        ({"order_comments": {"c": {}}}, {"order_comments": {"c": {}}}, set()),
    ],
)
def test_fields_that_only_the_basic_form_has_are_found(
    basic: Record | None, full: Record, names: set[str]
) -> None:
    profile = discovered(in_two_forms(basic, full), "orders", concurrency=1)

    assert profile.basic_form_fields == names
    assert profile.origin_of("basic_form_fields") == ("assumed" if basic is None else "observed")


def test_what_the_basic_form_adds_is_what_full_orders_have() -> None:
    service = in_two_forms({"order_comments": COMMENTS}, {"order_comments": None})

    profile = discovered(service, "orders", concurrency=1)

    assert profile.lists_in_short == {"orders"}
    assert profile.empty_lists_left_out == frozenset()


# Children


def test_children_are_looked_at_in_the_list_of_a_parent_that_counts_some() -> None:
    service = Lists(
        {
            "/items": [None, {"id": "a", "variants_count": 0}, {"id": "b", "variants_count": 2}],
            "/items/b/variants": [{"id": "v", "title": "V", "options": []}],
        }
    )

    profile = discovered(service, "variants")

    assert profile.fields == {"variants": {"title", "parent_id", "variants__options"}}
    assert service.singles == ["/items/b/variants/v"]


def test_children_are_looked_at_in_the_list_of_the_first_parent_where_none_counts_them() -> None:
    service = Lists({"/buyers": numbered(2), "/buyers/id-0000/buyer_users": [{"id": "u"}]})

    assert discovered(service, "buyer_users").lists_seen == {"buyer_users"}


@pytest.mark.parametrize("parents", [[], [{"name": "no id"}], [None]])
def test_without_parents_there_are_no_children_to_look_at(parents: list[Any]) -> None:
    assert discovered(Lists({"/items": parents}), "variants") == ServiceProfile()


def test_parents_that_cannot_be_read_are_an_error() -> None:
    with pytest.raises(ServiceError):
        discovered(Lists({}), "variants")


# The whole


def test_facts_that_are_set_stay_whatever_is_seen() -> None:
    full = [
        without(order(number), "order_comments", "order_line_items", "po_number")
        for number in range(3)
    ]
    service = orders_showing(
        full, [record | {"vendor_name": "V", "status": "new"} for record in full]
    )
    short, basic = service.slice, service.single

    def slice_(path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        return answer(full) if query["verbose"] == "true" else short(path, number, query)

    def single(path: str) -> httpx.Response:
        if service.queries[-1]["verbose"] == "false":
            return basic(path)
        return answer(order(int(path[-4:]), order_comments=None))

    service.slice, service.single = slice_, single  # type: ignore[method-assign]
    seen = discovered(service, "orders", concurrency=1)
    assert seen.observed == {
        "lists_not_counted",
        "lists_in_short",
        "list_only_fields",
        "unlike_fields",
        "basic_form_fields",
        "empty_lists_left_out",
    }

    pins = ServiceFacts.model_validate(dict.fromkeys(seen.observed, frozenset()))
    profile = discovered(service, "orders", concurrency=1, service=pins)

    assert profile.observed == frozenset()
    assert all(getattr(profile, name) == frozenset() for name in seen.observed)


@pytest.mark.parametrize("orders", [0, 1, 60, 1_500])
def test_a_whole_account_is_looked_at_in_few_requests(orders: int) -> None:
    traffic = Traffic()
    settings = SandboxSettings(orders=orders) if orders else SandboxSettings(empty=True)
    with Sandbox(settings) as running:
        service = Service.of(
            Client(ApiSettings.of(base_url=running.base_url, api_key=settings.api_key))
        )
        with service.client:
            discover_service(service, traffic)
            for resource in RESOURCES:
                discover_list(service, resource, shape_of(resource), traffic)

    assert traffic.requests <= 45
    known = service.profile
    assert known.lists_seen == ({resource.name for resource in RESOURCES} if orders else set())
    assert {name for name in known.observed if getattr(known, name)} <= {
        "first_page",
        "summary_page_size",
    }
    assert not orders or {*ORDER_SUMMARY} - {"id"} - known.fields["orders"] <= {
        "invoice_status",
        "vendor_minimum_order_value",
    }
