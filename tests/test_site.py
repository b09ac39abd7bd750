"""The site of all documents leads nowhere that there is not, and asks no other host."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support.documents import links
from support.documents.links import at_source, relinked
from support.paths import README, ROOT

CODE = ROOT / "sources/wholesale"
TEXT = """\
[a](README.md#way), [`b[0]`](sync), [c](#here), [d](https://host.example), [e](gone.md), `f[0](x)`
![g](sync/README.md)
<picture>
  <source srcset="sync/README.md">
  <img alt="h" src="sync/README.md">
</picture>
end
"""


def test_links_of_a_document_lead_to_where_its_targets_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(links, "SOURCE_URL", "https://host.example/us/it")
    text = TEXT.replace("](README.md", "](sync/README.md")

    moved = relinked(text, CODE, at_source(ROOT, "blob"), at_source(ROOT, "raw"))

    blob = "https://host.example/us/it/blob/HEAD/sources/wholesale"
    raw = "https://host.example/us/it/raw/HEAD/sources/wholesale/sync/README.md"
    assert moved == (
        f"[a]({blob}/sync/README.md#way), [`b[0]`]({blob}/sync), [c](#here),"
        " [d](https://host.example), [e](gone.md), `f[0](x)`\n"
        f'![g]({raw})\n<picture>\n  <source srcset="{raw}">\n'
        f'  <img alt="h" src="{raw}">\n</picture>\nend\n'
    )


def test_where_no_place_is_known_links_are_words_and_pictures_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(links, "SOURCE_URL", "")
    nowhere = at_source(ROOT, "blob")

    moved = relinked(README.read_text("utf-8"), ROOT, nowhere, nowhere)

    targets = re.findall(r"\]\(([^)]+)\)", moved)
    assert [target for target in targets if "://" not in target and target[0] != "#"] == []
    assert "<picture>" not in moved
    assert relinked(TEXT, CODE, nowhere, nowhere).endswith("`f[0](x)`\n\nend\n")


class Page(HTMLParser):
    """What a page has: places to lead to, what it leads to, and what a browser fetches for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found["id"]} if "id" in found else set()
        self.links += [found["href"]] if tag == "a" and "href" in found else []
        self.fetched += [found[name] for name in ("src", "srcset", "data") if name in found]
        self.fetched += [found["href"]] if tag == "link" and "href" in found else []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "support.documents.site", "--to", str(folder)]
    done = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def dead(site: Path) -> Iterator[str]:
    """What a page leads to or fetches, and is not there."""
    pages = {path: Page(path.read_text("utf-8")) for path in site.glob("*.html")}
    for path, page in pages.items():
        for target in [*page.links, *page.fetched]:
            parts = urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            to = path.parent / unquote(parts.path) if parts.path else path
            has_place = not parts.fragment or unquote(parts.fragment) in pages[to].ids
            if not to.exists() or not has_place:
                yield f"{path.name}: {target}"


@pytest.mark.slow
def test_every_link_and_anchor_of_the_site_is_there(site: Path) -> None:
    assert list(dead(site)) == []


@pytest.mark.slow
def test_no_page_asks_another_host(site: Path) -> None:
    for path in site.rglob("*.html"):
        fetched = Page(path.read_text("utf-8")).fetched
        assert [url for url in fetched if urlsplit(url).scheme not in ("", "data")] == []
    for path in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)[\s'\"]*(https?:)?//", path.read_text("utf-8")), path


@pytest.mark.slow
def test_the_search_knows_the_words_of_each_document(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")

    assert "certif" in index
    assert len(list(site.glob("*.html"))) > 30
