"""Lease: one run at a time per bucket, by conditional writes; it ends where its holder is gone.

Creating and replacing an object under a condition (`If-None-Match`, `If-Match`: RFC 9110, 13.1) is
decided by the bucket, so of two runs at the same moment one gets it.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import obstore
from obstore.exceptions import AlreadyExistsError, PreconditionError
from obstore.store import ObjectStore

from wholesale.errors import ConfigurationError
from wholesale_elt.process import AlreadyRunning

LENGTH = timedelta(minutes=10)
"""After so long without a word from its holder it is anybody's. What rests on it is written under
conditions of its own, so that a clock that is wrong costs a run and no data."""
FREE = b""
"""What the object holds while nobody has the lease: an object cannot be deleted on condition."""


class BucketLease:
    """A lease that this run has."""

    def __init__(self, store: ObjectStore, path: str, held: "obstore.UpdateVersion") -> None:
        self._store = store
        self._path = path
        self._held = held
        self._renewed = time.monotonic()

    def renew(self) -> None:
        """Tell that its holder is at work still, if it was not told a moment ago.

        Raises: AlreadyRunning when another run has it meanwhile.
        """
        if time.monotonic() - self._renewed > LENGTH.total_seconds() / 10:
            self._write(_holder())

    def release(self) -> None:
        """Leave it to the next run.

        Raises: AlreadyRunning when another run has it already.
        """
        self._write(FREE)

    def _write(self, content: bytes) -> None:
        held = put_on_condition(self._store, self._path, content, self._held)
        if held is None:
            raise AlreadyRunning(
                "this run said nothing for too long, and another one has taken its place; what is"
                " published is whole: see what that one published"
            )
        self._held = held
        self._renewed = time.monotonic()


def version_of(found: "obstore.ObjectMeta | obstore.PutResult") -> "obstore.UpdateVersion":
    """The condition that an object is as it was when this was said of it."""
    known: obstore.UpdateVersion = {"e_tag": found["e_tag"]}
    if found["version"]:
        known["version"] = found["version"]
    return known


def put_on_condition(
    store: ObjectStore,
    path: str,
    content: bytes,
    mode: "obstore.PutMode",
    about: dict[str, str] | None = None,
) -> "obstore.UpdateVersion | None":
    """Put the object, if it is as `mode` has it; None where it is not, and something else is there.

    An answer may be lost on its way, and the request be sent again: what is refused then, as it is
    there already, is there.
    """
    try:
        return version_of(obstore.put(store, path, content, attributes=about, mode=mode))
    except (AlreadyExistsError, PreconditionError):
        found = obstore.get(store, path)
        return version_of(found.meta) if found.bytes().to_bytes() == content else None


@contextmanager
def leased(store: ObjectStore, path: str, what: str) -> Iterator[BucketLease]:
    """Have the lease that is the object at `path` until the block ends.

    Raises: AlreadyRunning naming who has it; ConfigurationError for a bucket that does not heed
    conditions.
    """
    lease = BucketLease(store, path, _take(store, path, what))
    try:
        yield lease
    finally:
        lease.release()


def _take(store: ObjectStore, path: str, what: str) -> "obstore.UpdateVersion":
    held = put_on_condition(store, path, _holder(), "create")
    if held is None:
        return _take_over(store, path, what)
    if put_on_condition(store, path, _holder(), "create") is None:
        return held
    raise ConfigurationError(
        f"{what} creates an object that is there already, so nothing keeps two runs apart in it:"
        " publish into a folder, or into a bucket that heeds If-None-Match"
    )


def _take_over(store: ObjectStore, path: str, what: str) -> "obstore.UpdateVersion":
    """The lease that somebody had.

    Raises: AlreadyRunning naming who has it still.
    """
    found = obstore.get(store, path)
    holder = found.bytes().to_bytes()
    ends = found.meta["last_modified"] + LENGTH
    if holder == FREE or ends < datetime.now(UTC):
        if held := put_on_condition(store, path, _holder(), version_of(found.meta)):
            return held
        holder = b"one that came a moment before"
    raise AlreadyRunning(
        f"another run is at work on {what}: {holder.decode(errors='replace')}; wait for it to end;"
        f" if it died, the next run may start at {ends:%H:%M} UTC"
    )


def _holder() -> bytes:
    """To the microsecond, so that no two are the same: a tag may be a hash of the content."""
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return f"process {os.getpid()} on {socket.gethostname()}, at {now} UTC".encode()
