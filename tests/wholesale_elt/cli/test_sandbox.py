"""The command `wholesale sandbox` offers what the dials take, and refuses in one line."""

from typing import get_args, get_type_hints

import click
import pytest
from click.testing import CliRunner
from msgspec import Meta

from wholesale_elt.cli import sandbox as options
from wholesale_elt.cli.sandbox import sandbox as command
from wholesale_sandbox.contract import assumptions
from wholesale_sandbox.faults.dial_values import DriftKind
from wholesale_sandbox.faults.dials import Dials
from wholesale_sandbox.faults.registry import FAULTS
from wholesale_sandbox.faults.scenarios import table
from wholesale_sandbox.responses.list_shapes import Entries, ListShape, PaginationPlace
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.sequence import ListOrder

DIALS = get_type_hints(Dials, include_extras=True)
OPTIONS = {option.name: option for option in command.params}


@pytest.mark.parametrize(
    ("choices", "taken"),
    [
        (options.LIST_SHAPES, ListShape),
        (options.LIST_ORDERS, ListOrder),
        (options.PAGINATION_PLACES, PaginationPlace),
        (options.ENTRIES, Entries),
        (options.DRIFT_KINDS, DriftKind),
    ],
)
def test_the_command_offers_what_the_dial_takes(choices: tuple[str, ...], taken: object) -> None:
    assert choices == get_args(taken)


def test_what_may_become_of_a_limit_above_the_cap_is_what_the_dial_takes() -> None:
    offered = OPTIONS["limit_above_cap"].type
    assert isinstance(offered, click.Choice)
    assert tuple(offered.choices) == get_args(DIALS["limit_above_cap"])


def bounds(dial: str) -> tuple[float | None, float | None]:
    """The least and the largest number that a dial takes."""
    for hint in (DIALS[dial], *get_args(DIALS[dial])):
        for meta in getattr(hint, "__metadata__", ()):
            if isinstance(meta, Meta):
                return meta.ge, meta.le
    values = get_args(DIALS[dial])
    return min(values), max(values)


@pytest.mark.parametrize(
    ("option", "dial"),
    [
        ("drift", "drift"),
        ("limit_cap", "limit_cap"),
        ("default_limit", "default_limit"),
        ("first_page", "first_page"),
        ("latency", "latency_seconds"),
        ("throttle_share", "throttle_share"),
        ("retry_after", "throttle_retry_after"),
        ("ban", "ban_seconds"),
        ("error_share", "error_share"),
        ("error_status", "error_status"),
        ("cut_share", "cut_share"),
    ],
)
def test_the_range_of_a_number_is_that_of_its_dial(option: str, dial: str) -> None:
    offered = OPTIONS[option].type
    assert isinstance(offered, click.IntRange | click.FloatRange)
    assert (offered.min, offered.max) == bounds(dial)


@pytest.mark.parametrize("name", ["api_key", "seed", "database"])
def test_a_default_is_that_of_the_sandbox(name: str) -> None:
    assert OPTIONS[name].default == getattr(SandboxSettings(), name)


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, arguments)
    return done.exit_code, done.output


def test_the_command_shows_faults_scenarios_and_assumptions() -> None:
    assert [line.split()[0] for line in run("--faults")[1].splitlines()[1:]] == [
        fault.name for fault in FAULTS
    ]
    assert run("--scenarios") == (0, table() + "\n")
    assert run("--assumptions") == (0, assumptions.table() + "\n")


def test_a_fault_of_ones_own_joins_those_of_the_scenario() -> None:
    own = {"faults": [{"fault": "html"}], "drift": 0.1}
    of_scenario = {"faults": [{"fault": "404"}], "drift": 0.3, "limit_cap": 40}

    assert options._together(of_scenario, own) == {
        "faults": [{"fault": "404"}, {"fault": "html"}],
        "drift": 0.1,
        "limit_cap": 40,
    }
    assert options._together({}, {"drift": 0.1}) == {"drift": 0.1}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--scenario", "calm"], "no scenario is called calm"),
        (["--fault", "calm"], "there is no calm; `wholesale sandbox --faults` shows them"),
        (["--fault", "html,share=often"], "Expected `float`, got `str`"),
        (["--fault", "html,resource=order"], "there is no order"),
        (["--fault", "id-null"], "id-null is one of stored records"),
        (["--plant", "html"], "no stored record can have html"),
        (["--plant", "id-null,times=x"], "Expected `int`, got `str`"),
        (["--list-pagination", "orders=footer"], "dial list_pagination"),
        (["--drift-resource", "order"], "dial drift_resources"),
    ],
)
def test_the_command_refuses_in_one_line(arguments: list[str], told: str) -> None:
    code, output = run("--orders", "3", "--port", "0", "--admin-port", "0", *arguments)

    assert code == 1
    assert told in output
    assert len(output.splitlines()) == 1
