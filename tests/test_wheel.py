"""The wheel is the same from the same files, wherever and whenever it is built."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from support.paths import ROOT

IGNORED = ROOT / ".container" / "Dockerfile.dockerignore"
LONG_AGO = 1_000_000_000


def build(folder: Path, to: Path, target: str = "wheel", **environment: str) -> Path:
    """What `hatchling` makes of the project in that folder."""
    words = ("build", "--target", target, "--directory", to)
    command = (sys.executable, "-m", "hatchling", *words)
    environment = {**os.environ, **environment}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    [made] = to.iterdir()
    return made


def as_by_another(folder: Path) -> Path:
    """The folder as somebody careful wrote it long ago."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (LONG_AGO, LONG_AGO))
    return folder


@pytest.mark.slow
def test_two_builds_are_the_same_bytes_also_by_way_of_the_source_distribution(
    tmp_path: Path,
) -> None:
    with tarfile.open(build(ROOT, tmp_path / "source", "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    [unpacked] = (tmp_path / "unpacked").iterdir()

    here = build(ROOT, tmp_path / "here")
    there = build(as_by_another(unpacked), tmp_path / "there", TZ="Asia/Tokyo")

    assert here.name == there.name
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.slow
def test_the_wheel_in_the_container_has_the_same_code(tmp_path: Path) -> None:
    let_in = [rule[1:] for rule in IGNORED.read_text("utf-8").split() if rule[0] == "!"]
    for name in let_in:
        source, target = ROOT / name, tmp_path / "copied" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)

    here = build(ROOT, tmp_path / "here")
    there = build(as_by_another(tmp_path / "copied"), tmp_path / "there")

    with zipfile.ZipFile(here) as ours, zipfile.ZipFile(there) as theirs:
        code, again = (
            {file.filename: file.CRC for file in archive.infolist()} for archive in (ours, theirs)
        )
    assert code.keys() == again.keys()
    differing = {name for name in code if code[name] != again[name]}
    # The description has no link to what does not get in.
    assert {name.partition(".dist-info/")[2] for name in differing} == {"METADATA", "RECORD"}


@pytest.mark.slow
def test_what_a_package_index_shows_leads_to_where_a_release_says(tmp_path: Path) -> None:
    place = "https://code.example.org/we/wholesale"
    wheel = build(ROOT, tmp_path, SOURCE_URL=place)

    with zipfile.ZipFile(wheel) as archive:
        [name] = (name for name in archive.namelist() if name.endswith("dist-info/METADATA"))
        shown = message_from_bytes(archive.read(name))
    assert shown.get_all("Project-URL") == [
        f"Source, {place}",
        f"Changelog, {place}/blob/HEAD/CHANGELOG.md",
    ]
    assert f"]({place}/blob/HEAD/sql/README.md)" in str(shown.get_payload())
    assert "](sql/" not in str(shown.get_payload())
