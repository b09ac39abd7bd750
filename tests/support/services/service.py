"""The sandbox in a process of its own, started by the command that users start it with."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WHOLESALE = str(Path(sys.executable).parent / "wholesale")


@dataclass(frozen=True, slots=True)
class Service:
    """Where a sandbox answers: `base_url` is the API's, `admin_url` that of its admin surface."""

    base_url: str
    admin_url: str


@contextmanager
def serving(*options: str) -> Iterator[Service]:
    """`wholesale sandbox` with these options, on free ports, until the block ends."""
    command = [WHOLESALE, "sandbox", "--port", "0", "--admin-port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = ""
            while len(found := re.findall(r"http://\S+\n", said)) < 2:
                line = process.stderr.readline()
                assert line, f"the sandbox said: {said}"
                said += line
            yield Service(*map(str.strip, found))
        finally:
            process.terminate()
            process.wait()
            assert process.returncode == 0


@contextmanager
def served(*options: str) -> Iterator[str]:
    """Base URL of a sandbox as `serving` starts it, for tests that only read."""
    with serving(*options) as service:
        yield service.base_url
