"""The examples for schedulers: each runs the command, and tells incomplete from failed.

Schedulers that are Python packages get an environment of their own. `run` is played by a sync of
one resource: what a build does stands in other tests.
"""

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from support.commands import COMMANDS
from support.few import few
from support.paths import ROOT
from support.services.installed import with_package
from support.services.service import WHOLESALE
from wholesale_sandbox.server import Sandbox

EXAMPLES = ROOT / "pipelines/schedulers"
FOLDER = "/srv/wholesale"
SYNC_FOR_RUN = f"""#!/bin/bash
if [[ "$*" == "run --account"* || "$*" == "run --shard"* ]]; then
  set -- sync "${{@:2}}"
elif [ "$1" = run ]; then
  words=(sync vendors)
  for word in "$@"; do
    case $word in --json | --quiet) words+=("$word") ;; esac
  done
  set -- "${{words[@]}}"
fi
export PYTHONPATH={os.pathsep.join(sys.path)}
exec {WHOLESALE} "$@"
"""
ENDS = (0, 1, 3)


@dataclass(frozen=True)
class Account:
    """A folder as the examples want it, beside a sandbox."""

    home: Path
    sandbox: Sandbox

    @property
    def folder(self) -> Path:
        return self.home / "wholesale"

    @property
    def environment(self) -> Mapping[str, str]:
        return os.environ | {
            "HOME": str(self.home),
            "PATH": f"{self.folder / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "SOURCES__WHOLESALE__BASE_URL": self.sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
            "SOURCES__WHOLESALE__ATTEMPTS": "1",
            "WHOLESALE_FOLDER": str(self.folder),
        }

    def join(self, *names: str) -> None:
        """Let `accounts.toml` name these, who load vendors."""
        tables = "".join(
            f'[accounts.{name}]\nbase_url = "{self.sandbox.base_url}"\n' for name in names
        )
        text = f'[defaults]\nresources = ["vendors"]\n{tables}'
        (self.folder / "accounts.toml").write_text(text)

    def make_end_with(self, code: int) -> None:
        """Let a sync of vendors end so."""
        if code == 1:
            self.sandbox.dials.change({"error_share": 1.0})
        if code == 3:
            self.sandbox.storage.collection("vendors").put("odd", b'{"name":"B"}')

    def run(
        self, *words: str | Path, folder: Path | None = None, **changes: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            list(map(str, words)),
            cwd=folder or self.home,
            env={**self.environment, **changes},
            capture_output=True,
            text=True,
            timeout=300,
        )


@pytest.fixture
def account(tmp_path: Path, sandbox: Sandbox) -> Account:
    programs = tmp_path / "wholesale/.venv/bin"
    programs.mkdir(parents=True)
    command = programs / "wholesale"
    command.write_text(SYNC_FOR_RUN)
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    return Account(tmp_path, sandbox)


def lines_of_cron() -> list[str]:
    """The commands of the crontab, as cron gives them to the shell."""
    lines = (EXAMPLES / "crontab").read_text("utf-8").splitlines()
    found = [re.fullmatch(r"((\S+ ){5})(.+)", line) for line in lines if line[0] != "#"]
    assert all(found)
    return [match[3] for match in found if match]


@pytest.mark.slow
@pytest.mark.parametrize("code", few(ENDS, 2))
def test_the_lines_of_cron_say_nothing_unless_something_is_wrong(
    code: int, account: Account
) -> None:
    account.make_end_with(code)
    nightly, hourly = lines_of_cron()
    done = account.run("/bin/sh", "-c", nightly, PATH="/usr/bin:/bin")

    assert (done.returncode, done.stdout, bool(done.stderr)) == (code, "", code != 0)
    watched = account.run("/bin/sh", "-c", hourly, PATH="/usr/bin:/bin")
    assert (watched.returncode, bool(watched.stderr)) == ((3, True) if code else (0, False))


@pytest.fixture
def units(account: Account) -> Path:
    """Those of systemd, for the folder of the test."""
    place = account.home / "units"
    place.mkdir()
    for path in EXAMPLES.glob("wholesale.*"):
        text = path.read_text("utf-8").replace(FOLDER, str(account.folder))
        (place / path.name).write_text(text)
    return place


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_service_and_timer(units: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units.iterdir()], capture_output=True, text=True
    )
    assert (done.returncode, [line for line in done.stderr.splitlines() if str(units) in line]) == (
        0,
        [],
    )


