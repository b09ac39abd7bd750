"""An id that is spelled in several ways is one record, in the spelling that came first."""

from collections.abc import Callable, Mapping

import httpx
import pytest

from support.records.kept import Kept, doubted
from support.records.lists import NO_ENTRIES, Lists, Record, answer, on, paged
from support.records.samples import guid
from wholesale.pages.service import MADE_UP

Spell = Callable[[str], str]


def plain(key: str) -> str:
    return key


def digits(key: str) -> str:
    return key.replace("-", "")


def braced(key: str) -> str:
    return "{" + key.upper() + "}"


class Spelling(Lists):
    """Spells ids by the number of the request for a page: rows, pages in full and detail requests
    each in their own ways, in turn."""

    rows: tuple[Spell, ...] = (plain,)
    full: tuple[Spell, ...] = (plain,)
    alone: tuple[Spell, ...] = (plain,)

    def slice(self, path: str, number: int, query: Mapping[str, str]) -> httpx.Response:
        ways = self.rows if query.get("verbose") == "false" else self.full
        spell = ways[self.asked[path, number] % len(ways)]
        records = [record | {"id": spell(record["id"])} for record in self.lists.get(path, ())]
        if query.get("verbose") == "false":
            return Lists({path: records}).slice(path, number, query)
        return paged(records, number, int(query["limit"]))

    def single(self, path: str) -> httpx.Response:
        asked = digits(path.rpartition("/")[2]).lower().strip("{}")
        for records in self.lists.values():
            for record in records:
                if digits(record["id"]) == asked:
                    return answer(record | {"id": self.alone[0](record["id"])})
        return super().single(path)


def orders(day: int = 1) -> list[Record]:
    lists = NO_ENTRIES | {"order_line_items": [{"sku": "A"}]}
    return [
        {"id": guid(f"{n}"), "status": "new", "updated_at": on(day), **lists} for n in range(25)
    ]


WAYS: list[dict[str, object]] = [
    {"rows": (str.upper,)},
    {"alone": (str.upper,)},
    {"rows": (digits,), "full": (str.upper,), "alone": (braced,)},
    {"rows": (plain, str.upper), "full": (digits, plain)},
    {"rows": (str.upper, plain, digits), "alone": (digits,)},
]


@pytest.mark.parametrize("ways", WAYS)
def test_orders_are_kept_once_in_whatever_ways_their_ids_are_spelled(
    ways: dict[str, object],
) -> None:
    service = Spelling({"/orders": orders()})
    for name, way in ways.items():
        setattr(service, name, way)
    kept = Kept(service)
    for changed in (0, 0, 3, 20):
        now = orders(day=2 + changed)[:changed]
        service.lists = {"/orders": [row | {"status": f"at {changed}"} for row in now]}
        service.lists = {"/orders": [*service.lists["/orders"], *orders()[changed:]]}

        reader = kept.sync("orders")["orders"]

        assert doubted(reader) == []
        assert len(kept.rows["orders"]) == 25
        assert {digits(key).lower().strip("{}") for key in kept.rows["orders"]} == {
            digits(row["id"]) for row in orders()
        }
        assert list(kept.values("orders", "status").values()).count(f"at {changed}") == changed
        assert kept.counts("orders__order_line_items") == dict.fromkeys(kept.rows["orders"], 1)
    assert kept.deleted["orders"] == set()


@pytest.mark.parametrize("ways", [{"full": (plain, str.upper)}, {"full": (digits,)}])
def test_an_order_that_is_missing_is_asked_for_in_the_spelling_that_is_stored(
    ways: dict[str, object],
) -> None:
    service = Spelling({"/vendors": [{"id": guid(f"{n}"), "name": "V"} for n in range(12)]})
    for name, way in ways.items():
        setattr(service, name, way)
    kept = Kept(service)
    kept.sync("vendors")
    keys = set(kept.rows["vendors"])

    service.lists = {"/vendors": service.lists["/vendors"][1:]}
    reader = kept.sync("vendors")["vendors"]

    assert doubted(reader) == []
    assert {digits(key).lower() for key in kept.deleted["vendors"]} == {digits(guid("0"))}
    assert kept.deleted["vendors"] < keys == set(kept.rows["vendors"])


class Literal(Lists):
    """Finds a record by the very text of its id: of another one it shows an empty list."""

    def handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.partition("/v1")[2]
        if path.count("/") > 1 and path not in self.lists and path.endswith("_users"):
            return paged([], 1, 10)
        return super().handle(request)


WRITTEN: list[tuple[Spell, ...]] = [(str.upper,), (digits,), (braced,), (plain, str.upper, digits)]


@pytest.mark.parametrize("ways", WRITTEN)
def test_records_and_lists_are_asked_for_as_the_service_writes_their_ids(
    ways: tuple[Spell, ...],
) -> None:
    buyers = [{"id": ways[n % len(ways)](guid(f"b{n}")), "company_name": "B"} for n in range(4)]
    users = [{"id": guid(f"u{n}"), "buyer_id": buyers[n]["id"]} for n in range(4)]
    lists = {f"/buyers/{row['buyer_id']}/buyer_users": [row] for row in users}
    service = Literal({"/buyers": buyers, **lists})
    kept = Kept(service)

    for _ in range(2):
        readers = kept.sync("buyers", "buyer_users")
        assert {name: doubted(reader) for name, reader in readers.items()} == {
            "buyers": [],
            "buyer_users": [],
        }
        assert set(kept.rows["buyer_users"]) == {guid(f"u{n}") for n in range(4)}


def test_a_record_that_no_list_shows_is_asked_for_as_all_others_are_written() -> None:
    buyers = [{"id": guid(f"b{n}").upper(), "company_name": "B"} for n in range(4)]
    service = Literal({"/buyers": buyers})
    kept = Kept(service)
    kept.sync("buyers")
    assert kept.known
    assert kept.known.spellings == {"buyers": MADE_UP.upper()}, "and no id that may be erased"

    service.lists = {"/buyers": [*buyers[:2], *buyers[3:], buyers[0]]}  # and one that comes twice
    kept.sync("buyers")

    assert kept.deleted["buyers"] == {guid("b2")}
    assert f"/buyers/{guid('b2').upper()}" in service.singles
    service.lists = {"/buyers": [row | {"id": row["id"].lower()} for row in buyers[:2]]}
    kept.sync("buyers")
    assert f"/buyers/{guid('b3')}" in service.singles, "as they are written now"
