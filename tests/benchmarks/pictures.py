"""Results as pictures: plain SVG, in greys and one colour that read on white and on dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import log10

TEXT, OTHERS, OURS = "#768390", "#8b949e", "#2da44e"
WIDTH, LEFT, RIGHT = 720, 190, 110
FONT = "font-family='system-ui, sans-serif' font-size='13'"


@dataclass(frozen=True, slots=True)
class Bar:
    """One contender: `value` is its length, `note` what stands behind it."""

    label: str
    value: float
    note: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One contender over several sizes: (orders, value) points."""

    label: str
    points: tuple[tuple[float, float], ...]
    is_ours: bool = False


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Lengths in proportion, nothing cut off."""
    longest = max(row.value for row in rows)
    parts = [_text(0, 16, title, weight=600)]
    for place, row in enumerate(rows):
        top = 34 + place * 28
        length = max(2.0, row.value / longest * (WIDTH - LEFT - RIGHT))
        parts += [
            _text(LEFT - 10, top + 14, row.label, anchor="end", weight=600 if row.is_ours else 400),
            f"<rect x='{LEFT}' y='{top}' width='{length:.1f}' height='18' rx='2' "
            f"fill='{OURS if row.is_ours else OTHERS}'/>",
            _text(LEFT + length + 8, top + 14, row.note),
        ]
    return _svg(34 + 28 * len(rows), title, parts)


def lines(title: str, unit: str, rows: Sequence[Line]) -> str:
    """Both axes in powers of ten, so that a straight line at 45 degrees is a linear cost."""
    height, top, bottom = 346, 40, 300
    every = [point for row in rows for point in row.points]
    across = _Scale([x for x, _ in every], 60, WIDTH - LEFT)
    upward = _Scale([y for _, y in every], bottom, top)
    parts = [_text(0, 16, title, weight=600)]
    for orders in sorted({x for x, _ in every}):
        parts.append(_text(across(orders), bottom + 22, _short(orders), anchor="middle"))
    parts.append(_text(across.end, bottom + 38, "orders", anchor="middle"))
    for value in upward.decades():
        parts += [
            f"<line x1='60' x2='{WIDTH - LEFT}' y1='{upward(value):.1f}' y2='{upward(value):.1f}' "
            f"stroke='{TEXT}' stroke-opacity='0.3'/>",
            _text(52, upward(value) + 4, f"{_short(value)} {unit}", anchor="end"),
        ]
    lowest: dict[float, float] = {}
    for row in sorted(rows, key=lambda row: row.points[-1][1], reverse=True):
        colour = OURS if row.is_ours else OTHERS
        points = " ".join(f"{across(x):.1f},{upward(y):.1f}" for x, y in row.points)
        end_x, end_y = across(row.points[-1][0]), upward(row.points[-1][1])
        # labels of lines that end close together, after as many orders, are moved apart
        label_y = lowest[end_x] = max(end_y + 4, lowest.get(end_x, 0) + 15)
        parts += [
            f"<polyline points='{points}' fill='none' stroke='{colour}' "
            f"stroke-width='{3 if row.is_ours else 1.5}'/>",
            *(
                f"<circle cx='{across(x):.1f}' cy='{upward(y):.1f}' r='3' fill='{colour}'/>"
                for x, y in row.points
            ),
            _text(end_x + 8, label_y, row.label, weight=600 if row.is_ours else 400),
        ]
    return _svg(height, title, parts)


class _Scale:
    """From a number to a place, by its logarithm."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self.low, self.high = log10(min(values)), log10(max(values))
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1.0
        return self.start + (log10(value) - self.low) / span * (self.end - self.start)

    def decades(self) -> list[float]:
        exponents = range(-3, 10)
        return [10.0**power for power in exponents if self.low <= power <= self.high]


def _short(number: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:g} {unit}"
    return f"{number:g}"


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: int = 400) -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-weight='{weight}' "
        f"fill='{TEXT}'>{escape(text)}</text>"
    )


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}' "
        f"width='{WIDTH}' height='{height:.0f}' role='img' {FONT}>\n"
        f"<title>{escape(title)}</title>\n{body}\n</svg>\n"
    )
