"""Again: records read by their ids, as they are now, beside any scan of their list."""

from datetime import datetime

import numpy as np
import pyarrow as pa

from wholesale.compare import versions_in
from wholesale.errors import counted
from wholesale.sync.changes import Batch, Merge
from wholesale.sync.doubts import UNPROVED
from wholesale.sync.reader import Reader
from wholesale.sync.unsettled import name_unread, tell_list, tell_records
from wholesale.tables import KEY, Ids, concat


def read_again(reader: Reader, merge: Merge, ids: Ids) -> Ids:
    """Read these records, and pass on what has to be merged; return those that are 404. That proves
    nothing, nor that those are deleted.

    One that is older than what is stored is refused: a replica that lags may have answered, and no
    list tells which of the two is right.
    Raises: ServiceError.
    """
    reading, ledger, doubts = reader.reading, reader.reading.ledger, reader.reading.doubts
    older: list[Ids] = []

    def merge_unless_older(batch: Batch) -> None:
        found, versions = batch.decoded.ids, versions_in(batch.decoded.root, reading.version)
        is_older = reading.stored.is_newer(found.keys, versions)
        older.append(found.take(is_older))
        merge(Batch(batch.decoded.keep(pa.array(~is_older)), batch.is_known[~is_older]))

    reader.changes.merge = merge_unless_older if reading.version else merge
    reading.decoder.texts.update(ids.others)
    keys = np.unique(ids.keys)
    with reading.fetcher:
        if reading.has_summaries and not reading.decoder.summary_columns:  # which are compared
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
    """The records that a list in short shows to be updated since, or without a version; `mismatch`
    of the doubts says why these may not be all. Raises: ServiceError."""
    reading, version = reader.reading, int(moment.timestamp() * 1_000_000)
    with reading.fetcher:
        if reader.stop_early():  # what is not at the head is as it is stored
            stored = reader.stored.updated_since(version)
            return reading.ids(np.union1d(stored, reading.ledger.updated_since(version)))
        course = reader.course(can_ask=False)
        course.read()
    if not course.proof:
        tell_list(reading, course, reader.listing.first_rows)
        reading.doubts.prove(None, reading.doubts.mismatch or UNPROVED)
    return reading.ids(reading.ledger.updated_since(version))
