"""What people do daily is written once: tasks, hooks and the CI run the same commands."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
TASKS: dict[str, Any] = PROJECT["tool"]["poe"]["tasks"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
CI = (ROOT / ".ci/run").read_text("utf-8")
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
CONTRIBUTING = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")
BESIDE = str(Path(sys.executable).parent)
"""Where the tools of this environment are, activated or not."""


def commands(task: dict[str, Any]) -> list[str]:
    """What a task runs, tasks that it names included."""
    if "cmd" in task:
        return [task["cmd"]]
    steps = (TASKS[step] if isinstance(step, str) else step for step in task["sequence"])
    return [command for step in steps for command in commands(step)]


def test_every_task_says_what_it_is_for_and_runs_what_is_installed() -> None:
    for name, task in TASKS.items():
        assert task["help"], name
        for command in commands(task):
            assert shutil.which(shlex.split(command)[0], path=BESIDE), command


def test_the_tasks_that_are_named_are_tasks_there_are() -> None:
    named = re.findall(r"\bpoe (\w+)", CI + CONTRIBUTING)

    assert set(named) <= TASKS.keys()


def test_a_commit_runs_nothing_that_is_downloaded() -> None:
    assert [repository["repo"] for repository in HOOKS["repos"]] == ["local"]
    for hook in HOOKS["repos"][0]["hooks"]:
        assert hook["language"] == "system"
        assert shutil.which(shlex.split(hook["entry"])[0], path=BESIDE), hook["entry"]


@pytest.mark.parametrize("stage", ["pre-commit", "pre-push"])
def test_the_hooks_are_as_pre_commit_takes_them(stage: str) -> None:
    assert any(stage in hook.get("stages", ["pre-commit"]) for hook in HOOKS["repos"][0]["hooks"])
    done = subprocess.run(
        [f"{BESIDE}/pre-commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_ci_runs_what_a_change_must_pass_and_the_slow_tests() -> None:
    """The tests of every day are the second command of README, which CI takes from there."""
    checks = {*TASKS["check"]["sequence"], "coverage", "slow", "browser"} - {"test"}

    assert set(re.findall(r"^step poe (\w+)$", CI, re.MULTILINE)) == checks
    assert re.search(r"^ *step bash .*pytest' README.md\)\"$", CI, re.MULTILINE)
    assert [step["run"] for step in WORKFLOW["jobs"]["test"]["steps"] if "run" in step] == [
        ".ci/run"
    ]


def test_ci_tries_each_door_on_both_duckdbs_and_computes_all_numbers_on_both() -> None:
    steps = re.findall(r"^ *step (.*)$", CI, re.MULTILINE)
    first, second = (number for number, step in enumerate(steps) if "tests/doors.py" in step)
    [tests] = [number for number, step in enumerate(steps) if "'pytest' README.md" in step]

    assert first < second < tests
    assert CI.index("tests/doors.py") < CI.index('"duckdb<2') < CI.rindex("tests/doors.py")
    assert CI.index("'pytest' README.md") < CI.index('"duckdb>=2') < CI.index("recomputation")


def test_ci_asks_on_windows_what_was_published_elsewhere() -> None:
    windows, publication = WORKFLOW["jobs"]["windows"], WORKFLOW["jobs"]["publication"]

    assert (windows["runs-on"], windows["needs"]) == ("windows-latest", "publication")
    assert windows["steps"][-1]["run"] == "python -P tests/doors.py world"
    assert windows["steps"][-3]["with"] == {"name": "world", "path": "world"}
    assert publication["steps"][-1]["with"].items() >= windows["steps"][-3]["with"].items()


def test_the_versions_that_are_kept_are_those_that_may_be_installed() -> None:
    lines = (ROOT / ".ci/constraints.txt").read_text("utf-8").splitlines()
    kept = {canonicalize_name(name): version for name, version in (x.split("==") for x in lines)}
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = map(Requirement, [*PROJECT["project"]["dependencies"], *extras["all"]])

    assert [
        str(one) for one in wanted if kept[canonicalize_name(one.name)] not in one.specifier
    ] == []


def test_actions_of_others_are_pinned_and_may_only_read_but_where_a_job_says_so() -> None:
    for path in (ROOT / ".github/workflows").iterdir():
        workflow = yaml.safe_load(path.read_text("utf-8"))
        steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
        uses = [step["uses"] for step in steps if "uses" in step]
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", use) for use in uses)
        assert workflow["permissions"] == {"contents": "read"}


def test_ci_leaves_out_of_the_tests_of_every_day_what_it_runs_for_coverage() -> None:
    measured = [word for word in TASKS["coverage"]["cmd"].split() if word.startswith("tests/")]

    assert re.findall(r"--ignore=(\S+?)[\s\"]", CI) == measured


def test_every_generator_is_run_by_one_task_and_told_of() -> None:
    made = {command.removeprefix("python -m ") for command in commands(TASKS["generate"])}

    assert made == {
        "support.documents.dbt_files",
        "support.documents.llms",
        "support.documents.readme_tables",
        "benchmarks.publish",
    }
    assert "| `poe generate` |" in CONTRIBUTING