@pytest.mark.slow
@pytest.mark.parametrize("code", few(ENDS, 2))
def test_the_line_of_systemd_ends_with_the_code_of_the_command(
    code: int, account: Account, units: Path
) -> None:
    account.make_end_with(code)
    [line] = re.findall("^ExecStart=(.+)$", (units / "wholesale.service").read_text(), re.MULTILINE)

    assert account.run(*shlex.split(line), folder=account.folder).returncode == code


@pytest.mark.slow
@pytest.mark.parametrize("code", few(ENDS, 2))
def test_the_steps_for_github_warn_of_what_is_incomplete_and_fail_otherwise(
    code: int, account: Account
) -> None:
    account.make_end_with(code)
    job = yaml.safe_load((EXAMPLES / "github.yml").read_text("utf-8"))["jobs"]["run"]
    install, step = (step["run"] for step in job["steps"] if "run" in step)
    done = account.run("bash", "-e", "-c", step, PUBLISHED="published", folder=account.folder)

    assert install == 'python -m pip install ".[all]"'
    assert done.returncode == (1 if code == 1 else 0)
    assert ("::warning::" in done.stdout) == (code == 3)


@pytest.fixture(scope="module")
def airflow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_package(
        tmp_path_factory.mktemp("airflow"),
        "apache-airflow-core>=3,<4",
        "apache-airflow-providers-standard",
    )


@pytest.mark.long
@pytest.mark.parametrize(("code", "state"), [(0, "success"), (3, "skipped")])
def test_airflow_skips_the_task_of_an_incomplete_run(
    code: int, state: str, account: Account, airflow: Path
) -> None:
    account.make_end_with(code)

    assert run_of_airflow(account, airflow, "airflow_dag") == [f"run None {state}"]


