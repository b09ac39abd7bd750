"""Every command takes the global options on both sides of its name, and fails in one line."""

import errno
import logging
import os
from collections.abc import Sequence
from pathlib import Path

import click
import duckdb
import pytest
from click.testing import CliRunner, Result

from support.commands import COMMANDS
from wholesale.errors import ConfigurationError
from wholesale_elt.cli.boundary import error_boundary, warehouse_boundary
from wholesale_elt.cli.main import cli
from wholesale_elt.cli.options import global_options
from wholesale_elt.cli.output import Output
from wholesale_elt.warehouse.destination import Warehouse

GLOBAL = ("--debug", "--quiet", "--log-format")
STOPPED = "stopped"


def interrupted_query() -> Exception:
    """What DuckDB raises when somebody presses Ctrl-C while it works."""
    error = RuntimeError("Query interrupted")
    error.__cause__ = KeyboardInterrupt()
    return error


def invoke(command: click.Command, *words: str) -> Result:
    """Run a command of a group that takes the global options, as `wholesale` does."""
    group = global_options(click.Group("wholesale", commands={"do": command}))
    result: Result = CliRunner().invoke(group, words)
    return result


@click.command()
@error_boundary
def show(output: Output) -> None:
    click.echo(output)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_global_options_stand_in_the_help_of_every_command(name: str) -> None:
    shown = CliRunner().invoke(cli, [*name.split(), "--help"]).output

    assert [option for option in GLOBAL if option not in shown] == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((), (), Output()),
        (("--quiet",), (), Output(is_quiet=True)),
        ((), ("--quiet",), Output(is_quiet=True)),
        (("--debug",), ("--quiet",), Output(is_debug=True, is_quiet=True)),
        (("--log-format", "json"), (), Output(log_format="json")),
        ((), ("--log-format", "json"), Output(log_format="json")),
        (("--log-format", "json"), ("--log-format", "text"), Output(log_format="text")),
        (("--log-format", "text"), ("--log-format", "json"), Output(log_format="json")),
    ],
)
def test_a_global_option_counts_before_and_after_the_command_and_the_later_one_wins(
    before: Sequence[str], after: Sequence[str], said: Output
) -> None:
    assert invoke(show, *before, "do", *after).output == f"{said}\n"


@pytest.mark.parametrize("words", [("--debug", "do"), ("do", "--debug")])
def test_the_log_is_as_loud_as_the_options_say(words: Sequence[str]) -> None:
    invoke(show, *words)
    assert logging.getLogger("wholesale").level == logging.DEBUG
    invoke(show, "do")
    assert logging.getLogger("wholesale").level == logging.WARNING


def test_a_command_gets_the_warehouse_that_its_options_name() -> None:
    @click.command()
    @warehouse_boundary
    def name(output: Output, warehouse: Warehouse) -> None:
        click.echo(warehouse)

    assert invoke(name, "do").output == f"{Warehouse(Path('wholesale.duckdb'))}\n"
    assert invoke(name, "do", "--database", "a.db", "--destination", "postgres").output == (
        f"{Warehouse(Path('a.db'), 'postgres')}\n"
    )


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ConfigurationError("set a key"), 2, "set a key"),
        (KeyboardInterrupt(), 1, STOPPED),
        (interrupted_query(), 1, STOPPED),
        (OSError(28, os.strerror(28)), 1, "no space left on the disk for a.db"),
        (OSError(errno.EFBIG, os.strerror(errno.EFBIG)), 1, "a file may not grow"),
        (
            OSError(28, os.strerror(28), "published/current.json"),
            1,
            "no space left on the disk while",
        ),
        (
            duckdb.TransactionException('Failed to commit: Cannot open file "/a.db.wal": denied'),
            1,
            "a.db cannot be opened",
        ),
        (
            duckdb.IOException('Failed to download extension "ducklake" at URL "http://a"'),
            1,
            "DuckDB's extension ducklake is not installed, and cannot be downloaded:"
            ' `pip install "wholesale-elt[lake]"` installs it',
        ),
        (ValueError("odd"), 1, "ValueError: odd; "),
    ],
)
def test_what_goes_wrong_is_one_line_and_an_exit_code(
    error: BaseException, code: int, line: str
) -> None:
    @click.command()
    @warehouse_boundary
    def fail(output: Output, warehouse: Warehouse) -> None:
        raise error

    result = invoke(fail, "do", "--database", "a.db")

    assert result.exit_code == code
    (shown,) = result.stderr.splitlines()
    assert shown.startswith(f"wholesale: {line}")
    assert ("Traceback" in invoke(fail, "do", "--debug").stderr) == isinstance(error, Exception)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["build", "publish"])
def test_a_command_that_needs_what_was_never_loaded_says_how_to_load_it(
    command: str, tmp_path: Path
) -> None:
    database = tmp_path / "none.duckdb"
    result = CliRunner().invoke(cli, [command, "--database", str(database)])

    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"wholesale: {database} ")
    assert "`wholesale sync`" in line
    assert not database.exists()
