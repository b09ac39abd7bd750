"""A lease: one run at a time, until it ends, dies, or says nothing for too long."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from socket import gethostname

import pyarrow as pa
import pytest
from obstore.store import MemoryStore
from pyiceberg.catalog.sql import SqlCatalog

from wholesale_buckets.bucket import BucketNote
from wholesale_elt.process import AlreadyRunning, Lease, lease
from wholesale_lake.iceberg import CatalogNote

NewLease = Callable[[], Lease]


@pytest.fixture(params=["bucket", "catalogue"])
def new_lease(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewLease]:
    """Leases of several runs on one bucket, or on one catalogue."""
    if request.param == "bucket":
        store = MemoryStore()
        yield lambda: Lease(BucketNote(store, ".lock", "there"), "there")
        return
    catalog = SqlCatalog("c", uri=f"sqlite:///{tmp_path}/c.db", warehouse=tmp_path.as_uri())
    catalog.create_namespace("ours")
    catalog.create_table("ours.versions", pa.schema({"version": pa.string()}))
    yield lambda: Lease(CatalogNote(catalog.load_table("ours.versions")), "there")
    catalog.close()


def test_a_second_run_is_told_who_has_it_and_has_it_when_that_one_is_done(
    new_lease: NewLease,
) -> None:
    with new_lease().held():
        message = rf"at work on there: process {os.getpid()} on \S+, at 20.* UTC; wait"
        with pytest.raises(AlreadyRunning, match=message):
            new_lease().held().__enter__()

    with new_lease().held():
        pass


def test_it_is_free_after_a_run_that_failed(new_lease: NewLease) -> None:
    with pytest.raises(ZeroDivisionError), new_lease().held():
        raise ZeroDivisionError
    with new_lease().held():
        pass


def test_it_ends_where_its_holder_says_nothing_for_too_long_who_does_not_free_it_then(
    new_lease: NewLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(lease, "LENGTH", timedelta(0))
        first, second = new_lease().held(), new_lease().held()
        overtaken, holder = first.__enter__(), second.__enter__()
        with pytest.raises(AlreadyRunning):
            overtaken.renew()
    holder._written_at = 0.0
    holder.renew()
    first.__exit__(None, None, None)

    with pytest.raises(AlreadyRunning):
        new_lease().held().__enter__()


def test_its_holder_keeps_it_as_long_as_it_says_that_it_is_at_work(
    new_lease: NewLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "LENGTH", timedelta(0))
    with new_lease().held() as first:
        monkeypatch.setattr(lease, "LENGTH", timedelta(minutes=1))
        first._written_at = 0.0

        first.renew()

        with pytest.raises(AlreadyRunning):
            new_lease().held().__enter__()


def test_it_is_not_written_again_a_moment_after_it_was_written(new_lease: NewLease) -> None:
    with new_lease().held() as held:
        written_at = held._written_at

        held.renew()

        assert held._written_at == written_at


def test_a_process_of_another_user_is_alive(
    new_lease: NewLease, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int, signal: int) -> None:
        raise PermissionError

    with new_lease().held():
        monkeypatch.setattr(os, "kill", refuse)
        with pytest.raises(AlreadyRunning):
            new_lease().held().__enter__()


@pytest.mark.parametrize("host", [lease.machine(), f"{gethostname()}/another", "elsewhere"])
def test_it_ends_with_a_process_of_this_machine_and_not_with_one_of_another(
    new_lease: NewLease, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    died = subprocess.Popen([sys.executable, "-c", ""])
    died.wait()
    with monkeypatch.context() as patch:
        patch.setattr(lease, "_holder", lambda: f"process {died.pid} on {host}, at")
        first = new_lease().held()
        first.__enter__()

    second = new_lease().held()

    if host == lease.machine():
        second.__enter__()
    else:
        with pytest.raises(AlreadyRunning, match=host):
            second.__enter__()
