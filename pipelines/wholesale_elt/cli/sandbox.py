"""`wholesale sandbox`: the reference service in the foreground."""

from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from wholesale_elt.cli.boundary import error_boundary
from wholesale_elt.cli.output import Output

LIST_SHAPES = ("envelope", "plural", "nested", "bare", "whole", "unpaged")
LIST_ORDERS = ("oldest", "newest", "updated", "shuffled")
PAGINATION_PLACES = ("body", "headers", "nowhere")
ENTRIES = ("plain", "wrapped")
DRIFT_KINDS = (
    *("mixed", "insert", "delete", "edit", "swap", "silent"),
    *("note", "backward", "move"),
)
SHARE = click.FloatRange(0, 1)

RULE_FORM = "NAME[,KEY=VALUE ...]"
FAULT_HELP = (
    "What goes wrong: see --faults. Keys: share=S, resource=R, endpoint=E, first, steady, after=N,"
    " times=N, lasts=S, seconds=S, number=N."
)
PLANT_HELP = "A fault in stored records: see --faults. Keys: resource=R, times=N."


def _by_resource(name: str, choices: tuple[str, ...]) -> Callable[..., Any]:
    return click.option(
        f"--{name}",
        multiple=True,
        metavar=f"[RESOURCE=]{name.rpartition('-')[2].upper()}",
        help=f"{', '.join(choices)}; for all lists or one.",
    )


PORT = click.IntRange(0, 65_535)


@click.command(short_help="Serve the whole API on this machine.")
@click.option("--port", type=PORT, default=8000, show_default=True, help="0: any free port.")
@click.option("--admin-port", type=PORT, default=8001, show_default=True, help="0: any free port.")
@click.option(
    "--api-key", default="sandbox", show_default=True, help="The key that requests must carry."
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="Seed of the made-up business."
)
@click.option(
    "--orders",
    type=click.IntRange(min=0),
    default=10_000,
    show_default=True,
    help="How many orders it has.",
)
@click.option(
    "--last-day",
    type=click.DateTime(["%Y-%m-%d"]),
    default="2026-06-30",
    show_default=True,
    metavar="DATE",
    help="The last day of its two years.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Serve the records in FOLDER/<resource>.jsonl instead, one a line.",
)
@click.option(
    "--database", default=":memory:", show_default=True, help="SQLite file that keeps changes."
)
@click.option("--live", is_flag=True, help="Keep changing records while it serves.")
@click.option(
    "--rate", type=float, default=60.0, show_default=True, help="Changes a minute, with --live."
)
@click.option("--scenario", metavar="NAME", help="A ready-made set of dials: see --scenarios.")
@click.option("--fault", multiple=True, metavar=RULE_FORM, help=FAULT_HELP)
@click.option("--plant", multiple=True, metavar=RULE_FORM, help=PLANT_HELP)
@click.option("--drift", type=SHARE, help="Chance of a change before each request for a list.")
@click.option("--drift-kind", type=click.Choice(DRIFT_KINDS), help="The kind of change.  [mixed]")
@click.option("--drift-resource", multiple=True, help="A resource whose records change.  [orders]")
@click.option("--limit-cap", type=click.IntRange(min=1), help="Largest page served.")
@click.option(
    "--limit-above-cap",
    type=click.Choice(["lowered", "refused", "misplaced", "gapped"]),
    help="What happens to a larger limit.  [lowered]",
)
@click.option("--default-limit", type=click.IntRange(min=1), help="Page size if none is asked.")
@click.option("--first-page", type=click.IntRange(0, 1), help="Number of the first page.  [1]")
@_by_resource("list-shape", LIST_SHAPES)
@_by_resource("list-order", LIST_ORDERS)
@_by_resource("list-pagination", PAGINATION_PLACES)
@_by_resource("list-entries", ENTRIES)
@click.option("--latency", type=click.FloatRange(min=0), help="Seconds before each response.")
@click.option("--throttle-share", type=SHARE, help="Share of requests answered 429.")
@click.option("--throttle-above", type=float, help="Requests a second above which 429 is answered.")
@click.option("--retry-after", type=click.IntRange(min=0), help="Seconds in Retry-After of a 429.")
@click.option(
    "--ban", type=click.FloatRange(min=0), help="Seconds of 403 for ignoring Retry-After."
)
@click.option("--error-share", type=SHARE, help="Share of requests answered with an error.")
@click.option("--error-status", type=click.IntRange(400, 599), help="Status of those errors.")
@click.option("--cut-share", type=SHARE, help="Share of responses cut off in the middle.")
@click.option("--dial-seed", type=int, help="Seed of faults and drift, to repeat them.")
@click.option("--assumptions", is_flag=True, help="List what is assumed, with its §.")
@click.option("--faults", is_flag=True, help="List the faults.")
@click.option("--scenarios", is_flag=True, help="List the scenarios.")
@error_boundary
def sandbox(
    output: Output,
    port: int,
    admin_port: int,
    api_key: str,
    seed: int,
    orders: int,
    last_day: datetime,
    data: Path | None,
    database: str,
    live: bool,
    rate: float,
    scenario: str | None,
    plant: tuple[str, ...],
    assumptions: bool,
    faults: bool,
    scenarios: bool,
    **dials: Any,
) -> None:
    """Serve the whole API on this machine: 56 endpoints, reads and writes, real storage.

    The dials can also be turned while it runs: PATCH /dials on the admin port.
    """
    for module, is_asked in (
        ("contract.assumptions", assumptions),
        ("faults.registry", faults),
        ("faults.scenarios", scenarios),
    ):
        if is_asked:
            click.echo(import_module(f"wholesale_sandbox.{module}").table())
            return
    server = import_module("wholesale_sandbox.server")
    try:
        of_scenario, plants = _scenario(scenario)
        settings = import_module("wholesale_sandbox.settings").SandboxSettings(
            port=port,
            admin_port=admin_port,
            api_key=api_key,
            seed=seed,
            orders=orders,
            last_day=last_day.date(),
            data=data,
            database=database,
            live_per_minute=rate if live else 0.0,
            dials=_together(of_scenario, _dials(dials)),
            plants=(*plants, *map(_rule, plant)),
        )
        server.serve(settings, output.progress)
    except server.SandboxError as error:
        raise click.ClickException(str(error)) from None


