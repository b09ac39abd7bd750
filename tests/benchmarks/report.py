"""Results as tables: on the terminal, and as Markdown for README."""

from collections.abc import Iterable, Sequence

from rich.table import Table

from benchmarks.contenders import CONTENDER
from benchmarks.results import Group, Results, Row

OURS = "ours"
FLOOR = "floor"


def title(group: Group) -> str:
    latency = f", {group.latency * 1000:.0f} ms a request" if group.latency else ""
    if group.changed is None:
        return f"First load of {group.orders:,} orders{latency}"
    return f"Second run, {group.changed:.0%} of {group.orders:,} orders changed{latency}"


def terminal_table(group: Group) -> Table:
    """Every contender; of one that failed also what is wrong."""
    table = Table(
        *("", "wall s", "CPU s", "peak MB", "requests", "MB read"),
        *("wall/ours", "CPU/ours", "peak/ours", "other CPU s", "money as"),
        title=title(group),
        title_justify="left",
    )
    for column in table.columns[1:]:
        column.justify = "right"
    ours = group.row(OURS)
    for row in group.rows:
        table.add_row(
            CONTENDER[row.name].title,
            *_costs(row),
            *_ratios(row, ours),
            _ratio(row.peak, ours.peak) if ours else "",
            seconds(row.other),
            row.money,
            style="red" if row.failure else None,
        )
    table.caption = "\n".join([*failures(group), *floors(group)]) or None
    table.caption_justify = "left"
    return table


def contender_table(group: Group) -> str:
    """Markdown, one row a contender, slowest first."""
    ours = group.row(OURS)
    rows = sorted(group.rows, key=lambda row: -row.wall)
    return _markdown(
        (
            *("", "wall s", "CPU s", "peak MB", "requests", "MB read"),
            *("wall : ours", "CPU : ours", "other CPU s"),
        ),
        (
            (
                f"{_bold(row)}{' **failed**' if row.failure else ''}",
                *_costs(row),
                *_ratios(row, ours),
                seconds(max(0.0, row.other)),
            )
            for row in rows
        ),
    )


def cost_table(results: Results) -> str:
    """Markdown, one row a measurement of ours."""
    rows = ((group, group.row(OURS), group.row(FLOOR)) for group in results.groups)
    return _markdown(
        ("", "wall s", "CPU s", "peak MB", "requests", "MB read", "orders/s", "wall : floor"),
        (
            (
                title(group),
                *_costs(ours),
                f"{group.orders / ours.wall:,.0f}",
                _ratio(ours.wall, floor.wall) if floor else "",
            )
            for group, ours, floor in rows
            if ours
        ),
    )


def failures(group: Group) -> list[str]:
    return [
        f"{CONTENDER[row.name].title} FAILED: {row.failure}" for row in group.rows if row.failure
    ]


def floors(group: Group) -> list[str]:
    return [
        "the floor: " + ", ".join(f"{part} {seconds(spent)} s" for part, spent in row.parts.items())
        for row in group.rows
        if row.parts
    ]


def seconds(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}"


def _costs(row: Row) -> tuple[str, ...]:
    return (
        seconds(row.wall),
        seconds(row.cpu),
        f"{row.peak / 1e6:,.0f}",
        f"{row.requests:,}",
        f"{row.bytes / 1e6:,.0f}",
    )


def _ratios(row: Row, ours: Row | None) -> tuple[str, ...]:
    if ours is None:
        return "", ""
    return _ratio(row.wall, ours.wall), _ratio(row.cpu, ours.cpu)


def _ratio(value: float, ours: float) -> str:
    times = value / ours
    return f"{times:.2f}" if times < 10 else f"{times:.0f}"


def _bold(row: Row) -> str:
    name = CONTENDER[row.name].title
    return f"**{name}**" if row.name == OURS else name


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
