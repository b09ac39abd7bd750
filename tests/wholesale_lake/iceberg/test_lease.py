"""A lease of a catalogue: one run at a time, until it ends, dies, or says nothing for too long."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from socket import gethostname

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import Table

from wholesale_elt.process import AlreadyRunning
from wholesale_lake.iceberg import CatalogLease, lease


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqlCatalog]:
    catalog = SqlCatalog("c", uri=f"sqlite:///{tmp_path}/c.db", warehouse=tmp_path.as_uri())
    catalog.create_namespace("ours")
    catalog.create_table("ours.versions", pa.schema({"version": pa.string()}))
    yield catalog
    catalog.close()


def versions(catalog: SqlCatalog) -> Table:
    return catalog.load_table("ours.versions")


def test_a_second_run_is_told_who_has_it_and_has_it_when_that_one_is_done(
    catalog: SqlCatalog,
) -> None:
    with CatalogLease(versions(catalog), "the lake").held():
        message = rf"at work on the lake: process {os.getpid()} on \S+, since 20.* UTC; wait"
        with pytest.raises(AlreadyRunning, match=message):
            CatalogLease(versions(catalog), "the lake").held().__enter__()

    with CatalogLease(versions(catalog), "the lake").held():
        pass


def test_it_ends_where_its_holder_says_nothing_for_too_long(
    catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "LENGTH", timedelta(0))
    first = CatalogLease(versions(catalog), "the lake").held()
    first.__enter__()

    with CatalogLease(versions(catalog), "the lake").held():
        pass
    first.__exit__(None, None, None)

    with CatalogLease(versions(catalog), "the lake").held():
        pass


def test_its_holder_keeps_it_as_long_as_it_says_that_it_is_at_work(
    catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "LENGTH", timedelta(0))
    first = CatalogLease(versions(catalog), "the lake")
    with first.held():
        monkeypatch.setattr(lease, "LENGTH", timedelta(minutes=1))
        first._written_at -= timedelta(minutes=1)

        first.renew()

        with pytest.raises(AlreadyRunning, match="1 minutes after its last word"):
            CatalogLease(versions(catalog), "the lake").held().__enter__()


@pytest.mark.parametrize("host", [gethostname(), "elsewhere"])
def test_it_ends_with_a_process_of_this_machine_and_not_with_one_of_another(
    catalog: SqlCatalog, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    died = subprocess.Popen([sys.executable, "-c", ""])
    died.wait()
    with monkeypatch.context() as patch:
        patch.setattr(lease, "_this_process", lambda: f"process {died.pid} on {host}, since")
        first = CatalogLease(versions(catalog), "the lake").held()
        first.__enter__()

    second = CatalogLease(versions(catalog), "the lake").held()

    if host == "elsewhere":
        with pytest.raises(AlreadyRunning, match="on elsewhere"):
            second.__enter__()
    else:
        second.__enter__()