def _scenario(name: str | None) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """The dials and plants of the options."""
    if name is None:
        return {}, ()
    scenarios = import_module("wholesale_sandbox.faults.scenarios")
    try:
        chosen = scenarios.scenario_of(name)
    except scenarios.NoSuchScenario as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{name}: {chosen.does}\nmust end with: {chosen.ends}", err=True)
    return dict(chosen.dials), chosen.plants


def _dials(options: dict[str, Any]) -> dict[str, Any]:
    """The options given that are fields of `Dials`."""
    names = {
        "latency": "latency_seconds",
        "retry_after": "throttle_retry_after",
        "ban": "ban_seconds",
        "dial_seed": "seed",
        "drift_resource": "drift_resources",
        "fault": "faults",
    }
    chosen = {}
    for name, value in options.items():
        if value is None or value == ():
            continue
        if name == "fault":
            value = [_rule(text) for text in value]
        elif name.startswith("list_"):
            value = dict(_of_resource(text) for text in value)
        elif isinstance(value, tuple):
            value = list(value)
        chosen[names.get(name, name)] = value
    return chosen


def _together(of_scenario: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Faults add up; other dials override those of the scenario."""
    faults = [*of_scenario.get("faults", ()), *own.get("faults", ())]
    return of_scenario | own | ({"faults": faults} if faults else {})


def _of_resource(value: str) -> tuple[str, str]:
    resource, is_one, choice = value.partition("=")
    return (resource, choice) if is_one else ("*", value)


def _rule(text: str) -> dict[str, Any]:
    """A fault and its keys; `resource` and `endpoint` may be repeated."""
    name, *parts = text.split(",")
    rule: dict[str, Any] = {"fault": name}
    for part in parts:
        key, is_given, value = part.partition("=")
        if key in ("resource", "endpoint"):
            rule.setdefault(f"{key}s", []).append(value)
        else:
            rule[key] = _number(value) if is_given else True
    return rule


def _number(text: str) -> float | str:
    """A number if the text is one; else the dials refuse it."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
