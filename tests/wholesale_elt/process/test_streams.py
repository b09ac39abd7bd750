"""A process that is started without standard streams writes them into no file of its own."""

import errno
import io
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from wholesale_elt.process import streams
from wholesale_elt.process.streams import open_standard_streams

CLOSED = ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "<&- 2>&-"]

WRITE = """
import os, subprocess, sys
from pathlib import Path

from wholesale_elt.cli.main import main

sys.argv = ["wholesale", "--version"]
main()
with Path("warehouse").open("w+b") as warehouse:
    warehouse.write(b"rows")
    warehouse.flush()
    os.write(1, b"said by a library")
    os.write(2, b"said by a library")
    subprocess.run(["sh", "-c", "echo said by a child; echo said by a child >&2"], check=True)
    print("said", sys.stdin.closed)
    print("said", file=sys.stderr)
"""


@pytest.mark.parametrize("closed", CLOSED)
def test_what_is_said_to_a_stream_that_is_closed_reaches_no_file(
    tmp_path: Path, closed: str
) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-c", WRITE]

    ended = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)

    assert ended.returncode == 0
    assert (tmp_path / "warehouse").read_bytes() == b"rows"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_text_that_the_terminal_cannot_show_is_escaped(encoding: str) -> None:
    lines = [
        "import sys",
        "from wholesale_elt.process.streams import open_standard_streams",
        "open_standard_streams()",
        "print('\u6ce8', file=sys.stdout)",
        "print('\u6ce8', file=sys.stderr)",
    ]

    ended = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        check=True,
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )

    assert (ended.stdout, ended.stderr) == (b"\\u6ce8\n", b"\\u6ce8\n")


def test_a_stream_of_a_program_that_calls_this_one_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)

    open_standard_streams()

    assert (sys.stdout, stream.errors) == (stream, None)


def test_a_stream_that_is_closed_is_opened_for_child_processes_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    others = sys.stdout, sys.stderr

    open_standard_streams()

    opened = sys.stdin.fileno()
    try:
        assert (sys.stdin.read(), os.get_inheritable(opened)) == ("", True)
        assert (sys.stdout, sys.stderr) == others
    finally:
        os.close(opened)


@pytest.mark.parametrize(
    ("stream", "name"), [("stdout", "standard output"), ("stderr", "standard error")]
)
def test_a_stream_that_takes_no_more_is_named_by_the_error(
    monkeypatch: pytest.MonkeyPatch, stream: str, name: str
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    errors: list[tuple[int | None, str]] = []
    with suppress(OSError), full.open("w") as nowhere:  # which cannot be closed well
        monkeypatch.setattr(sys, stream, nowhere)
        open_standard_streams()

        with pytest.raises(OSError, match="No space left") as raised:
            print("said", file=nowhere, flush=True)
        errors.append((raised.value.errno, raised.value.filename))
    assert errors == [(errno.ENOSPC, name)]


def test_what_is_written_elsewhere_than_to_a_terminal_of_windows_is_utf_8(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    monkeypatch.setattr(streams, "ENCODING", "utf-8")
    open_standard_streams()

    print("\u6ce8", flush=True)
    assert written.getvalue() == "\u6ce8\n".encode()
