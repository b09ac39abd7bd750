"""The tests hold every rule of evidence: taken back, each of them makes one fail."""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path

import pytest

import wholesale
from support.paths import ROOT

Mistake = Mapping[str, str]
Tests = subprocess.Popen[str]

MISTAKES = tomllib.loads((Path(__file__).parent / "mistakes.toml").read_text("utf-8"))["mistake"]
TESTS = """
import os, sys
sys.path.insert(0, sys.argv[1])
import anyio.pytest_plugin, hypothesis, pytest, pytest_cov.plugin, respx, xdist.plugin
import wholesale_elt.cli.prepared
for name in list(sys.modules):
    if name.partition(".")[0] in ("support", "wholesale", "wholesale_elt", "wholesale_sandbox"):
        del sys.modules[name]  # was imported for what it imports, and is without mistake
sys.dont_write_bytecode = True  # of a mistake as long as the rule, made within the same second
options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", "--numprocesses=0"]
options += ["-W", "ignore:Module already imported"]
for line in sys.stdin:
    printed, *tests = line.split()
    if not (child := os.fork()):
        file = os.open(printed, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, 1)
        os.dup2(file, 2)
        code = pytest.main([*options, *tests])
        sys.stdout.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Runs tests, each time in a fork that imports our own modules anew, and nothing else.

The plugin of schemathesis is left out: to import it takes longer than most of these tests to run.
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


@pytest.fixture(scope="module")
def tests(package: Path) -> Iterator[Tests]:
    """What runs the tests of lines that are written to it, and answers with their exit codes."""
    command = [sys.executable, "-c", TESTS, str(package.parent)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


@contextmanager
def mistaken(package: Path, mistake: Mistake) -> Iterator[None]:
    path = package / mistake["file"]
    text = path.read_text("utf-8")
    path.write_text(text.replace(mistake["right"], mistake["wrong"]), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


@pytest.mark.parametrize("mistake", MISTAKES, ids=itemgetter("name"))
def test_a_mistake_replaces_one_place_of_its_file(mistake: Mistake) -> None:
    (folder,) = wholesale.__path__
    assert (Path(folder) / mistake["file"]).read_text("utf-8").count(mistake["right"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES, ids=itemgetter("name"))
def test_a_rule_that_is_taken_back_makes_a_test_fail(
    package: Path, tests: Tests, mistake: Mistake, tmp_path: Path
) -> None:
    assert tests.stdin
    assert tests.stdout
    printed = tmp_path / "printed"
    paths = [ROOT / "tests" / name for name in mistake["tests"].split()]
    with mistaken(package, mistake):
        print(printed, *paths, file=tests.stdin, flush=True)
        code = int(tests.stdout.readline())

    output = printed.read_text("utf-8")
    assert code == FAILED, output[-2000:]
    assert str(package) in output or "AssertionError" in output or "Failed" in output
