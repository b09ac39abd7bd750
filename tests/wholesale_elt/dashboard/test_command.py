"""`wholesale dashboard`: it says what is published, and opens it when a person asks."""

import os
import subprocess
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.services.service import WHOLESALE
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import find_site
from wholesale_elt.publish.publisher import Published, publish_marts
from wholesale_elt.publish.site import has_browser


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Published:
    folder = tmp_path_factory.mktemp("dashboards") / "published"
    return publish_marts(built.warehouse, str(folder), is_only_bi=True)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to show."""
    found: list[str] = []

    def show(address: str) -> bool:
        found.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    return found


def unknown_meanings(folder: Path) -> str:
    """The states and terms of the sandbox that no setting explains."""
    return "".join(f"; {each}" for each in find_site(folder).manifest.unknown_states)


def dashboard(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["dashboard", "--published", str(folder), *options])


def test_it_says_where_the_page_is_as_of_when_and_whether_it_is_complete(
    published: Published, opened: list[str]
) -> None:
    folder = Path(published.place)
    as_of = (published.build.as_of or "")[:16].replace("T", " ")

    found, unknown = dashboard(folder), unknown_meanings(folder)
    assert unknown
    assert found.output == f"{folder / 'index.html'}: complete as of {as_of} UTC{unknown}\n"
    assert found.exit_code == 0
    assert opened == []

    assert dashboard(folder, "--no-open").output == found.output
    assert opened == []

    assert dashboard(folder, "--open").output == found.output
    assert opened == [(folder / "index.html").as_uri()]


@pytest.mark.parametrize(
    ("browser", "is_found"),
    [
        (webbrowser.BackgroundBrowser("firefox"), True),
        (webbrowser.Chrome("chromium"), True),
        (webbrowser.GenericBrowser("w3m"), False),
        (webbrowser.Error("could not locate runnable browser"), False),
    ],
)
def test_a_browser_within_the_terminal_is_not_opened_unasked(
    browser: webbrowser.BaseBrowser | webbrowser.Error,
    is_found: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def get() -> webbrowser.BaseBrowser:
        if isinstance(browser, webbrowser.Error):
            raise browser
        return browser

    monkeypatch.setattr(webbrowser, "get", get)
    assert has_browser() is is_found


def test_it_says_what_is_missing_from_an_incomplete_publication(
    marts: Marts, tmp_path: Path, opened: list[str]
) -> None:
    marts.change(
        "update wholesale_bi.rpt_freshness set verdict = 'incomplete', is_complete = false,"
        " reason = 'total_count moved', complete_as_of = null where resource = 'orders'"
    )
    publish_marts(
        marts.warehouse, str(tmp_path / "published"), is_even_if_incomplete=True, is_only_bi=True
    )

    found = dashboard(tmp_path / "published")
    assert found.output == (
        f"{tmp_path / 'published' / 'index.html'}: incomplete as of \u2013;"
        f" orders: total_count moved{unknown_meanings(tmp_path / 'published')}\n"
    )


def test_a_folder_without_a_publication_says_what_to_run(tmp_path: Path, opened: list[str]) -> None:
    found = dashboard(tmp_path, "--open")
    assert found.output.startswith(f"wholesale: {tmp_path} ")
    assert "`wholesale publish`" in found.output
    assert found.exit_code == 1
    assert opened == []


def test_a_machine_without_a_browser_is_told_what_to_open(
    published: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: False)

    found = dashboard(Path(published.place), "--open")
    assert str(Path(published.place) / "index.html") in found.output.splitlines()[-1]
    assert found.exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize(("option", "is_shown"), [((), True), (("--no-open",), False)])
def test_on_a_terminal_it_opens_unless_told_not_to(
    published: Published, tmp_path: Path, option: tuple[str, ...], is_shown: bool
) -> None:
    shown = tmp_path / "shown"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{shown}"\n')
    browser.chmod(0o755)
    ours, theirs = os.openpty()
    try:
        subprocess.run(
            [WHOLESALE, "dashboard", "--published", published.place, *option],
            stdout=theirs,
            env=os.environ | {"BROWSER": f"{browser} %s"},
            check=True,
        )
    finally:
        os.close(theirs)
        os.close(ours)
    assert shown.exists() == is_shown
    if is_shown:
        assert shown.read_text() == (Path(published.place) / "index.html").as_uri()
