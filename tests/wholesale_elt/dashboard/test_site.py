"""The dashboard's own files: complete, closed to the outside, and the chart library untouched."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.warehouses.javascript import SITE

OXLINT = Path(sys.executable).with_name("oxlint")
RULES = Path(__file__).with_name("oxlint.json")
SCRIPTS = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.js") if path.parent.name != "vendor"
)


def test_the_chart_library_is_the_one_that_its_note_names() -> None:
    note = (SITE / "vendor/README").read_text("utf-8")
    [(digest, name)] = re.findall(r"^([0-9a-f]{64})  (\S+)$", note, re.MULTILINE)
    content = (SITE / "vendor" / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    version = re.search(r"[\d.]+\d", note)
    assert version
    assert f'version="{version[0]}"'.encode() in content
    assert (SITE / "vendor/LICENSE").read_text("utf-8").lstrip().startswith("Apache License")
    assert "Apache ECharts" in (SITE / "vendor/NOTICE").read_text("utf-8")


def test_the_page_loads_each_script_once_and_no_other() -> None:
    page = (SITE / "index.html").read_text("utf-8")
    loaded = re.findall(r'<script src="\{\{base\}\}([^"]+)"', page)
    assert sorted(loaded) == sorted([*SCRIPTS, "data/meta.js"])


@pytest.mark.parametrize("name", [*SCRIPTS, "index.html", "app.css"])
def test_no_file_names_another_host_or_makes_markup_of_data(name: str) -> None:
    text = (SITE / name).read_text("utf-8")
    assert not re.search(r"https?:|[\"'(]//", text)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_says_what_it_is_for_and_stays_small(name: str) -> None:
    lines = (SITE / name).read_text("utf-8").splitlines()
    assert lines[0].startswith("/**")
    assert len(lines) < 300


def test_the_linter_finds_no_fault_in_the_scripts() -> None:
    found = subprocess.run([OXLINT, "--config", RULES, SITE], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    assert f"on {len(SCRIPTS)} files" in found.stdout


def test_the_linter_finds_a_name_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text("const { table } = wholesale;\ntable(cell);\n")
    found = subprocess.run([OXLINT, "--config", RULES, tmp_path], capture_output=True, text=True)
    assert found.returncode == 1
    assert "'cell' is not defined" in found.stdout
