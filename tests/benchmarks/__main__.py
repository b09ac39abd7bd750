"""The benchmark: run it as `python -m benchmarks` in the folder `tests`."""

import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.ceiling import measure_ceiling
from benchmarks.contenders import BEFORE, CONTENDERS, Contender
from benchmarks.environments import ROOT, environment
from benchmarks.race import Race
from benchmarks.report import terminal_table
from benchmarks.results import Group, Results, machine, read
from benchmarks.server import free_port
from benchmarks.store import build

CACHE = ROOT / ".benchmarks"


def arguments(given: Sequence[str] | None = None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m benchmarks",
        description="Measure this project and its peers on the same made-up orders, in turns.",
        formatter_class=ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--orders", type=int, nargs="+", default=[10_000], help="sizes")
    add("--latency", type=float, nargs="+", default=[0.0], help="seconds before each answer")
    names = [contender.name for contender in CONTENDERS]
    add("--contenders", choices=names, nargs="+", default=names)
    add("--before", type=Path, metavar="CHECKOUT", help="another checkout takes part, too")
    add("--only-ours", action="store_true", help="ours and the floor")
    add("--second-run", action="store_true", help="also load again after some orders changed")
    add("--no-first-load", action="store_true", help="show second runs only")
    add("--changed", type=float, nargs="+", default=[0.01], help="shares of changed orders")
    add("--repeat", type=int, default=1, help="take turns so many times; the median counts")
    add("--timeout", type=float, default=3600, help="seconds after which a run has failed")
    add("--save", type=Path, metavar="FILE", help="put the results into this JSON file, too")
    return parser.parse_args(given)


def main() -> None:
    chosen = arguments()
    names = ("ours", "floor") if chosen.only_ours else chosen.contenders
    contenders = [contender for contender in CONTENDERS if contender.name in names]
    contenders += [BEFORE] if chosen.before else []
    console = Console(width=None if sys.stdout.isatty() else 160)
    store = build(CACHE / "orders", max(chosen.orders))
    port = free_port()
    ceiling = measure_ceiling(store, max(chosen.orders), port)
    console.print(
        f"the server gives {ceiling.pages:,.0f} pages and {ceiling.bytes / 1e6:,.0f} MB a second"
    )
    programs = partial(environment, CACHE / "environments", before=chosen.before)
    with TemporaryDirectory(prefix="runs-", dir=CACHE) as folder:
        race = Race(Path(folder), programs, port, chosen.repeat, chosen.timeout)
        is_right = True
        for group in groups(race, contenders, store, chosen):
            console.print(terminal_table(group))
            is_right &= not any(row.failure for row in group.rows)
            if chosen.save:
                known = read(chosen.save) if chosen.save.exists() else Results({})
                about = machine() | {"server": asdict(ceiling)}
                Results(about, known.groups).with_group(group).write(chosen.save)
    sys.exit(0 if is_right else 1)


def groups(
    race: Race, contenders: Sequence[Contender], store: Path, chosen: Namespace
) -> Iterator[Group]:
    for orders in chosen.orders:
        if not chosen.no_first_load:
            yield from race.first_loads(contenders, store, orders, chosen.latency)
        if chosen.second_run:
            yield from race.second_runs(contenders, store, orders, chosen.latency, chosen.changed)


if __name__ == "__main__":
    main()
