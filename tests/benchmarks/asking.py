"""Asking: what a question about what is published costs, beside DuckDB alone with the same SQL.

`python -m benchmarks.asking FOLDER ...` in the folder `tests` asks in each folder, in which
`published` and `wholesale.duckdb` lie; `--turns N` takes the least of so many.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

PROGRAMS = Path(sys.executable).parent
QUESTIONS: Mapping[str, Sequence[str]] = {
    "figures": ("figures", "sales", "orders", "--by", "vendor", "--grain", "month"),
    "sql": ("sql", "select count(*), sum(total) from orders"),
    "why": ("why", "sales", "--from", "current", "--by", "vendor"),
    "tasks": ("tasks",),
    "verify ANSWER": ("verify", "{answer}"),
    "changes": ("changes",),
    "status": ("status",),
}
ASKED = (
    "import sys, duckdb; duckdb.connect(sys.argv[1], read_only=True).sql(sys.argv[2]).fetchall()"
)
"""The same statement by DuckDB in Python."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor seconds and the most memory of a process, and how it ended."""

    cpu: float
    megabytes: int
    code: int


def measured(command: Sequence[str], folder: Path, turns: int = 1) -> Cost:
    """The cheapest of so many processes. Linux counts at least the memory of the one that starts
    another, so this one is to be small."""
    return min((_once(command, folder) for _ in range(turns)), key=lambda cost: cost.cpu)


def _once(command: Sequence[str], folder: Path) -> Cost:
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, process.returncode)


def costs(folder: Path, turns: int = 1) -> dict[str, Cost]:
    """Of each question, and of the statement of the first one in DuckDB."""
    wholesale = str(PROGRAMS / "wholesale")
    asked = subprocess.run(
        [wholesale, *QUESTIONS["figures"], "--json"], cwd=folder, stdout=subprocess.PIPE, check=True
    ).stdout
    database, statement = "published/wholesale.duckdb", json.loads(asked)["statement"]
    with TemporaryDirectory() as kept:
        answer = Path(kept) / "answer.json"
        answer.write_bytes(asked)
        commands = {
            name: [wholesale, *(word.format(answer=answer) for word in words)]
            for name, words in QUESTIONS.items()
        }
        commands["DuckDB in Python"] = [sys.executable, "-c", ASKED, database, statement]
        commands["DuckDB's shell"] = ["duckdb", "-readonly", database, "-c", statement]
        return {name: measured(command, folder, turns) for name, command in commands.items()}


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.asking", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--turns", type=int, default=3, help="how often each is asked")
    asked = parser.parse_args()
    table = Table("question", *(f"{folder.name}: CPU s, MB" for folder in asked.folders))
    found = [costs(folder, asked.turns) for folder in asked.folders]
    for name in found[0]:
        each = (cost[name] for cost in found)
        table.add_row(name, *(f"{cost.cpu:.2f}, {cost.megabytes}" for cost in each))
    Console().print(table)


if __name__ == "__main__":
    main()
