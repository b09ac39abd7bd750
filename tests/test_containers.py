"""The container and the development container name what is there; nothing here can build them."""

import json
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from support.paths import ROOT

DOCKERFILE = ROOT / ".container" / "Dockerfile"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LINTER = Path(sys.executable).with_name("hadolint")


def test_the_dockerfile_passes_its_linter_and_a_bad_one_does_not(tmp_path: Path) -> None:
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM python\nRUN cd /tmp\n")

    results = [subprocess.run([LINTER, file], capture_output=True) for file in (DOCKERFILE, bad)]

    assert [result.returncode for result in results] == [0, 1], results


def test_it_installs_extras_that_there_are_and_begins_with_a_command_that_there_is() -> None:
    text = DOCKERFILE.read_text("utf-8")

    asked = {extra for extras in re.findall(r"\[([\w,]+)\]\"", text) for extra in extras.split(",")}
    assert asked == {"all", "iceberg", "otel"}
    assert asked <= PROJECT["optional-dependencies"].keys()
    [entry] = re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)
    assert set(json.loads(entry)) <= PROJECT["scripts"].keys()
    assert re.findall(r"^USER (.*)$", text, re.MULTILINE) == ["10001"]


def test_all_that_the_wheel_is_made_of_gets_into_the_image_and_nothing_else() -> None:
    rules = (ROOT / ".container" / "Dockerfile.dockerignore").read_text("utf-8").split()
    let_in = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}

    assert rules[0] == "*"
    assert all((ROOT / name).exists() for name in let_in)
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    wheel = hatch["build"]["targets"]["wheel"]
    made_of = [*wheel["packages"], *wheel["force-include"]]
    made_of += ["README.md", *PROJECT["license-files"], "pyproject.toml"]
    made_of += [hatch["metadata"]["hooks"]["custom"]["path"], "tests/support/documents/links.py"]
    for name in made_of:
        assert {name, name.partition("/")[0]} & let_in, name
    for secret in (".dlt", ".env", "accounts.toml", "wholesale.duckdb"):
        assert not any(fnmatch(secret, name) for name in let_in), secret


def test_the_development_container_installs_what_the_tests_need() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))

    assert '".[dev]"' in container["postCreateCommand"]
    assert "pre-commit install" in container["postCreateCommand"]
    [version] = re.findall(r":(3\.\d+)$", container["image"])
    assert f"python:{version}-slim" in DOCKERFILE.read_text("utf-8")
