"""Pages: what the first view of each page of a published dashboard costs a reader.

`python -m benchmarks.pages --published FOLDER` in the folder `tests` opens each page in a browser
that has nothing kept; `--before FOLDER` opens those of another publication in the same turns.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from os import getloadavg
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlsplit

import duckdb
from playwright.sync_api import Browser, Page
from rich.console import Console
from rich.table import Table

from support.warehouses.browsing import Visit, launched

VIEWS = (
    *("today", "sales", "buyers", "products", "vendors", "orders", "fulfilment", "explore"),
    *("changes", "health"),
)
THEN = {
    "sales": (
        "?period=this_year",
        "?state={state}",
        "?vendor={vendor}",
        "?compare=period",
        "?by=product",
    ),
    "products": ("?period=this_year", "?vendor={vendor}", "?compare=period", "?by=category"),
    "buyers": ("?period=this_year", "?vendor={vendor}", "?compare=period"),
    "vendors": ("?period=this_year", "?state={state}", "?compare=period"),
    "orders": ("?period=this_year", "?vendor={vendor}"),
    "explore": (
        *("?period=this_year", "?state={state}", "?compare=period"),
        *("?metric=product_sales&by=product", "?metric=product_sales&by=category&across=state"),
    ),
}
"""What is asked for on a page afterwards: other periods, filters, comparisons, dimensions."""
LONGEST = """
    window.longest = 0;
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries())
            window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask", buffered: true });
