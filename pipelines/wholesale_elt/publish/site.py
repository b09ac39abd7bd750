"""Site: where the published one is, how it is shown, and which version of it is meant.

Wherever a moment is asked for, the name of a version is one, and the other way round.
"""

import re
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from wholesale.errors import Unanswerable, WholesaleError, legible
from wholesale_elt.dashboard import time_text
from wholesale_elt.publish.manifest import ENTRY, MANIFEST, Manifest
from wholesale_elt.publish.pins import pins_in
from wholesale_elt.publish.store import published_in

CURRENT_VERSION, PREVIOUS = "current", "previous"
VERSION = re.compile(r"\d{8}T\d{9}Z-[0-9a-f]{8}")
"""What a version is called."""
ACCEPTED = (
    f"`{CURRENT_VERSION}`, `{PREVIOUS}`, the name of a version or the beginning of it, or a moment"
    " such as 2026-11-28T08:00:00Z"
)
"""What is accepted in the place of a version or a moment."""


class NotPublished(WholesaleError):
    """There is no site to open."""


class NotKept(Unanswerable):
    """No version is kept that was in force at that moment."""

    def __init__(self, message: str, moment: datetime) -> None:
        super().__init__(message)
        self.moment = moment


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
            f"{published} holds no published version: run `wholesale publish` or `wholesale demo`"
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


def kept_versions(published: Path) -> Sequence[Manifest]:
    """The versions that the folder keeps, up to the one in force, oldest first.

    Raises: NotPublished if there are none.
    """
    published = published.expanduser()
    current = find_site(published).manifest
    found = [
        Manifest.of(path.read_bytes())
        for path in sorted((published / "versions").glob(f"*/{MANIFEST}"))
        if path.parent.name < current.version
    ]
    return [*found, current]


def find_version(published: Path, text: str) -> Manifest:
    """The version of that name, of that beginning if there is one such alone, or the one that was
    in force at that moment; a day is the moment at which it begins, in UTC.

    Raises: NotPublished if the folder holds none; Unanswerable if there is none such; NotKept if
    none of that moment is kept.
    """
    return version_meant(kept_versions(published), _ended(published), text)


def version_meant(kept: Sequence[Manifest], ended: Mapping[str, datetime], text: str) -> Manifest:
    """The same of these versions, some of which `ended` to be in force before the next one that is
    kept began to be.

    Raises: Unanswerable, NotKept.
    """
    if version := _named(kept, ended, text):
        return version
    moment = _read_moment(text)
    if moment is None:
        raise _neither(text, kept)
    in_force = [each for each in kept if datetime.fromisoformat(each.published_at) <= moment]
    if not in_force:
        raise NotKept(
            f"no version that was in force at {text} is kept: the oldest is {kept[0].version}",
            moment,
        )
    found = in_force[-1]
    if found.version in ended and ended[found.version] <= moment:
        raise NotKept(
            f"no version that was in force at {text} is kept: {found.version} was until"
            f" {ended[found.version]:%Y-%m-%dT%H:%M:%SZ}",
            moment,
        )
    return found


def find_moment(published: Path, text: str) -> datetime:
    """The moment that a text names, or at which the version that it names was built.

    Raises: Unanswerable if it names neither.
    """
    try:
        kept = kept_versions(published)
    except NotPublished:  # a moment needs no version
        kept = []
    if version := _named(kept, _ended(published), text):
        return datetime.fromisoformat(version.built_at)
    moment = _read_moment(text)
    if moment is None:
        raise _neither(text, kept)
    return moment


def site_as_of(published: Path, text: str | None) -> Site:
    """The site with the version that is meant; without a text the one in force.

    Raises: NotPublished if the folder holds none; Unanswerable for a version that is not kept.
    """
    site = find_site(published)
    if text is None:
        return site
    try:
        return replace(site, manifest=find_version(published, text))
    except NotKept as error:
        raise Unanswerable(
            f"{error}; `wholesale build --as-of` makes a file of what was so then"
        ) from None


def _ended(published: Path) -> Mapping[str, datetime]:
    """Which pinned versions were followed by one that is removed, and when."""
    pins = pins_in(published.expanduser())
    return {version: pin.ended for version, pin in pins.items() if pin.ended}


def _named(kept: Sequence[Manifest], ended: Mapping[str, datetime], text: str) -> Manifest | None:
    """The version of that name. Raises: Unanswerable for `previous` if that is not kept."""
    if text == CURRENT_VERSION and kept:
        return kept[-1]
    if text == PREVIOUS and kept:
        if len(kept) < 2:
            raise Unanswerable(f"{kept[-1].version} is the only version that is kept")
        if kept[-2].version in ended:
            raise Unanswerable(f"the version before {kept[-1].version} is not kept")
        return kept[-2]
    named = [each for each in kept if each.version == text] or [
        each for each in kept if text and each.version.startswith(text)
    ]
    return named[0] if len(named) == 1 else None


def _read_moment(text: str) -> datetime | None:
    """A moment in ISO 8601, in UTC if it has no offset."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _neither(text: str, kept: Sequence[Manifest]) -> Unanswerable:
    names = ", ".join(each.version for each in kept) or "none is published there"
    is_gone = VERSION.fullmatch(text)
    fault = "is no version that is kept" if is_gone else "names neither a version nor a moment"
    return Unanswerable(f"{legible(text)} {fault}: write {ACCEPTED}; kept: {names}")
