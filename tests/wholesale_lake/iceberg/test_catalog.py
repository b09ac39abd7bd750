"""Errors of a catalogue say what to do about them."""

import sqlite3

import pytest
from sqlalchemy.exc import OperationalError

from wholesale_elt.cli.errors import failure_of
from wholesale_lake.iceberg.catalog import CatalogUnreachable, translated_errors


def fail(words: str) -> Exception:
    with pytest.raises(Exception, match=words) as failed, translated_errors("lake a", "overtaken"):  # noqa: PT012
        try:
            raise sqlite3.OperationalError(words)
        except sqlite3.Error as error:
            raise OperationalError("create table a (b int)", {}, error) from error
    return failed.value


def test_a_catalogue_on_a_full_disk_is_no_matter_of_settings() -> None:
    assert failure_of(fail("database or disk is full")).message == (
        "no space left on the disk for the database: nothing half written is used;"
        " free some space and run again"
    )


def test_a_catalogue_that_cannot_be_used_is_one() -> None:
    unreachable = fail("unable to open database file")

    assert isinstance(unreachable, CatalogUnreachable)
    assert str(unreachable).endswith("; check its settings and the credentials")
