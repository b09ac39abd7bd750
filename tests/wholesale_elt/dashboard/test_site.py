"""The dashboard's own files: complete, closed to the outside, and the chart library untouched."""

import hashlib
import re
from pathlib import Path

import pytest

import wholesale_elt.dashboard

SITE = Path(wholesale_elt.dashboard.__file__).parent / "site"
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
