"""Command: `wholesale` in a process of its own, forked from one that has imported it already.

It has a user's environment, folder, output and exit code. Only the imports, which are most of what
a short command takes, are made once for all of them.
"""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

from support.services.service import WHOLESALE

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["support.services.imported"])


def start_command(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    errors: Path | None = None,
) -> BaseProcess:
    """Start it in this folder, with what it prints in these files, by default in one."""
    process = SERVER.Process(
        target=_run, args=(tuple(arguments), folder, dict(environment), output, errors or output)
    )
    process.start()
    return process


def _run(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    errors: Path,
) -> None:
    for descriptor, path in ((1, output), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, descriptor)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [WHOLESALE, *arguments]
    from wholesale_elt.cli.main import main

    main()
