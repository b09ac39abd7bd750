"""Packages that the project does not need itself, in an environment of their own."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def with_package(folder: Path, *packages: str) -> Path:
    """The programs of an environment with these packages, if an index can be reached."""
    uv = shutil.which("uv")
    if not uv:
        pytest.skip("uv, which makes the environment, is not installed")
    place = folder / "environment"
    subprocess.run([uv, "venv", "-q", "-p", sys.executable, place], check=True)
    done = subprocess.run(
        [uv, "pip", "install", "-q", "-p", place / "bin/python", *packages],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"{packages[0]} cannot be installed: {done.stderr.strip()[-200:]}")
    return place / "bin"
