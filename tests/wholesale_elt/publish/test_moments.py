"""Moments: wherever one is asked for, the name of a version is one, and the other way round."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from click.testing import CliRunner

from wholesale.errors import Unanswerable
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import (
    Manifest,
    NotKept,
    NotPublished,
    find_moment,
    find_site,
    site_as_of,
)
from wholesale_elt.publish.site import version_meant

GONE = "20200101T000000000Z-0123abcd"
"""What a version is called that nobody keeps."""

MONDAY, TUESDAY = "20261123T080000000Z-aaaaaaaa", "20261124T080000000Z-bbbbbbbb"


@pytest.fixture
def kept(published: Path) -> Sequence[Manifest]:
    """Two versions, of two mornings."""
    manifest = find_site(published).manifest
    return [
        replace(manifest, version=version, published_at=f"2026-11-{day}T08:00:00Z")
        for version, day in ((MONDAY, 23), (TUESDAY, 24))
    ]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("current", TUESDAY),
        ("previous", MONDAY),
        (MONDAY, MONDAY),
        ("20261124", TUESDAY),
        ("2026-11-24T08:00:00Z", TUESDAY),
        ("2026-11-24T07:59:59", MONDAY),
        ("2026-11-24T08:59+01:00", MONDAY),
        ("2026-11-24", MONDAY),
        ("20261125", TUESDAY),
        ("2030-01-01", TUESDAY),
    ],
)
def test_a_version_is_meant_by_its_name_or_a_moment_at_which_it_was_in_force(
    kept: Sequence[Manifest], text: str, version: str
) -> None:
    assert version_meant(kept, {}, text).version == version


@pytest.mark.parametrize("text", ["", "soon", "2026112", "2026-13-01", "Current"])
def test_what_is_neither_is_refused_with_what_is_accepted(
    kept: Sequence[Manifest], text: str
) -> None:
    with pytest.raises(Unanswerable) as refused:
        version_meant(kept, {}, text)

    assert not isinstance(refused.value, NotKept)
    assert all(each in str(refused.value) for each in ("`previous`", MONDAY, TUESDAY))


def test_a_moment_before_all_that_is_kept_is_told(kept: Sequence[Manifest]) -> None:
    with pytest.raises(NotKept) as refused:
        version_meant(kept, {}, "2026-11-23")

    assert refused.value.moment == datetime(2026, 11, 23, tzinfo=UTC)
    with pytest.raises(Unanswerable):
        version_meant(kept[:1], {}, "previous")


def test_the_moment_of_a_version_is_that_at_which_it_was_built(published: Path) -> None:
    manifest = find_site(published).manifest
    built_at = datetime.fromisoformat(manifest.built_at)

    assert find_moment(published, manifest.version) == built_at
    assert find_moment(published, manifest.version[:18]) == built_at
    assert find_moment(published, "current") == built_at


@pytest.mark.parametrize("folder", ["published", "nothing"])
def test_a_moment_is_one_also_where_nothing_is_published(
    published: Path, tmp_path: Path, folder: str
) -> None:
    place = published if folder == "published" else tmp_path

    assert find_moment(place, "2026-11-28") == datetime(2026, 11, 28, tzinfo=UTC)
    there = timezone(timedelta(hours=2))
    assert find_moment(place, "2026-11-28T08:00+02:00") == datetime(2026, 11, 28, 8, tzinfo=there)
    for text in ("soon", "previous", ""):
        with pytest.raises(Unanswerable):
            find_moment(place, text)


def test_a_site_shows_the_version_that_is_meant(published: Path, tmp_path: Path) -> None:
    site = find_site(published)

    assert site_as_of(published, None) == site
    assert site_as_of(published, site.manifest.version[:18]) == site
    assert site_as_of(published, "2100-01-01") == site
    with pytest.raises(Unanswerable, match="build --as-of"):
        site_as_of(published, "2020-01-01")
    with pytest.raises(NotPublished):
        site_as_of(tmp_path, "current")


@pytest.mark.parametrize(
    "words",
    [
        ["figures", "sales", "--as-of"],
        ["sql", "from orders", "--as-of"],
        ["tasks", "--as-of"],
        ["why", "sales", "--from"],
        ["why", "sales", "--from", "current", "--to"],
        ["verify", "--version"],
        ["changes", "--since"],
        ["build", "--to", "then.duckdb", "--as-of"],
    ],
)
def test_every_option_that_takes_a_moment_says_what_it_takes(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, [*words, "soon", "--published", str(published)])

    assert done.exit_code == 2
    assert "names neither a version nor a moment" in done.stderr
    gone = CliRunner().invoke(cli, [*words, GONE, "--published", str(published)])
    assert (gone.exit_code, "nor a moment" in gone.stderr, GONE in gone.stderr) == (2, False, True)
    help_ = CliRunner().invoke(cli, [words[0], "--help"]).stdout
    assert "VERSION|MOMENT" in help_
