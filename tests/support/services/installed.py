"""Packages that the project does not need itself, in an environment of their own."""

import subprocess
import sys
from pathlib import Path

import pytest


def with_package(folder: Path, *packages: str) -> Path:
    """The programs of an environment with these packages, if an index can be reached."""
    place = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    done = subprocess.run(
        [place / "bin/python", "-m", "pip", "install", "-q", *packages],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"{packages[0]} cannot be installed: {done.stderr.strip()[-200:]}")
    return place / "bin"
