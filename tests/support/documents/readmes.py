"""Documents: the Markdown files of the house, their fenced blocks, and the tables within them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from support.paths import ROOT

FOLDERS = ("sources", "pipelines", "sql", "tests", ".github")
FENCE = re.compile(r" *```(\w*)")
NOT_RUN = re.compile(r"<!-- not run: (.+) -->")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `reason` says why no test runs it, None where one does."""

    language: str
    text: str
    reason: str | None


def documents() -> list[Path]:
    """Every Markdown file that people read, the README at the top first."""
    below = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))
    found = sorted(path for path in below if "{%" not in path.read_text("utf-8"))
    return [ROOT / "README.md", ROOT / "CHANGELOG.md", *found]


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a text, in order.

    The line `<!-- not run: REASON -->` before a block marks one that no test runs.
    """
    lines = iter(text.splitlines())
    before = ""
    for line in lines:
        if fence := FENCE.match(line):
            body = []
            for inner in lines:
                if inner.strip() == "```":
                    break
                body.append(inner)
            reason = NOT_RUN.fullmatch(before)
            yield Block(fence[1], "\n".join(body) + "\n", reason[1] if reason else None)
        before = line


def fill(text: str, tables: Mapping[str, str]) -> str:
    """The text with each table between its `<!-- name -->` and `<!-- /name -->` made anew.

    Raises: ValueError for a table that has no place in the text.
    """
    for name, table in tables.items():
        before, start, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise ValueError(f"the text has no place for the table {name}")
        text = f"{before}{start}{table}\n{end}{after}"
    return text
