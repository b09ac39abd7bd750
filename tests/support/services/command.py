"""Command: `wholesale` in a process of its own, forked from one that has imported it already.

It has a user's environment, folder, output and exit code. Only the imports, which are most of what
a short command takes, are made once for all of them.
"""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from support.services.service import WHOLESALE

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["support.services.prepared", "support.services.command"])

COMMAND = "from wholesale_elt.cli.main import main; main()"
"""What runs; a program in its place may bend it first, so that it dies where a test wants it to."""


def run_command(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    program: str = COMMAND,
) -> subprocess.CompletedProcess[str]:
    """What it came to, run to its end."""
    with TemporaryDirectory() as printed:
        output, errors = Path(printed) / "output", Path(printed) / "errors"
        process = start_command(arguments, folder, environment, output, errors, program)
        process.join()
        assert process.exitcode is not None
        return subprocess.CompletedProcess(
            arguments, process.exitcode, output.read_text(), errors.read_text()
        )


def start_command(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    errors: Path | None = None,
    program: str = COMMAND,
) -> BaseProcess:
    """Start it in this folder, with what it prints in these files, by default in one."""
    with pytest.MonkeyPatch.context() as patch:  # before 3.13 it is not told where to import from
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    process = SERVER.Process(
        target=_run,
        args=(tuple(arguments), folder, dict(environment), output, errors or output, program),
    )
    process.start()
    return process


def _run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    errors: Path,
    program: str,
) -> None:
    for descriptor, path in ((1, output), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, descriptor)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [WHOLESALE, *arguments]
    exec(program, {"__name__": "__main__"})
