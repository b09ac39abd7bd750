"""Pictures: their addresses are told; the files are in the site only where the setting says so."""

from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import MANIFEST, Site, publish
from wholesale_elt.dashboard.contents import pictures
from wholesale_elt.dashboard.writing import write_dashboard
from wholesale_elt.pictures import Bounds
from wholesale_elt.pictures.fetching import File, Pictures

IMAGES = (
    "select item_id, image_position, url from wholesale_marts.dim_item_images"
    " where not is_deleted and url is not null"
)


def fetched(addresses: Sequence[str], folder: Path, bounds: Bounds) -> Pictures:
    """All but the last of them."""
    folder.mkdir(exist_ok=True)
    assert bounds == Bounds(2_000, 7_000_000, 300)
    files = {each: File(f"{n}.png", 1, 4, 3) for n, each in enumerate(addresses[:-1])}
    found = Pictures(files)
    found.failed["no connection"] = 1
    return found


def test_addresses_are_told_and_nothing_is_fetched(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {row["part"] for row in site.table("products")}
    told = [
        tuple(row.values())
        for part in parts
        for row in site.table(f"of_products/{part}", "pictures")
    ]
    assert sorted(told) == sorted(tuple(row) for row in site.answer(IMAGES))
    assert told
    assert site.content("meta")["pictures"] is None
    assert not (site.folder / "data" / "pictures").exists()


def test_files_are_those_of_the_part_of_their_product(
    built: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASHBOARD__PICTURES", "fetch")
    monkeypatch.setenv("DASHBOARD__PICTURES_MEGABYTES", "7")
    monkeypatch.setattr(pictures, "fetch_pictures", fetched)
    site = publish(built, tmp_path)
    told = site.content("meta")["pictures"]
    urls = {url for (*_, url) in site.answer(IMAGES)}
    assert told["count"] == len(urls) - 1
    assert told["reasons"] == [["no connection", 1]]
    found: dict[str, Any] = {}
    for part in told["parts"]:
        listed = {row["url"] for row in site.table(f"of_products/{part}", "pictures")}
        files = site.content(f"pictures/{part}")
        assert {*files} <= listed
        found |= files
    assert len(found) == told["count"]
    assert {*found} <= urls


def test_what_the_version_in_force_has_is_taken_over_first(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASHBOARD__PICTURES", "fetch")
    monkeypatch.setenv("DASHBOARD__PICTURES_MEGABYTES", "7")
    monkeypatch.setattr(pictures, "fetch_pictures", fetched)
    asked = []

    def take(tables: Set[str], name: str) -> bool:
        asked.append((tables, name))
        return False

    write_dashboard(site.database, tmp_path, MANIFEST, take)
    assert (frozenset(), "pictures") in asked
