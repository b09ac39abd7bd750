"""The dashboard's own files: complete, closed to the outside, and what is from others untouched."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT
from support.warehouses.javascript import SITE
from wholesale_elt.dashboard.pages import PAGES

FROM_OTHERS = [f"vendor/{path.name}" for path in (SITE / "vendor").glob("*.js")]
OXLINT = Path(sys.executable).with_name("oxlint")
RULES = Path(__file__).with_name("oxlint.json")
FLEET = ROOT / "pipelines/wholesale_fleet/consolidation/site"
FORMAT = Path(__file__).with_name("oxfmt.json")
LANGUAGES = re.compile(r"http://(www\.w3\.org/2000/svg|schemas\.openxmlformats\.org/)")
"""Names of languages, which nobody asks for."""
LATER = ("pages/", "later/")
"""Scripts that are read when they are first asked for."""
STYLES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.css"))
SCRIPTS = sorted(
    path.relative_to(SITE).as_posix() for path in SITE.rglob("*.js") if path.parent.name != "vendor"
)


def test_what_is_from_others_is_what_its_note_names() -> None:
    note = (SITE / "vendor/README").read_text("utf-8")
    noted = re.findall(r"^([0-9a-f]{64})  (\S+)$", note, re.MULTILINE)
    found = [
        (hashlib.sha256(path.read_bytes()).hexdigest(), path.name)
        for path in sorted((SITE / "vendor").glob("*.js"))
    ]
    assert noted == found
    assert "Apache License" in (SITE / "vendor/LICENSE-htm").read_text("utf-8")
    assert "MIT License" in (SITE / "vendor/LICENSE-preact").read_text("utf-8")


def test_the_page_loads_each_script_once_but_those_of_later_pages() -> None:
    page = (SITE / "index.html").read_text("utf-8")
    loaded = re.findall(r'<script src="\{\{base\}\}([^"]+)"', page)
    first = f"pages/{PAGES[0].name}.js"
    own = [name for name in SCRIPTS if name == first or not name.startswith(LATER)]
    loaded += named_in("app.js", r"SHARED = \[(.*?)\]")
    loaded += named_in("search/search.js", r"inOrder\(\[(.*?)\]\)")
    assert sorted(loaded) == sorted([*own, *FROM_OTHERS, "data/meta.js"])


def named_in(script: str, list_: str) -> list[str]:
    """The scripts that a list of a script names."""
    found = re.search(list_, (SITE / script).read_text("utf-8"), re.DOTALL)
    assert found
    return [f"{name}.js" for name in re.findall(r'"(.*?)"', found[1])]


def test_each_piece_of_a_later_page_is_read_with_it() -> None:
    table = re.search(r"const PIECES = \{(.*?)\};", (SITE / "app.js").read_text("utf-8"), re.DOTALL)
    assert table
    read = re.findall(r"(\w+): \[(.*?)\]", table[1])
    pieces = [
        f"pages/{'vendors' if page == 'vendor' else page}/{name}.js"
        for page, names in read
        for name in re.findall(r"\w+", names)
    ]
    assert sorted(pieces) == [name for name in SCRIPTS if re.match(r"pages/\w+/", name)]


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES, "index.html"])
def test_no_file_names_another_host_or_makes_markup_of_data(name: str) -> None:
    text = LANGUAGES.sub("", (SITE / name).read_text("utf-8"))
    assert not re.search(r"https?:|[\"'(]//", text)
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_says_what_it_is_for_and_stays_small(name: str) -> None:
    lines = (SITE / name).read_text("utf-8").splitlines()
    assert lines[0].startswith("/**")
    assert len(lines) < 300


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES, *FLEET.glob("*.js"), *FLEET.glob("*.css")])
def test_no_line_is_longer_than_what_the_formatter_breaks(name: str | Path) -> None:
    width = json.loads(FORMAT.read_text("utf-8"))["printWidth"]
    lines = (SITE / name).read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > width] == []


def test_the_linter_finds_no_fault_in_the_scripts() -> None:
    found = subprocess.run([OXLINT, "--config", RULES, SITE], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
    assert f"on {len(SCRIPTS)} files" in found.stdout


def test_the_linter_finds_a_name_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text("const { table } = wholesale;\ntable(cell);\n")
    found = subprocess.run([OXLINT, "--config", RULES, tmp_path], capture_output=True, text=True)
    assert found.returncode == 1
    assert "'cell' is not defined" in found.stdout
