"""Again: records read by their ids, as they are now, beside any scan of their list."""

from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wholesale.compare import versions_of
from wholesale.errors import NotFound, Unprocessable, counted
from wholesale.sync.changes import Batch, Merge
from wholesale.sync.reader import Reader
from wholesale.sync.unsettled import name_unread, tell_records
from wholesale.tables import KEY, Ids, concat


def read_again(reader: Reader, merge: Merge, ids: Ids) -> Ids:
    """Read these records, and pass on what has to be merged; return those that are 404. That proves
    nothing, nor that those are deleted.

    One that is older than what is stored is refused: a replica that lags may have answered, and no
    list tells which of the two is right.
    Raises: ServiceError.
    """
    reading, ledger, doubts = reader.reading, reader.reading.ledger, reader.reading.doubts
    version = reading.version
    assert version is not None
    older: list[Ids] = []

    def merge_unless_older(batch: Batch) -> None:
        found = batch.decoded.ids
        is_older = reading.stored.is_newer(found.keys, versions_of(batch.decoded.root[version]))
        older.append(found.take(is_older))
        merge(Batch(batch.decoded.keep(pa.array(~is_older)), batch.is_known[~is_older]))

    reader.changes.merge = merge_unless_older
    reading.decoder.texts.update(ids.others)
    keys = np.unique(ids.keys)
    with reading.fetcher:
        if not reading.decoder.summary_columns:  # full records are compared in these
            reader.listing.peek(ledger.next_step(), 0)
        ledger.doubt_all_not_read()  # a row of the list that is as stored does not show all
        asked = reader.listing.ask(ledger.next_step(), keys)
        refused = np.intersect1d(ledger.due(), keys)
        tell_records(reading, refused, np.empty(0, KEY), reader.listing.first_rows)
    name_unread(reading, keys)
    if texts := sorted(concat(older).texts()):
        fault = f"{counted(len(texts), 'record')} in an older version than is stored"
        doubts.add_faults([f"{fault}: run `wholesale sync {reading.resource.name}`"])
        doubts.leave_open(doubts.suspects, {*doubts.refused, *texts})
    reading.tally.end(ids_seen=len(asked.alive), audited=0, deleted=0, stored=reading.stored.alive)
    doubts.finish()
    return reading.ids(asked.not_found)


def updated_since(reader: Reader, moment: datetime) -> Ids:
    """The records that a list that begins with the newest change shows to be updated since.

    Raises: ServiceError, also for a list that goes on beyond all that it may hold.
    """
    reading = reader.reading
    version = reading.version
    assert version is not None
    found, step = [], reading.ledger.next_step()
    with reading.fetcher as fetcher:
        pages = fetcher.list_reader(reading.query)
        paginator = pages.paginator(reading.page_size)
        while not paginator.is_ended:
            try:
                page, decoded = reader.listing.peek(step, paginator.pages)
            except (NotFound, Unprocessable):
                break  # the list ends with a full page
            is_since = pc.fill_null(pc.greater_equal(decoded.root[version], moment), True)
            found.append(decoded.keep(is_since).ids)
            if not pc.any(is_since).as_py() or not page.fills(reading.page_size):
                break
            if paginator.see(page):
                pages.refuse_to_go_on(paginator)
    return concat(found)
