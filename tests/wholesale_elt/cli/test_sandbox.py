"""The command `wholesale sandbox` offers what the dials take, and refuses in one line."""

from typing import get_args

import pytest
from click.testing import CliRunner

from wholesale_elt.cli import sandbox as options
from wholesale_elt.cli.sandbox import sandbox as command
from wholesale_sandbox.answers.list_shapes import Entries, ListShape, PaginationPlace
from wholesale_sandbox.contract import assumptions
from wholesale_sandbox.faults.dials import DriftKind
from wholesale_sandbox.faults.registry import FAULTS
from wholesale_sandbox.faults.scenarios import table
from wholesale_sandbox.storage.sequence import ListOrder


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


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, arguments)
    return done.exit_code, done.output


def test_the_command_shows_faults_scenarios_and_assumptions() -> None:
    assert [line.split()[0] for line in run("--faults")[1].splitlines()[1:]] == [
        fault.name for fault in FAULTS
    ]
    assert run("--scenarios") == (0, table() + "\n")
    assert run("--assumptions") == (0, assumptions.table() + "\n")


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
