"""A rotating part of the records is read again, which finds edits that no summary shows."""

import numpy as np
import pyarrow as pa
import pytest

from support.records.lists import Lists, ids, orders, read, stored
from wholesale.compare.audit import PARTS, is_in_part
from wholesale.compare.past import Past
from wholesale.tables.ids import keys_of, pack


def test_the_part_to_be_audited_is_read_again() -> None:
    before = orders(60)
    everything = np.array([record["id"] for record in before])
    keys = keys_of(pa.array(everything))
    part = next(part for part in range(PARTS) if is_in_part(keys, part).sum() > 1)
    due = everything[is_in_part(keys, part)].tolist()
    reader = Lists({"/orders": before}).reader("orders", stored("orders", before, audit_part=part))

    assert sorted(ids(read(reader))) == due
    assert (reader.tally.audited, reader.tally.changed) == (len(due), 0)


def test_an_audited_order_that_turns_out_to_differ_is_a_silent_edit() -> None:
    before = orders(4)
    reader = Lists({"/orders": before}).reader("orders", stored("orders", before))
    reader.listing.audited = np.sort(keys_of(pa.array(["id-0001", "id-0002"])))

    reader.count_differing(pack(pa.array(["id-0002", "id-0003"])))

    assert (reader.tally.changed, reader.tally.silent) == (2, 1)


@pytest.mark.parametrize(
    ("silent", "audited", "is_restless", "finds_most"),
    [(2, 3, False, True), (2, 4, False, False), (1, 1, False, False), (3, 3, True, False)],
)
def test_an_audit_that_finds_most_orders_changed_tells_of_all_unless_it_always_does(
    silent: int, audited: int, *, is_restless: bool, finds_most: bool
) -> None:
    before = stored("orders", orders(4)).after(Past(is_restless=is_restless))
    reader = Lists({"/orders": orders(4)}).reader("orders", before)
    reader.tally.silent, reader.tally.audited = silent, audited

    assert reader.audit_finds_most_changed is finds_most


def test_a_reading_of_all_accounts_for_the_one_that_asked_for_it() -> None:
    service = Lists({"/orders": orders(4)})
    earlier, later = service.reader("orders"), service.reader("orders")
    earlier.tally.loaded = 7

    assert later.following(earlier) is later
    assert later.tally.loaded == 7
