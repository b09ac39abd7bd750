"""How right the windows are in which the next order of a buyer is awaited, beside what others say.

`python -m benchmarks.next_orders` in the folder `tests` prints the tables of README, of the real
order history that ONLINE_RETAIL names and of four worlds that are made up. `--costs FILE` prints
instead what the models take of a build of this warehouse. Peers are asked if they are installed:
`pip install --requirement benchmarks/requirements/next_orders.txt`.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from benchmarks.asking import PROGRAMS, measured
from benchmarks.calls import again, calls, week
from benchmarks.claims import SHARES, claims_of, learned, of_peers
from benchmarks.histories import REAL, SOURCE, WORLDS, history
from benchmarks.told import told
from wholesale_elt.models import read_project
from wholesale_elt.warehouse import DuckDBRaw

WEEK = "2011-11-07"
"""The Monday of the first full week of November 2011."""
AGES = ("6-11", "12-29", "30+")
UNSHOWN = ("1", "2", "3-5")
OURS = ["", "purchases", "50 %", "80 %", "90 %", "amount, 80 %", "days wide, 80 %", "judged, 80 %"]
PEERS = [
    *("", "days off", "50 %", "80 %", "90 %"),
    *("days wide, 50 %", "80 %", "90 %", "pinball"),
]
CALLS = [
    *("", "due: precision", "recall", "a week", "median gap: precision", "recall", "a week"),
    *("lost: precision", "recall", "a week"),
]
AGAIN = [
    *("", "a window open: said", "came", "weeks", "all over: said", "came", "weeks"),
    *("nothing said: came", "weeks"),
]
YEAR = ["", "worst month", "second worst", "best"]


def record(connection: duckdb.DuckDBPyConnection, name: str) -> Iterator[Sequence[str]]:
    """Of ours, as the project judges itself."""
    rows = connection.execute(
        "select member, claimed, 100 * right_share, judged_count, mean_width_days"
        " from (from rpt_forecast_record union all from rpt_forecast_record_totals where is_shown)"
        " where part in ('all', 'age')"
    ).fetchall()
    of = {(member, claimed): rest for member, claimed, *rest in rows}
    for member in ("all", *AGES, *UNSHOWN):
        cells = []
        for claimed in (*map(str, SHARES), "amount"):
            share, judged, _ = of.get((member, claimed), (None, 0, None))
            goal = 80 if claimed == "amount" else int(claimed)
            off = 2 if member == "all" else 5
            is_off = member not in UNSHOWN and share is not None and abs(share - goal) > off
            mark = "**" if is_off else ""
            cells.append("" if not judged else f"{mark}{share:.1f}{mark}")
        _, judged, width = of.get((member, "80"), (None, 0, None))
        title = {"all": "shown"}.get(member, member)
        yield [name, title, *cells, f"{width:.1f}" if width else "", f"{judged:,}"]


def of_year(connection: duckdb.DuckDBPyConnection, name: str) -> Sequence[str]:
    """The worst months of windows of 80 %, of those with a hundred or more, and the best."""
    rows = connection.execute(
        "select member[:7], 100 * right_share from rpt_forecast_record where part = 'month'"
        " and claimed = '80' and is_shown and judged_count >= 100 order by right_share"
    ).fetchall()
    return [name, *(f"{share:.1f} ({month})" for month, share in (*rows[:2], rows[-1]))]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """Markdown; the first columns are texts."""
    rules = ["---"] * texts + ["--:"] * (len(head) - texts)
    full = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *full))


def costs(database: Path, turns: int = 3) -> str:
    """Of the models of forecasts, and of all: processor seconds and peak memory of their SQL on one
    thread; and of `wholesale build --full`."""
    least: dict[str, tuple[float, int]] = {}
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "wholesale.duckdb"
        for _ in range(turns):
            shutil.copy(database, copy)
            for name, cost in _models(copy):
                least[name] = min(least.get(name, cost), cost)
        shutil.copy(database, copy)
        state = database.parent / ".wholesale"
        if state.exists():
            shutil.copytree(state, Path(folder) / ".wholesale")
        build = [str(PROGRAMS / "wholesale"), "build", "--full"]
        whole_build = measured(build, Path(folder), turns)
    ours = {name: cost for name, cost in least.items() if is_of_forecasts(name)}
    cpu, of_all = (sum(each for each, _ in some.values()) for some in (ours, least))
    lines = [
        f"{name}: {seconds:.2f} s, {megabytes} MB" for name, (seconds, megabytes) in ours.items()
    ]
    return "\n".join(
        [
            *lines,
            f"models of forecasts {cpu:.2f} s, {100 * cpu / of_all:.0f} % of {of_all:.2f} s of all,"
            f" peaks {max(peak for _, peak in ours.values())}"
            f" and {max(peak for _, peak in least.values())} MB",
            f"wholesale build --full: {whole_build.cpu:.2f} s of CPU, {whole_build.megabytes} MB,"
            f" exit code {whole_build.code}; {100 * cpu / whole_build.cpu:.0f} % is forecasts",
        ]
    )


def is_of_forecasts(model: str) -> bool:
    told_by = ("forecast", "next_orders", "due_weeks", "due_buyers", "outlook")
    return any(part in model for part in told_by)


def _models(database: Path) -> Iterator[tuple[str, tuple[float, int]]]:
    """Each model with its processor seconds and the most memory of this process meanwhile."""
    raw_tables = import_module("wholesale_elt.models.raw_tables")
    with duckdb.connect(str(database), config={"threads": 1, "memory_limit": "1GB"}) as connection:
        found: dict[str, dict[str, str]] = {}
        for name, column, type_ in connection.execute(
            "select table_name, column_name, lower(replace(data_type, ' ', ''))"
            " from information_schema.columns where table_schema = 'wholesale_raw'"
        ).fetchall():
            found.setdefault(name, {})[column] = type_
        connection.execute("set TimeZone = 'UTC'; create schema bare")
        connection.execute("set search_path = 'bare,wholesale_history,wholesale_staging'")
        for model in raw_tables.declared(read_project(DuckDBRaw.dialect), found).models:
            if model.layer != "staging":
                Path("/proc/self/clear_refs").write_text("5")
                began = time.process_time()
                kind = "view" if model.kind == "view" else "table"
                connection.execute(f"create {kind} bare.{model.name} as {model.sql}")
                seconds = time.process_time() - began
                status = Path("/proc/self/status").read_text()
                peak = int(status.partition("VmHWM:")[2].split()[0]) // 1024
                yield model.name, (seconds, peak)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.next_orders", description=__doc__)
    names = [REAL, *WORLDS]
    parser.add_argument("histories", nargs="*", metavar="HISTORY", default=names)
    parser.add_argument("--seed", type=int, default=1, help="of the worlds that are made up")
    parser.add_argument("--only-ours", action="store_true", help="fit nothing")
    parser.add_argument("--costs", type=Path, metavar="FILE", help="a warehouse of DuckDB")
    chosen = parser.parse_args()
    if chosen.costs:
        print(costs(chosen.costs.absolute()))
        return
    ours, due, active, year, peers = (list[Sequence[str]]() for _ in range(5))
    text = ""
    for name in chosen.histories:
        if name == REAL and not SOURCE.exists():
            print("no order history: ONLINE_RETAIL names its file", file=sys.stderr)
            continue
        print(name, file=sys.stderr)
        with told(history(name, chosen.seed)) as connection:
            ours += record(connection, name)
            due.append(calls(connection, name))
            active.append(again(connection, name))
            year.append(of_year(connection, name))
            if name == REAL:
                text = week(connection, WEEK)
            claims, contenders = claims_of(connection)
        more = [] if chosen.only_ours else learned(claims)
        peers += [[f"*{name}*"], *of_peers(claims, [*contenders, *more])]
    tables = (
        (OURS, ours, 2),
        (YEAR, year, 1),
        (PEERS, peers, 1),
        (CALLS, due, 1),
        (AGAIN, active, 1),
    )
    for head, rows, texts in tables:
        print(table(head, rows, texts=texts), end="\n\n")
    print(text)


if __name__ == "__main__":
    main()
