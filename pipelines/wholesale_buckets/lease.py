"""Lease: one run at a time per bucket, by conditional writes; it expires if it is not renewed.

The bucket decides whether an object is created or replaced under a condition (`If-None-Match`,
`If-Match`: RFC 9110, 13.1), so of two runs at the same moment only one gets the lease.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import ObjectStore

from wholesale.errors import ConfigurationError
from wholesale_elt.process import AlreadyRunning

LENGTH = timedelta(minutes=10)
"""A lease that its holder has not renewed for so long is free. What it protects is written under
conditions of its own, so a wrong clock costs a run, but no data."""
FREE = b""
"""Content of the object while nobody has the lease: objects cannot be deleted conditionally."""


class BucketLease:
    """A lease held by this run."""

    def __init__(self, store: ObjectStore, path: str, held: "obstore.UpdateVersion") -> None:
        self._store = store
        self._path = path
        self._held = held
        self._renewed = time.monotonic()

    def renew(self) -> None:
        """Renew the lease, unless that was done a moment ago.

        Raises: AlreadyRunning if another run has taken it.
        """
        if time.monotonic() - self._renewed > LENGTH.total_seconds() / 10:
            self._write(_holder())

    def release(self) -> None:
        """Free the lease.

        Raises: AlreadyRunning if another run has taken it.
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
    """The condition that an object is still the one described here."""
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
    """Put the object under the condition `mode`; None if it does not hold.

    The answer to a first request may get lost, and the second be refused since the first succeeded:
    so an object with this content counts as put.
    """
    try:
        return version_of(obstore.put(store, path, content, attributes=about, mode=mode))
    except (AlreadyExistsError, PreconditionError):
        found = obstore.get(store, path)
        return version_of(found.meta) if found.bytes().to_bytes() == content else None


@contextmanager
def leased(store: ObjectStore, path: str, what: str) -> Iterator[BucketLease]:
    """Hold the lease, the object at `path`, until the block ends.

    Raises: AlreadyRunning naming the holder; ConfigurationError for a bucket that ignores
    conditions.
    """
    lease = BucketLease(store, path, _take(store, path, what))
    try:
        yield lease
    except BaseException:
        with suppress(BaseError, AlreadyRunning):  # what failed first is to be told
            lease.release()
        raise
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
    """Take over a lease that is free or has expired.

    Raises: AlreadyRunning naming the holder.
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
    """The time to the microsecond makes each content unique, as a tag may be a hash of it."""
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return f"process {os.getpid()} on {socket.gethostname()}, at {now} UTC".encode()
