"""Who is erased goes from batches that are not acknowledged, and no order is handed over for it."""

from decimal import Decimal

import pytest

from support.warehouses.handed import BEGIN, PERSONAL, write
from support.warehouses.receivers import Desk
from wholesale_books.handover.erasing import erase

NAMES = (b"lm\xc3\xbchle", b"10115", b"1234567")


@pytest.fixture
def erasing(desk: Desk) -> Desk:
    """Three orders are acknowledged; of two buyers five more are handed over in two batches."""
    desk.handing().acknowledge(1)
    for number in range(4, 7):
        desk.business.order(f"o{number}", buyer_id="b2" if number == 6 else "b1")
    desk.versions.publish(desk.business, allowed=PERSONAL)
    desk.hand_over()
    desk.business.orders["o4"]["total"] = Decimal("99.5")
    desk.versions.publish(desk.business, allowed=PERSONAL)
    desk.hand_over()
    return desk


def empty(desk: Desk, buyer: str) -> None:
    """What `wholesale erase` does to the warehouse before it tells of it."""
    for id_, order in desk.business.orders.items():
        if order["buyer_id"] == buyer:
            order |= {"buyer_company_name": None, "shipping_zip": None}
            for comment in desk.business.comments[id_]:
                comment["body"] = None
    file = desk.folder / "wholesale.duckdb"
    file.unlink(missing_ok=True)
    write(file, desk.business.rows(), PERSONAL, BEGIN)


def texts(desk: Desk, *numbers: int) -> bytes:
    """All that is kept and was delivered of these batches."""
    folders = [f"{number:06d}" for number in numbers]
    return b"".join(
        path.read_bytes()
        for path in desk.folder.rglob("*")
        if path.is_file() and any(name in str(path) for name in folders)
    )


def test_batches_that_are_not_acknowledged_are_rewritten_here_and_there(erasing: Desk) -> None:
    before = {number: erasing.lines(number) for number in (2, 3)}
    empty(erasing, "b1")
    told = erase(erasing.handing().receiver.warehouse, "buyer", "b1")

    assert len(told) == 1
    for number in (2, 3):
        for line, old in zip(erasing.lines(number), before[number], strict=True):
            if old["order"]["buyer_id"] == "b1":
                old["order"] |= {"buyer_company_name": None, "shipping_zip": None}
                old["order_comments"][0]["body"] = None
            assert line == old
    batches = erasing.handing().receiver.open_batches()
    assert [batch.manifest.rewritten for batch in batches] == [["erasure"], ["erasure"]]
    assert batches[1].manifest.previous == batches[0].manifest.sha256
    assert erasing.counting.number == 3
    assert not list(erasing.folder.rglob("books/**/000001.*"))


@pytest.mark.parametrize(("acknowledged", "again"), [(1, []), (2, ["o1", "o2", "o3", "o5"])])
def test_no_order_is_handed_over_again_but_what_the_receiver_had_acknowledged(
    erasing: Desk, acknowledged: int, again: list[str]
) -> None:
    erasing.handing().acknowledge(acknowledged)
    empty(erasing, "b1")
    erase(erasing.handing().receiver.warehouse, "buyer", "b1")
    erasing.versions.publish(erasing.business, allowed=PERSONAL)
    handed = erasing.handing().hand_over()
    found = [each for batch in handed.made for each in erasing.records(batch.number)]
    assert found == [("changed", id_, None) for id_ in again]


def test_an_erasure_twice_does_nothing_more(erasing: Desk) -> None:
    empty(erasing, "b1")
    warehouse = erasing.handing().receiver.warehouse
    erase(warehouse, "buyer", "b1")
    before = texts(erasing, 2, 3)
    erase(warehouse, "buyer", "b1")
    assert texts(erasing, 2, 3) == before


def test_a_place_that_is_gone_gets_what_was_rewritten_with_the_next_hand_over(
    erasing: Desk,
) -> None:
    erasing.business.orders["o6"]["buyer_id"] = "b1"
    empty(erasing, "b1")
    erasing.place.rename(erasing.folder / "away")
    erase(erasing.handing().receiver.warehouse, "buyer", "b1")
    waiting = [batch.number for batch in erasing.handing().receiver.waiting()]
    assert waiting == [2, 3]
    (erasing.folder / "away").rename(erasing.place)
    erasing.versions.publish(erasing.business, allowed=PERSONAL)
    erasing.handing().hand_over()
    assert not any(name in texts(erasing, 2, 3, 4) for name in NAMES)


def test_who_was_handed_nothing_is_not_told(desk: Desk) -> None:
    empty(desk, "b1")
    desk.handing().receiver.folder.rename(desk.folder / "away")
    assert erase(desk.handing().receiver.warehouse, "buyer", "b1") == []
