"""Files under fixed names: always those of the version in force, and of none if none is wanted."""

import json
import os
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.workbooks import read_workbook
from wholesale.errors import ConfigurationError
from wholesale_elt.process import replace
from wholesale_elt.publish import folder
from wholesale_elt.publish.publisher import require_place

from .conftest import LONG, ORDERS, Office

FIXED = {"csv/orders.csv", "wholesale.xlsx"}


def fixed_in_force(office: Office) -> set[str]:
    """The fixed names; each must have the bytes that the version in force says."""
    files = {Path(*Path(file["path"]).parts[2:]): file for file in office.current()["fixed"]}
    for name, file in files.items():
        found = (office.folder / name).read_bytes()
        assert sha256(found).hexdigest() == file["sha256"]
        assert not os.access(office.folder / name, os.W_OK) or os.geteuid() == 0
    return set(map(str, files))


def test_csv_has_every_digit_and_nothing_that_runs(office: Office) -> None:
    office.build(1)
    office.publish()

    assert (office.folder / "csv/orders.csv").read_bytes().decode("utf-8") == (
        "\ufeffOrder ID,Order number,Ordered date,Vendor,Order status,Open,Unit count,"
        "Sales amount (EUR)\r\n"
        "o1,00000007,2026-01-02,'=1+1,shipped,TRUE,1,0.07\r\n"
        f"""o2,-5,2026-01-01,"Ä ""b"", c",,FALSE,3,{LONG}\r\n"""
    )


def test_fixed_names_are_links_to_the_version_in_force(office: Office) -> None:
    for number in (1, 2):
        office.build(number)
        office.publish()

        assert fixed_in_force(office) == FIXED
        version = office.folder / "versions" / office.current()["version"]
        for name in FIXED:
            assert (office.folder / name).samefile(version / name)
        assert read_workbook(office.folder / "wholesale.xlsx")["Orders"].rows[1]["G"] == number


def test_an_unchanged_sheet_is_a_link_to_the_same_file(office: Office) -> None:
    office.build(1)
    office.publish()
    first = office.folder / "versions" / office.current()["version"]
    with duckdb.connect(str(office.warehouse.database)) as connection:
        connection.execute("update wholesale_bi.rpt_sync_runs set run_id = 'another'")

    office.publish()

    second = office.folder / "versions" / office.current()["version"]
    assert first != second
    assert (second / "csv/orders.csv").samefile(first / "csv/orders.csv")


def test_what_is_no_longer_wanted_has_no_fixed_name(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.build(1)
    office.publish()
    assert office.publish().result == "already published"

    monkeypatch.setenv("SPREADSHEETS__CSV", "false")
    assert office.publish().result == "published"
    assert fixed_in_force(office) == {"wholesale.xlsx"}
    assert not (office.folder / "csv").exists()

    monkeypatch.delenv("SPREADSHEETS__XLSX")
    assert office.publish().result == "published"
    assert office.current()["fixed"] == []
    assert not (office.folder / "wholesale.xlsx").exists()
    assert office.publish().result == "already published"


def test_what_somebody_changed_or_removed_is_put_right(office: Office) -> None:
    office.build(1)
    office.publish()
    (office.folder / "csv/orders.csv").unlink()
    (office.folder / "wholesale.xlsx").unlink()
    (office.folder / "wholesale.xlsx").write_text("mine")

    assert office.publish().result == "already published"
    assert fixed_in_force(office) == FIXED


@pytest.mark.parametrize(("csv", "after"), [*(("true", n) for n in range(4)), ("false", 2)])
def test_a_publication_that_breaks_off_leaves_the_last_one_in_force(
    office: Office, csv: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever name it was about to replace; the next one is as if nothing had been."""
    office.build(1)
    office.publish()
    before = office.current()
    monkeypatch.setenv("SPREADSHEETS__CSV", csv)
    office.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(folder, "replace", breaking(replace, after))
        with pytest.raises(OSError, match="No space"):
            office.publish()

    assert office.current() == before
    for file in before["fixed"]:
        assert sha256((office.folder / file["path"]).read_bytes()).hexdigest() == file["sha256"]
    monkeypatch.delenv("SPREADSHEETS__XLSX")
    office.publish()
    assert fixed_in_force(office) == ({"csv/orders.csv"} if csv == "true" else set())
    assert not (office.folder / "wholesale.xlsx").exists()


def breaking(whole: Callable[..., None], after: int) -> Callable[..., None]:
    """The function, which fails after so many calls."""
    calls = iter(range(after))

    def broken(*arguments: Any) -> None:
        if next(calls, None) is None:
            raise OSError(28, "No space left on device")
        whole(*arguments)

    return broken


def test_a_file_that_cannot_be_written_stops_the_publication(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.build(1)
    office.publish()
    before = office.files()
    office.build(2)
    with duckdb.connect(str(office.warehouse.database)) as connection:
        connection.execute(f"alter table {ORDERS} drop column ordered_date")

    with pytest.raises(duckdb.BinderException):
        office.publish()

    assert office.files() == before


def test_a_workbook_without_its_library_is_refused_before_anything_is_done(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)

    with pytest.raises(ConfigurationError, match=r"\[spreadsheets\]"):
        require_place(str(office.folder))


def test_an_unknown_setting_is_refused(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPREADSHEETS__XLS", "true")

    with pytest.raises(ConfigurationError, match="xlsx"):
        require_place(str(office.folder))


def test_nothing_is_written_unless_it_is_wanted(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPREADSHEETS__XLSX")
    monkeypatch.delenv("SPREADSHEETS__CSV")
    office.build(1)
    office.publish()

    assert json.loads((office.folder / "current.json").read_text())["additions"] == ["contracts"]
    assert not FIXED & set(office.files())
