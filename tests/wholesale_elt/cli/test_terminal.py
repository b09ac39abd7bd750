"""At a terminal, in a narrow one, behind a pipe: what is shown is whole, and coloured if wished."""

import os
import pty
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.commands import COMMANDS
from support.few import few
from support.services.service import WHOLESALE
from wholesale.api import RESOURCE
from wholesale_elt.cli.main import cli

COLOUR = b"\x1b["


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_whole_at_eighty_columns(name: str) -> None:
    shown = CliRunner().invoke(cli, [*name.split(), "--help"], terminal_width=80).output

    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert name or "..." not in shown.partition("Commands:")[2]


def completed(words: str) -> list[str]:
    """What bash is offered for the last of these words."""
    environment = {
        **os.environ,
        "_WHOLESALE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run([WHOLESALE], env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "offered"),
    few(
        [
            ("wholesale sta", ["status"]),
            ("wholesale sync --ful", ["--full"]),
            ("wholesale sync orders buyer", ["buyers", "buyer_users"]),
            ("wholesale plan ", list(RESOURCE)),
            ("wholesale sync --destination d", ["duckdb", "ducklake"]),
        ],
        2,
    ),
)
def test_the_shell_completes_commands_options_resources_and_destinations(
    words: str, offered: list[str]
) -> None:
    assert completed(words) == offered


def at_a_terminal(folder: Path, **environment: str) -> bytes:
    """What `status` shows where standard output is a terminal."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [WHOLESALE, "status"],
        cwd=folder,
        env=plain | {"TERM": "xterm"} | environment,
        stdout=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                some = os.read(ours, 65_536)
            except OSError:  # so ends a terminal on Linux
                break
            if not some:
                break
            shown += some
        assert process.wait() == 0
    os.close(ours)
    return shown


@pytest.mark.slow
def test_no_colour_where_none_is_wished_or_nobody_looks(tmp_path: Path) -> None:
    assert COLOUR in at_a_terminal(tmp_path)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        shown = at_a_terminal(tmp_path, **{name: value})
        assert b"never synced" in shown
        assert b"\x1b[3" not in shown
    piped = subprocess.run([WHOLESALE, "status"], cwd=tmp_path, capture_output=True, check=True)
    assert COLOUR not in piped.stdout


@pytest.mark.slow
@pytest.mark.parametrize("form", ["", "--json"])
def test_who_reads_a_part_of_the_output_hears_no_complaint(tmp_path: Path, form: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [WHOLESALE, "status", *form.split()], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)

    assert (done.returncode, done.stderr) == (1, b"")
