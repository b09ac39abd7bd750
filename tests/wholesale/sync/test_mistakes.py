"""The tests hold every rule of evidence: taken back, each of them makes one fail."""

import os
import shutil
import tomllib
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path

import pytest

import wholesale
from support.paths import ROOT
from support.services.command import run_command

MISTAKES = tomllib.loads((Path(__file__).parent / "mistakes.toml").read_text("utf-8"))["mistake"]
UNUSED = ("-p", "no:cacheprovider", "-p", "no:schemathesis")
"""Plugins; that of schemathesis takes longer to import than most of these tests to run."""
TESTS = """
import sys, pytest
sys.dont_write_bytecode = True  # of a mistake as long as the rule, made within the same second
for name in list(sys.modules):
    if name.partition(".")[0] in ("support", "wholesale", "wholesale_elt", "wholesale_sandbox"):
        del sys.modules[name]  # what was imported before the fork is the package without mistake
raise SystemExit(pytest.main(sys.argv[1:]))
"""
FAILED = 1
"""As pytest exits when tests failed, and not for want of tests or by an error of its own."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, which stands before the installed one."""
    (folder,) = wholesale.__path__
    home = tmp_path_factory.mktemp("mistakes")
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(folder, home / "wholesale", ignore=ignored))


@pytest.mark.parametrize("mistake", MISTAKES, ids=itemgetter("name"))
def test_a_mistake_replaces_one_place_of_its_file(mistake: Mapping[str, str]) -> None:
    (folder,) = wholesale.__path__
    assert (Path(folder) / mistake["file"]).read_text("utf-8").count(mistake["right"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES, ids=itemgetter("name"))
def test_a_rule_that_is_taken_back_makes_a_test_fail(
    package: Path, mistake: Mapping[str, str]
) -> None:
    path = package / mistake["file"]
    text = path.read_text("utf-8")
    path.write_text(text.replace(mistake["right"], mistake["wrong"]), "utf-8")
    tests = [str(ROOT / "tests" / name) for name in mistake["tests"].split()]
    options = ("-x", "-q", *UNUSED, "--numprocesses=0")
    program = f"import sys; sys.path.insert(0, {str(package.parent)!r}){TESTS}"
    try:
        run = run_command([*options, *tests], ROOT, os.environ, program)
    finally:
        path.write_text(text, "utf-8")

    assert run.returncode == FAILED, run.stdout[-2000:]
    assert str(package) in run.stdout or "AssertionError" in run.stdout or "Failed" in run.stdout
