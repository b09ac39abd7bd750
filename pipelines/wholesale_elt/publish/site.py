"""Site: where the published one is, and how it is shown."""

import webbrowser
from dataclasses import dataclass
from pathlib import Path

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard import time_text
from wholesale_elt.publish.manifest import ENTRY, Manifest
from wholesale_elt.publish.store import published_in


class NotPublished(WholesaleError):
    """There is no site to open."""


@dataclass(frozen=True, slots=True)
class Site:
    """The page at the top of a published folder, and the version that it shows."""

    page: Path
    manifest: Manifest

    def summary(self) -> str:
        """Where it is, as of when, and how far to trust it, in one line."""
        doubts = "".join(f"; {each}" for each in self.manifest.doubts)
        return (
            f"{self.page}: {self.manifest.verdict} as of {time_text(self.manifest.as_of)}{doubts}"
        )

    @property
    def database(self) -> Path:
        """The DuckDB file of that version."""
        return self.page.parent / self.manifest.database.path


def find_site(published: Path) -> Site:
    """The site of the version in force.

    Raises: NotPublished when the folder holds none.
    """
    published = published.expanduser()
    manifest = published_in(published)
    page = published / ENTRY
    if manifest is None or not page.exists():
        raise NotPublished(
            f"{published} holds no published dashboard: run `wholesale publish` or `wholesale demo`"
            " first, or name another folder with --published"
        )
    return Site(page.absolute(), manifest)


def has_browser() -> bool:
    """Whether there is one in a window of its own: one within the terminal would be in the way."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return not isinstance(browser, webbrowser.GenericBrowser) or isinstance(
        browser, webbrowser.BackgroundBrowser
    )


def open_site(site: Site) -> None:
    """Show it in the default browser.

    Raises: WholesaleError when there is none.
    """
    if not webbrowser.open(site.page.as_uri()):
        raise WholesaleError(f"no browser was found: open {site.page} yourself")
