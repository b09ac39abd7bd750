"""Settings of the dashboard: its name, the names of people, and views for everybody."""

from pathlib import Path

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import publish
from wholesale.errors import ConfigurationError
from wholesale_elt.dashboard.settings import DashboardSettings, read_people


def test_a_site_says_whose_it_is_and_how_people_are_called(
    built: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("\ufeffname,id,note\n Ada Żak ,a-1,x\n,a-2,\nBo,,\n", "utf-8")
    monkeypatch.setenv("DASHBOARD__COMPANY", "Fig & Thistle")
    monkeypatch.setenv("DASHBOARD__PEOPLE", str(people))
    site = publish(built, tmp_path / "published")
    meta = site.content("meta")
    assert (meta["company"], meta["people"]) == ("Fig & Thistle", {"a-1": "Ada Żak"})
    assert "Fig &amp; Thistle" in (site.folder / "index.html").read_text("utf-8")


@pytest.mark.parametrize("content", [b"key,name\n1,Ada\n", b"id,name\n1,\xff\n", None])
def test_a_file_that_tells_no_names_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "people.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError):
        read_people(path)


def test_without_a_file_nobody_has_a_name(tmp_path: Path) -> None:
    empty = tmp_path / "people.csv"
    empty.write_text("id,name\n")
    assert read_people(None) == read_people(empty) == {}


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("nowhere", "nowhere"),
        ("buyer", "buyer"),
        ("sales?period=2026-13", "2026-13"),
        ("sales?period", "period"),
        ("sales?compare=month", "month"),
        ("explore?metric=saels", "sales"),
        ("explore?metric=sales&by=category", "category"),
        ("explore?metric=sales&by=vendor&across=brand", "brand"),
    ],
)
def test_a_view_that_is_not_there_is_refused_by_its_name(address: str, word: str) -> None:
    with pytest.raises(ValueError, match=f"'Monday'.*{word}"):
        DashboardSettings(views={"Monday": address})


def test_views_are_kept_as_addresses() -> None:
    views = {
        "Monday": "#/explore?metric=product_sales&by=category&across=month&period=last_quarter",
        "One": "buyer/a%2Fb",
        "All": "today",
    }
    found = DashboardSettings(views=views).views
    assert found == {**views, "Monday": views["Monday"].removeprefix("#/")}
