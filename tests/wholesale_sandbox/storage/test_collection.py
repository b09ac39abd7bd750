"""A collection keeps records in list order, alone and over a base of computed records."""

from pathlib import Path

import pytest

from wholesale_sandbox.storage.collection import Collection, changed_at
from wholesale_sandbox.storage.database import Storage
from wholesale_sandbox.storage.sequence import ListOrder


class Numbered:
    """A base whose record n has the id base-n and was updated n seconds after 1970."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def id(self, number: int) -> str:
        return f"base-{number}"

    def number(self, record_id: str) -> int | None:
        name, _, digits = record_id.partition("-")
        return int(digits) if name == "base" and int(digits) < self._count else None

    def body(self, number: int) -> bytes:
        return b'{"id":"base-%d"}' % number

    def updated_at(self, number: int) -> int:
        return number * 1_000_000


def record(name: str, second: int = 0) -> bytes:
    return b'{"id":"%b","updated_at":"1970-01-01T00:00:%02dZ"}' % (name.encode(), second)


def names(bodies: list[bytes]) -> list[str]:
    return [body.split(b'"')[3].decode() for body in bodies]


def orders_over(count: int) -> Collection:
    return Storage(base_orders=Numbered(count)).collection("orders")


def test_a_record_is_served_as_the_very_bytes_that_were_put() -> None:
    collection = Storage().collection("items")
    body = b'{ "id" : "a",\n "price": 1.500e0 }'

    collection.put("a", body)

    assert collection.get("a") == body
    assert collection.page(0, 10) == [body]
    assert collection.get("b") is None


def test_a_replaced_record_keeps_its_place() -> None:
    collection = Storage().collection("items")
    for name in "abc":
        collection.put(name, record(name))

    collection.put("b", b'{"id":"b","title":"new"}')

    assert names(collection.page(0, 10)) == ["a", "b", "c"]
    assert collection.get("b") == b'{"id":"b","title":"new"}'
    assert collection.count() == 3


def test_a_deleted_record_is_gone_and_comes_back_at_the_end() -> None:
    collection = Storage().collection("items")
    for name in "abc":
        collection.put(name, record(name))

    assert collection.delete("a") is True
    assert collection.delete("a") is False
    assert names(collection.page(0, 10)) == ["b", "c"]

    collection.put("a", record("a"))

    assert names(collection.page(0, 10)) == ["b", "c", "a"]
    assert collection.count() == 3


@pytest.mark.parametrize(
    ("order", "listed"),
    [
        ("oldest", ["a", "b", "c"]),
        ("newest", ["c", "b", "a"]),
        ("updated", ["b", "a", "c"]),
    ],
)
def test_lists_come_in_the_order_asked_for(order: ListOrder, listed: list[str]) -> None:
    collection = Storage().collection("items")
    for name, second in (("a", 20), ("b", 30), ("c", 10)):
        collection.put(name, record(name, second))

    assert names(collection.page(0, 10, order=order)) == listed
    assert [names(collection.page(n, 1, order=order)) for n in range(4)] == [
        *([name] for name in listed),
        [],
    ]


def test_an_edit_moves_a_record_only_where_the_latest_edit_is_first() -> None:
    collection = Storage().collection("items")
    for name, second in (("a", 20), ("b", 30), ("c", 10)):
        collection.put(name, record(name, second))
    for order in ("oldest", "updated", "shuffled"):
        collection.page(0, 10, order=order)
    shuffled = names(collection.page(0, 10, order="shuffled"))

    collection.put("c", record("c", 40))

    assert names(collection.page(0, 10, order="oldest")) == ["a", "b", "c"]
    assert names(collection.page(0, 10, order="updated")) == ["c", "b", "a"]
    assert names(collection.page(0, 10, order="shuffled")) == shuffled


def test_a_shuffled_list_has_every_record_once_and_the_same_order_each_time() -> None:
    collection = orders_over(1_000)

    pages = [
        names(collection.page(offset, 100, order="shuffled")) for offset in range(0, 1_000, 100)
    ]
    listed = [name for page in pages for name in page]

    assert sorted(listed) == sorted(f"base-{n}" for n in range(1_000))
    assert listed != [f"base-{n}" for n in range(1_000)]
    assert names(collection.page(0, 100, order="shuffled")) == pages[0]


def test_children_are_listed_and_counted_under_their_parent() -> None:
    collection = Storage().collection("variants")
    collection.put("a", record("a", 1), parent_id="p")
    collection.put("b", record("b", 2), parent_id="q")
    collection.put("c", record("c", 3), parent_id="p")

    assert names(collection.page(0, 10, parent_id="p")) == ["a", "c"]
    assert names(collection.page(0, 10, parent_id="p", order="newest")) == ["c", "a"]
    assert names(collection.page(0, 10, parent_id="p", order="updated")) == ["c", "a"]
    assert names(collection.page(1, 1, parent_id="p")) == ["c"]
    assert (
        collection.count("p"),
        collection.count("q"),
        collection.count("r"),
        collection.count(),
    ) == (2, 1, 0, 3)
    assert (collection.parent_of("b"), collection.parent_of("x")) == ("q", None)


def test_a_record_put_under_another_parent_moves() -> None:
    collection = Storage().collection("variants")
    collection.put("a", record("a"), parent_id="p")

    collection.put("a", record("a"), parent_id="q")

    assert (collection.count("p"), collection.count("q")) == (0, 1)


@pytest.mark.slow
def test_a_page_at_any_depth_of_a_million_records() -> None:
    collection = orders_over(1_000_000)

    assert collection.count() == 1_000_000
    assert names(collection.page(0, 2)) == ["base-0", "base-1"]
    assert names(collection.page(999_998, 250)) == ["base-999998", "base-999999"]
    assert names(collection.page(0, 2, order="newest")) == ["base-999999", "base-999998"]
    assert names(collection.page(999_999, 250, order="newest")) == ["base-0"]
    assert names(collection.page(500_000, 1, order="updated")) == ["base-499999"]
    assert collection.page(1_000_000, 250) == []
    assert collection.page(10**15, 250) == []


def test_changes_over_a_million_records_keep_every_order() -> None:
    collection = orders_over(1_000_000)
    for order in ("oldest", "updated"):
        collection.page(0, 1, order=order)

    collection.delete("base-0")
    collection.put("base-2", record("base-2", 59))
    collection.put("own", record("own", 1))

    assert collection.count() == 1_000_000
    assert names(collection.page(0, 3)) == ["base-1", "base-2", "base-3"]
    assert names(collection.page(999_998, 9)) == ["base-999999", "own"]
    assert names(collection.page(0, 2, order="newest")) == ["own", "base-999999"]
    assert names(collection.page(999_937, 9, order="updated")) == [
        "base-62", "base-61", "base-60", "base-2", "base-59", "base-58", "base-57", "base-56",
        "base-55",
    ]  # fmt: skip
    assert collection.get("base-0") is None
    assert collection.get("base-2") == record("base-2", 59)
    assert collection.get("base-3") == b'{"id":"base-3"}'


def test_a_deleted_record_of_the_base_that_is_put_again_takes_its_old_place() -> None:
    collection = orders_over(3)
    collection.delete("base-1")
    assert collection.count() == 2

    collection.put("base-1", record("base-1"))
    collection.put("base-1", record("base-1", 5))

    assert names(collection.page(0, 10)) == ["base-0", "base-1", "base-2"]
    assert collection.count() == 3


def test_an_overlaid_record_of_the_base_can_be_deleted() -> None:
    collection = orders_over(3)
    collection.put("base-1", record("base-1"))

    assert collection.delete("base-1") is True

    assert (collection.get("base-1"), collection.count()) == (None, 2)
    assert collection.delete("base-1") is False


def test_a_reopened_file_has_everything_as_before(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.sqlite"
    first = Storage(path, Numbered(5))
    collection = first.collection("orders")
    collection.delete("base-0")
    collection.put("base-2", record("base-2", 9))
    collection.put("own", record("own", 8))
    first.close()

    second = Storage(path, Numbered(5))
    reopened = second.collection("orders")

    assert reopened.count() == 5
    assert names(reopened.page(0, 10)) == ["base-1", "base-2", "base-3", "base-4", "own"]
    assert reopened.get("base-2") == record("base-2", 9)
    reopened.put("later", record("later"))
    assert names(reopened.page(4, 10)) == ["own", "later"]
    second.close()


def test_a_reopened_file_may_have_a_larger_base(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.sqlite"
    first = Storage(path, Numbered(2))
    first.collection("orders").put("own", record("own"))
    first.close()

    second = Storage(path, Numbered(4))

    assert names(second.collection("orders").page(0, 10)) == [
        "base-0", "base-1", "base-2", "base-3", "own",
    ]  # fmt: skip
    second.close()


def test_a_reopened_file_may_have_a_smaller_base(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.sqlite"
    first = Storage(path, Numbered(4))
    first.collection("orders").put("base-3", record("base-3"))
    first.close()

    second = Storage(path, Numbered(2))

    assert names(second.collection("orders").page(0, 10)) == ["base-0", "base-1", "base-3"]
    assert second.collection("orders").count() == 3
    second.close()


def test_many_records_are_put_at_once_after_those_that_are_there() -> None:
    collection = Storage().collection("variants")
    collection.put("a", record("a"), parent_id="p")

    collection.put_all([("b", record("b"), "p"), ("c", record("c"), "q")])
    collection.put("d", record("d"), parent_id="q")

    assert names(collection.page(0, 10)) == ["a", "b", "c", "d"]
    assert (collection.count(), collection.count("p")) == (4, 2)


def test_records_are_found_by_the_text_of_a_field() -> None:
    collection = Storage().collection("items")
    collection.put("a", b'{"id":"a","vendor_id":"v"}')
    collection.put("b", b'{"id":"b","vendor_id":null}')
    collection.put("broken", b"no JSON")
    assert collection.ids_where("vendor_id", "v") == ["a"]

    collection.put("b", b'{"id":"b","vendor_id":"v"}')
    collection.put("a", b'{"id":"a","vendor_id":"w"}')
    collection.put("c", b'{"id":"c","vendor_id":"v"}')
    collection.delete("c")

    assert collection.ids_where("vendor_id", "v") == ["b"]
    assert collection.ids_where("vendor_id", "w") == ["a"]


def test_all_records_can_be_read_while_others_come_and_go() -> None:
    storage = Storage(base_orders=Numbered(1_200))
    collection = storage.collection("orders")
    records = collection.records()

    first = next(records)
    collection.delete("base-1100")
    collection.put("own", record("own"))
    rest = list(records)

    assert first == (None, b'{"id":"base-0"}')
    assert len(rest) == 1_198
    assert (None, record("own")) not in rest


def test_a_failed_transaction_leaves_everything_as_it_was() -> None:
    storage = Storage()
    collection = storage.collection("items")
    collection.put("a", record("a", 1))
    collection.page(0, 10, order="updated")

    def fail_in_the_middle() -> None:
        with storage.transaction():
            collection.put("b", record("b", 2))
            collection.delete("a")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_in_the_middle()

    assert names(collection.page(0, 10, order="updated")) == ["a"]
    assert (collection.count(), collection.get("b")) == (1, None)


def test_the_time_of_change_is_the_records_own() -> None:
    assert changed_at(b'{"updated_at":"1970-01-01T00:00:01.000002Z"}') == 1_000_002
    assert changed_at(b'{"updated_at":"1970-01-01T00:00:01"}') == 1_000_000
    assert changed_at(b'{"updated_at":"1970-01-01T01:00:01+01:00"}') == 1_000_000


@pytest.mark.parametrize(
    "body", [b'{"updated_at":"yesterday"}', b'{"updated_at":5}', b"{}", b"[]", b"no", b"\xff"]
)
def test_a_record_that_does_not_say_when_it_changed_changed_now(body: bytes) -> None:
    assert changed_at(body) > changed_at(record("a", 59))
