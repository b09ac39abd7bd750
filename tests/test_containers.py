"""The container is built and runs, where something can, and what it names is there."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from support.paths import ROOT

DOCKERFILE = ROOT / ".container" / "Dockerfile"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BUILDERS = ("docker", "podman", "buildah")
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


def run(*words: str | Path, seconds: int = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=seconds)


@pytest.mark.slow
def test_the_image_is_built_and_runs_as_nobody_in_particular() -> None:
    [base] = set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text("utf-8"), re.MULTILINE))
    name, place = "wholesale-elt-of-the-tests", f"docker.io/library/{base}"
    builder = next(
        (
            each
            for each in BUILDERS
            if shutil.which(each) and not run(each, "pull", place).returncode
        ),
        None,
    )
    if builder is None:
        pytest.skip(f"none of {', '.join(BUILDERS)} has {base}")
    alone = ("--isolation", "chroot") if builder == "buildah" else ()  # it may have no runtime
    built = run(*(builder, "build", *alone, "--file", DOCKERFILE, "--tag", name, "."), seconds=1200)
    assert built.returncode == 0, built.stderr

    if builder == "buildah":
        [container] = run(builder, "from", name).stdout.split()
        begin: tuple[str, ...] = (builder, "run", *alone, container, "--")
        end: tuple[str, ...] = (builder, "rm", container)
    else:
        begin = (builder, "run", "--rm", "--entrypoint", "", name)
        end = (builder, "image", "rm", "--force", name)
    try:
        asked = [
            run(*begin, "id", "-u"),
            run(*begin, "wholesale", "demo", "--no-open", "--orders", "50", seconds=600),
        ]
    finally:
        run(*end)
    assert [done.returncode for done in asked] == [0, 0], asked[1].stderr
    assert asked[0].stdout.strip() == "10001"
    assert "certified complete" in asked[1].stdout


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
