"""A real browser, headless, that notices whatever a page must not do."""

import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZES: Mapping[str, ViewportSize] = {
    "desk": {"width": 1280, "height": 900},
    "tablet": {"width": 1000, "height": 800},
    "phone": {"width": 360, "height": 740},
}
QUIET = (
    "--no-sandbox",  # a container's root may not make one
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

TILES = """all => all.map((tile) =>
    [tile.dataset.tile, tile.querySelector(".figure").dataset.exact ?? null])"""
CELLS = """all => all.flatMap((table) => [...table.querySelectorAll("tr[data-key] [data-metric]")]
    .map((cell) => [table.dataset.by, cell.closest("tr").dataset.key, cell.dataset.metric,
        cell.dataset.exact ?? null]))"""
GO = """hash => new Promise((done) => {
    if (location.hash === hash) done();
    addEventListener("hashchange", () => done(), { once: true });
    location.hash = hash;
})"""
# What is pressed is drawn within a frame, and what that draws asks for is asked in the next.
DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


@contextmanager
def launched() -> Iterator[Browser]:
    """The browser of this machine; it needs one on the path."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert found, f"install a browser: none of {', '.join(BROWSERS)} is on the path"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on a plain web server, at this address."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@dataclass
class Visit:
    """One page in one window; `requests` and `complaints` are all there were so far."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))

    def open(self, view: str = "") -> None:
        """Go to a view, such as `sales?country=Canada`, as from a link somebody sent."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/index.html#/{view}")
        self.settle()

    def go(self, view: str) -> None:
        """Go to another view within the page, as by a link on it."""
        self.page.evaluate(GO, f"#/{view}")
        self.settle()

    def settle(self) -> None:
        """Wait until the page shows what its address says, and what was pressed."""
        self.page.evaluate(DRAWN)
        self.page.wait_for_selector("#app:not([aria-busy])")
        self.page.wait_for_selector("main[aria-busy=false]")

    def foreign_requests(self) -> list[str]:
        """What was asked for and is no file of the site itself."""
        own = (self.address, "about:", "blob:", "data:")
        return [url for url in self.requests if not url.startswith(own)]

    def figures(self) -> dict[str, Decimal | None]:
        """The figures of all tiles that have a name, exact; None where there is none."""
        tiles = self.page.locator("main [data-tile]").evaluate_all(TILES)
        return {name: None if exact is None else Decimal(exact) for name, exact in tiles}

    def cells(self) -> list[tuple[str, str, str, Decimal]]:
        """The figures in tables whose rows are members of a dimension: that, the member, the name
        of the column, and the exact figure."""
        cells = self.page.locator("main table[data-by]").evaluate_all(CELLS)
        return [(*cell, Decimal(exact)) for *cell, exact in cells if exact is not None]

    def figure(self, tile: str) -> Decimal | None:
        """The figure of a tile, exact; None where it has none."""
        exact = self.page.locator(f"[data-tile={tile}] .figure").first.get_attribute("data-exact")
        return None if exact is None else Decimal(exact)
