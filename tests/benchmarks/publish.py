"""The tables and pictures of README that come from results.

`python -m benchmarks.publish` in the folder `tests` makes them anew from `results.json`.
"""

from collections.abc import Mapping
from pathlib import Path

from benchmarks.contenders import CONTENDER
from benchmarks.pictures import Bar, Line, bars, lines
from benchmarks.report import (
    FLOOR,
    OURS,
    contender_table,
    cost_table,
    failures,
    floors,
    seconds,
    title,
)
from benchmarks.results import Group, Results, read
from support.documents import readmes

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PICTURES = HERE / "pictures"
README = HERE / "README.md"
STOCK = "dlt"
"""The contender that everything is compared with: a group without it tells too little."""


def pictures(results: Results) -> Mapping[str, str]:
    """Name of the file, and the picture."""
    first, second = first_load(results), second_run(results)
    loaded = [row for row in first.rows if not row.failure and row.name != FLOOR]
    by_peak = sorted(loaded, key=lambda row: -row.peak)
    return {
        "first-load.svg": bars(title(first), _walls(first)),
        "second-run.svg": bars(title(second), _walls(second)),
        "memory.svg": bars(
            f"Peak memory: {title(first).lower()}",
            [
                Bar(_title(row.name), row.peak, f"{row.peak / 1e6:,.0f} MB", row.name == OURS)
                for row in by_peak
            ],
        ),
        "growth.svg": lines(
            "First load: seconds for so many orders",
            "s",
            [Line(_title(name), points, name == OURS) for name, points in _growth(results)],
        ),
    }


def fill(text: str, results: Results) -> str:
    """The text with each of its tables of results made anew."""
    first, second = first_load(results), second_run(results)
    return readmes.fill(
        text,
        {
            "first load": f"{_machine(results)}\n\n{_table(first)}",
            "second run": _table(second),
            "costs": cost_table(results),
        },
    )


def first_load(results: Results) -> Group:
    """The largest without latency that stock dlt took part in."""
    return max(
        (g for g in results.groups if g.changed is None and not g.latency and g.row(STOCK)),
        key=lambda group: group.orders,
    )


def second_run(results: Results) -> Group:
    """The largest that stock dlt took part in, with the most latency."""
    return max(
        (group for group in results.groups if group.changed and group.row(STOCK)),
        key=lambda group: (group.orders, group.latency),
    )


def _table(group: Group) -> str:
    notes = [f"{note}  " for note in (*failures(group), *floors(group))]
    return "\n".join(
        [f"{title(group)}:", "", contender_table(group), *(["", *notes] if notes else [])]
    )


def _machine(results: Results) -> str:
    about = results.machine
    return (
        f"{about['processor']}, {about['cores']} cores, {about['memory_gb']} GB, Python "
        f"{about['python']}. The server alone gives {about['server']['pages']:,.0f} pages, "
        f"{about['server']['bytes'] / 1e6:,.0f} MB a second."
    )


def _walls(group: Group) -> list[Bar]:
    rows = sorted((row for row in group.rows if not row.failure), key=lambda row: -row.wall)
    return [
        Bar(_title(row.name), row.wall, f"{seconds(row.wall)} s", row.name == OURS) for row in rows
    ]


def _growth(results: Results) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    groups = [g for g in results.groups if g.changed is None and not g.latency]
    found = {
        name: tuple((group.orders, row.wall) for group in groups if (row := group.row(name)))
        for name in CONTENDER
    }
    return [(name, points) for name, points in found.items() if points]


def _title(name: str) -> str:
    return CONTENDER[name].title


def main() -> None:
    results = read(RESULTS)
    for name, picture in pictures(results).items():
        (PICTURES / name).write_text(picture, "utf-8")
    README.write_text(fill(README.read_text("utf-8"), results), "utf-8")


if __name__ == "__main__":
    main()