def run_of_airflow(account: Account, airflow: Path, name: str) -> list[str]:
    """The tasks of a DAG, run once: id, what it was mapped by, and state."""
    dags = account.home / "dags"
    dags.mkdir()
    shutil.copy(EXAMPLES / f"{name}.py", dags)
    own = {
        "AIRFLOW_HOME": str(account.home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "PYTHONPATH": "",
    }
    assert (
        account.run(airflow / "airflow", "db", "migrate", folder=account.home, **own).returncode
        == 0
    )
    program = (
        f"import sys; sys.path.insert(0, 'dags'); from {name} import dag\n"
        "ran = dag.test().get_task_instances()\n"
        "told = [f'{each.task_id} {each.rendered_map_index} {each.state}' for each in ran]\n"
        "print('ended', '; '.join(sorted(told)))"
    )
    done = account.run(airflow / "python", "-c", program, folder=account.home, **own)

    ended = re.search(r"^ended (.*)$", done.stdout, re.MULTILINE)
    assert ended, done.stdout[-3000:] + done.stderr[-3000:]
    return ended[1].split("; ")


@pytest.fixture(scope="module")
def dagster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_package(tmp_path_factory.mktemp("dagster"), "dagster>=1.11,<2")


@pytest.mark.long
@pytest.mark.parametrize("code", ENDS)
def test_the_check_of_dagster_warns_of_an_incomplete_run(
    code: int, account: Account, dagster: Path
) -> None:
    account.make_end_with(code)
    program = (
        "import dagster, dagster_asset as example\n"
        "done = dagster.materialize([example.wholesale], raise_on_error=False)\n"
        "checks = done.get_asset_check_evaluations()\n"
        "print('ended', done.success, [(found.passed, found.severity.name) for found in checks],"
        " [(name, row['verdict']) for event in done.asset_materializations_for_node('wholesale')"
        " for name, row in event.metadata['certificate'].value.items()])"
    )
    done = account.run(dagster / "python", "-c", program, PYTHONPATH=str(EXAMPLES))

    expected = {
        0: "True [(True, 'WARN')] [('vendors', 'complete')]",
        1: "False [] []",
        3: "True [(False, 'WARN')] [('vendors', 'incomplete')]",
    }[code]
    assert f"ended {expected}" in done.stdout, done.stderr[-3000:]


@pytest.fixture(scope="module")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_package(tmp_path_factory.mktemp("prefect"), "prefect>=3,<4", "fastapi<0.120")


@pytest.mark.long
@pytest.mark.parametrize(("code", "state"), [(0, "Completed"), (1, "Failed"), (3, "Incomplete")])
def test_the_flow_of_prefect_ends_in_a_state_of_that_name(
    code: int, state: str, account: Account, prefect: Path
) -> None:
    account.make_end_with(code)
    program = (
        "import prefect_flow as example\n"
        "state = example.wholesale.with_options(retries=0)(return_state=True)\n"
        "print('ended', state.name)"
    )
    done = account.run(
        prefect / "python",
        *("-c", program),
        PYTHONPATH=str(EXAMPLES),
        PREFECT_HOME=str(account.home),
        DO_NOT_TRACK="1",
        PREFECT_SERVER_ANALYTICS_ENABLED="false",
        PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="200",
    )

    assert f"ended {state}" in done.stdout, done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize("code", few(ENDS, 2))
def test_the_job_of_kubernetes_ends_well_where_all_is_loaded(code: int, account: Account) -> None:
    account.join("east", "west")
    account.make_end_with(code)
    cron = yaml.safe_load((EXAMPLES / "kubernetes.yml").read_text("utf-8"))["spec"]
    job = cron["jobTemplate"]["spec"]
    [container] = job["template"]["spec"]["containers"]
    text = [word.replace("/4", "/1") for word in container["command"]]
    done = account.run(*text, folder=account.folder, JOB_COMPLETION_INDEX="0")

    assert job["completions"] == 4
    assert done.returncode == (1 if code == 1 else 0)
    assert ("east" in done.stderr) == (code != 0)


@pytest.mark.long
def test_kubernetes_takes_the_job(tmp_path: Path) -> None:
    programs = with_package(tmp_path, "kubernetes-validate")
    done = subprocess.run(
        [programs / "kubernetes-validate", "--strict", EXAMPLES / "kubernetes.yml"],
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize(("code", "state"), [(0, "success"), (3, "skipped")])
def test_airflow_has_a_mapped_task_an_account(
    code: int, state: str, account: Account, airflow: Path
) -> None:
    account.join("east", "west")
    account.make_end_with(code)

    assert run_of_airflow(account, airflow, "airflow_fleet_dag") == [
        "accounts None success",
        f"run east {state}",
        f"run west {state}",
    ]


@pytest.mark.long
@pytest.mark.parametrize("code", ENDS)
def test_dagster_has_a_partition_an_account(code: int, account: Account, dagster: Path) -> None:
    account.join("east", "west")
    account.make_end_with(code)
    program = (
        "import dagster, dagster_fleet_asset as example\n"
        "print('partitions', example.accounts.get_partition_keys())\n"
        "done = dagster.materialize([example.wholesale], partition_key='west',"
        " raise_on_error=False)\n"
        "checks = done.get_asset_check_evaluations()\n"
        "print('ended', done.success, [found.passed for found in checks],"
        " [(event.metadata['result'].value, 'complete_as_of' in event.metadata)"
        " for event in done.asset_materializations_for_node('wholesale')])"
    )
    done = account.run(dagster / "python", "-c", program, PYTHONPATH=str(EXAMPLES))

    assert "partitions ['east', 'west']" in done.stdout, done.stderr[-3000:]
    expected = {
        0: "True [True] [('complete', True)]",
        1: "False [] []",
        3: "True [False] [('incomplete', False)]",
    }[code]
    assert f"ended {expected}" in done.stdout, done.stderr[-3000:]


def commands() -> Iterator[str]:
    """Each call of the command, in whatever language it stands there."""
    for path in sorted(EXAMPLES.iterdir()):
        if path.is_file() and path.suffix != ".md":
            text = path.read_text("utf-8").replace('", "', " ")
            for match in re.findall(r"wholesale ((?:run|status)\b[^\n|&\]]*)", text):
                is_open = match.count('"') % 2  # it stood between quotes itself
                yield match.rpartition('"')[0] if is_open else match


def test_every_call_has_options_that_there_are() -> None:
    found = list(commands())

    assert len(found) >= 7
    for line in found:
        name, *rest = shlex.split(line)
        COMMANDS[name].make_context(name, rest).close()