"""
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Costs:
    """Of one view: bytes and files that were read, CPU seconds of the process that draws it, with
    its workers, and of its main thread alone, milliseconds of the longest task there by the clock
    and of CPU time, when it was no longer busy, and the memory of that process in the end. On a
    busy machine a clock tells more than the page takes."""

    megabytes: float
    files: int
    cpu: float
    main: float
    longest: float
    longest_cpu: float
    ready: float
    memory: float


class Measured:
    """A window, and what it has cost so far."""

    def __init__(self, browser: Browser, page: Page, address: str) -> None:
        self.visit = Visit(page, address)
        self._browser = browser
        self._processes = browser.new_browser_cdp_session()
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(LONGEST)
        page.goto("about:blank")

    def view(self, view: str, *, is_first: bool) -> Costs:
        self._browser.start_tracing(categories=["toplevel"])
        read, cpu, main = len(self.visit.requests), self._cpu(), 0.0 if is_first else self._main()
        start = monotonic()
        if is_first:
            self.visit.open(view)
        else:
            self.visit.page.evaluate("window.longest = 0")
            self.visit.go(view)
        ready = monotonic() - start
        self.visit.page.wait_for_timeout(300)
        cpu, main = self._cpu() - cpu, self._main() - main
        files = self.visit.requests[read:]
        return Costs(
            megabytes=sum(map(size_of, files)) / MEGABYTE,
            files=len(files),
            cpu=cpu,
            main=main,
            longest=self.visit.page.evaluate("window.longest"),
            longest_cpu=longest_in(self._browser.stop_tracing()),
            ready=ready,
            memory=sum(memory_of(each["id"]) for each in self._drawing()) / MEGABYTE,
        )

    def _cpu(self) -> float:
        return sum(float(each["cpuTime"]) for each in self._drawing())

    def _drawing(self) -> Sequence[Mapping[str, Any]]:
        found = self._processes.send("SystemInfo.getProcessInfo")["processInfo"]
        return [each for each in found if each["type"] == "renderer"]

    def _main(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")


def longest_in(trace: bytes) -> float:
    """Milliseconds of CPU time of the longest task of a main thread."""
    events = json.loads(trace)["traceEvents"]
    main = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    tasks = (each for each in events if (each["pid"], each["tid"]) in main)
    return max((each.get("tdur", 0) / 1000 for each in tasks if each["ph"] == "X"), default=0.0)


def size_of(url: str) -> int:
    """Bytes of a file that was read from a disk; of what is made in the page there are none."""
    place = urlsplit(url)
    return Path(unquote(place.path)).stat().st_size if place.scheme == "file" else 0


def memory_of(process: int) -> int:
    """Bytes of a process, of those that it shares its part; 0 where the system does not tell."""
    place = Path(f"/proc/{process}/smaps_rollup")
    lines = place.read_text().splitlines() if place.exists() else []
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


@contextmanager
def window(browser: Browser, published: Path) -> Iterator[Measured]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        yield Measured(browser, context.new_page(), published.resolve().as_uri())
    finally:
        context.close()


def members_of(published: Path) -> dict[str, str]:
    """A vendor, a buyer and a state with many orders, for filters and pages of their own."""
    with duckdb.connect(str(published / "wholesale.duckdb"), read_only=True) as connection:
        return {
            name: str(
                connection.sql(
                    f"select {column} from wholesale_marts.fct_orders where {column} is not null"
                    " group by all order by count(*) desc, 1 limit 1"
                ).fetchall()[0][0]
            )
            for name, column in {
                "vendor": "vendor_id",
                "buyer": "buyer_id",
                "state": "concat_ws('-', shipping_country, shipping_state)",
            }.items()
        }


def measure(
    browser: Browser, published: Path, views: Sequence[str], *, has_more: bool
) -> dict[str, Costs]:
    found = {}
    members = members_of(published)
    for view in views:
        with window(browser, published) as measured:
            found[view] = measured.view(view.format(**members), is_first=True)
            for each in THEN.get(view, ()) if has_more else ():
                then = f"{view}{each}"
                found[f"… {then}"] = measured.view(then.format(**members), is_first=False)
    return found


def middle(all_costs: Sequence[Costs]) -> Costs:
    return Costs(*(median(getattr(each, f.name) for each in all_costs) for f in fields(Costs)))


def table(title: str, costs: dict[str, Costs]) -> Table:
    shown = Table(title=title)
    for column in (
        *("", "MB", "files", "CPU s", "main s"),
        *("longest ms", "its CPU ms", "ready s", "memory MB"),
    ):
        shown.add_column(column, justify="right" if column else "left", no_wrap=True)
    for view, each in costs.items():
        shown.add_row(
            view,
            f"{each.megabytes:.2f}",
            f"{each.files:.0f}",
            f"{each.cpu:.2f}",
            f"{each.main:.2f}",
            f"{each.longest:.0f}",
            f"{each.longest_cpu:.0f}",
            f"{each.ready:.2f}",
            f"{each.memory:.0f}",
        )
    return shown


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--published", type=Path, required=True, help="the folder of a publication")
    parser.add_argument("--before", type=Path, help="another one, measured in the same turns")
    parser.add_argument("--views", nargs="+", default=VIEWS, help="only these, as buyer/{buyer}")
    parser.add_argument("--repeat", type=int, default=1, help="turns; the median counts")
    parser.add_argument("--more", action="store_true", help="other periods and filters, too")
    parser.add_argument("--save", type=Path, help="a JSON file for the results")
    chosen = parser.parse_args()
    folders = [folder for folder in (chosen.before, chosen.published) if folder]
    turns: dict[Path, list[dict[str, Costs]]] = {folder: [] for folder in folders}
    with launched() as browser:
        for _ in range(chosen.repeat):
            for folder in folders:
                turns[folder].append(measure(browser, folder, chosen.views, has_more=chosen.more))
    found = {
        str(folder): {view: middle([turn[view] for turn in all_turns]) for view in all_turns[0]}
        for folder, all_turns in turns.items()
    }
    for folder_name, costs in found.items():
        Console(width=140).print(table(f"{folder_name}, load {getloadavg()[0]:.1f}", costs))
    if chosen.save:
        written = {
            folder_name: {view: asdict(each) for view, each in costs.items()}
            for folder_name, costs in found.items()
        }
        chosen.save.write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main()
