"""Staying: what a run costs that finds nothing changed, called anew and repeated by `--every`.

Run it as `python -m benchmarks.staying` in the folder `tests`. The service is the sandbox, in the
process of the benchmark, which is not counted.
"""

import os
import subprocess
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measure import TICKS, children_of, run
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

WHOLESALE = Path(sys.executable).parent / "wholesale"
ENDED = "the next run begins at "
USED_BY_CHILDREN = slice(13, 15)
"""Fields of `/proc/PID/stat` after the name: user and system time of children that have ended."""


def main() -> None:
    parser = ArgumentParser(
        prog="python -m benchmarks.staying",
        description="Measure what a run costs that is called anew, and one that is repeated.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--orders", type=int, default=10_000, help="size")
    parser.add_argument("--runs", type=int, default=5, help="of each kind; the median counts")
    chosen = parser.parse_args()
    with (
        TemporaryDirectory(prefix="staying-") as name,
        Sandbox(SandboxSettings(orders=chosen.orders)) as sandbox,
    ):
        variables = os.environ | {
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        command = f"{WHOLESALE} run --quiet"
        first, *others = [
            run(command, Path(name), variables, timeout=3600).cpu for _ in range(chosen.runs + 1)
        ]
        repeated = median(repeated_runs(Path(name), variables, chosen.runs))
    anew = median(others)
    print(f"{chosen.orders:,} orders, CPU time: a first run {first:.2f} s")
    print(f"where nothing changed, called anew {anew:.2f} s ({anew / first:.2f} of the first)")
    print(f"where nothing changed, repeated {repeated:.2f} s ({repeated / first:.2f} of the first)")


def repeated_runs(folder: Path, variables: Mapping[str, str], runs: int) -> Iterator[float]:
    """The processor time of so many runs, each of which begins when the one before has ended."""
    with subprocess.Popen(
        [WHOLESALE, "run", "--every", "0.0001"],
        cwd=folder,
        env=dict(variables),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        ended = (line for line in process.stderr if line.startswith(ENDED))
        used = [_used_by_runs(process.pid) for _ in zip(range(runs + 1), ended, strict=False)]
        process.terminate()
        process.stderr.read()
    yield from (now - before for before, now in pairwise(used))


def _used_by_runs(pid: int) -> float:
    """Seconds that the runs of this process used: they are children of one of its children."""
    ticks = 0
    for child in children_of(pid):
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2].split()
        ticks += sum(map(int, fields[USED_BY_CHILDREN]))
    return ticks / TICKS


if __name__ == "__main__":
    main()
