"""What once failed, or reaches far, holds now: every seed is tried in each run of the tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.__main__ import SEEDS, TESTS
from fuzz.targets import TARGETS


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name == "syncs" else name for name in TARGETS],
)
def test_no_seed_breaks_its_target(name: str) -> None:
    seeds = sorted((SEEDS / name).iterdir())
    assert seeds
    for seed in (b"", *(path.read_bytes() for path in seeds)):
        TARGETS[name](seed)


@pytest.mark.long
def test_nothing_is_found_in_half_a_minute(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="there is no atheris for this machine")
    command = [sys.executable, "-m", "fuzz", "--minutes", "0.5", "--findings", str(tmp_path)]
    done = subprocess.run(command, cwd=TESTS, env=os.environ, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []
