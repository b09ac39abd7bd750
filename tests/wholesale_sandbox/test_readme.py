"""The README of the sandbox: its example runs, and it shows each dial and fault."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import click
import duckdb
import httpx
import pytest

from support.documents.readmes import blocks
from support.paths import SANDBOX_README
from support.services.service import WHOLESALE, serving
from support.services.trust import NOBODY
from wholesale_elt.cli.sandbox import sandbox as command
from wholesale_sandbox.faults.fault import Fault
from wholesale_sandbox.faults.registry import FAULTS
from wholesale_sandbox.server import Sandbox

TEXT = SANDBOX_README.read_text("utf-8")
EXAMPLE = TEXT.partition("A worked example")[2]
COMPLETE, INCOMPLETE = 0, 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        line
        for block in blocks(TEXT.partition("A worked example")[0])
        for line in block.text.splitlines()
        if line.startswith("wholesale sandbox")
    ],
)
def test_what_is_told_to_be_started_serves(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-records").mkdir()
    key = {"X-API-Key": "sandbox"}
    with serving(*shlex.split(line, comments=True)[2:]) as service:
        assert (
            httpx.get(
                f"{service.base_url}/vendors", headers=key, verify=NOBODY, timeout=None
            ).status_code
            == 200
        )


def test_the_faults_that_are_told_to_be_patched_are_dialled(sandbox: Sandbox) -> None:
    [patch] = re.findall(r"^curl -X PATCH http.+?\}'$", TEXT, re.MULTILINE | re.DOTALL)
    local = patch.replace("http://127.0.0.1:8001", sandbox.admin_url)
    done = subprocess.run(shlex.split(local), capture_output=True, text=True, check=True)

    rules = json.loads(done.stdout)["faults"]
    assert [(rule["fault"], rule["after"]) for rule in rules] == [("reset", 0), ("401", 100)]


@pytest.mark.slow
def test_the_example_ends_with_every_order_as_in_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, at_once, row_by_row = (block.text for block in blocks(EXAMPLE))
    start, *lines = script.splitlines()
    options = shlex.split(start.removesuffix("&"))[2:]
    answers, codes = [], []
    with serving(*options) as service:
        environment = os.environ | {
            "PATH": f"{Path(WHOLESALE).parent}{os.pathsep}{os.environ['PATH']}",
            "SOURCES__WHOLESALE__BASE_URL": service.base_url,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        for line in lines:
            shell = ["bash", "-c", line.replace("http://127.0.0.1:8001", service.admin_url)]
            done = subprocess.run(
                shell, cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            answers.append(done.stdout)
            codes.append(done.returncode)

    drifting, patched, still, *asked = codes
    assert drifting in (COMPLETE, INCOMPLETE)
    assert [patched, still, *asked] == [COMPLETE] * (len(lines) - 1)
    digest = json.loads(answers[3])
    monkeypatch.chdir(tmp_path)
    with duckdb.connect("wholesale.duckdb", read_only=True) as warehouse:
        assert warehouse.sql(at_once).fetchall() == [
            (digest["count"], digest["updated_at"], digest["sha256"])
        ]
        assert warehouse.sql(row_by_row).fetchall() == []
        assert warehouse.sql("from read_json('changes.jsonl')").fetchall() != []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_is_shown(fault: Fault[object]) -> None:
    assert f"`{fault.name}`" in TEXT


@pytest.mark.parametrize("option", command.params, ids=lambda option: str(option.name))
def test_every_option_of_the_command_is_described(option: click.Parameter) -> None:
    assert re.search(rf"`{option.opts[0]}\b", TEXT)
