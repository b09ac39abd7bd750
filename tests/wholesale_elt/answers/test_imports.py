"""A question about what is published loads nothing but what answers it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.warehouses.marts import Marts

HEAVY = (
    *("dlt", "pyarrow", "numpy", "pandas", "httpx", "httpcore", "requests", "uvicorn", "starlette"),
    *("sqlglot", "jinja2", "asyncio", "psycopg2", "obstore", "pyiceberg"),
    *("wholesale.sync", "wholesale.tables", "wholesale_elt.load", "wholesale_elt.models.build"),
)
"""What only loads, builds and publishes need."""
ASKED = f"""
import atexit, json, sys
loaded = lambda: print(json.dumps([name for name in {HEAVY} if sys.modules.get(name)]))
atexit.register(loaded)
from wholesale_elt.cli.main import main
main()
"""

NOW = "2100-01-01"
"""After all that was loaded, so that nothing changed since."""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["figures"], 0),
        (["figures", "sales", "--by", "vendor", "--period", "2026", "--compare", "year"], 0),
        (["figures", "sales", "--by", "vendor", "--json"], 0),
        (["figures", "slaes"], 2),
        (["sql", "from monthly_sales"], 0),
        (["sql", "from nowhere"], 1),
        (["tasks"], 0),
        (["tasks", "--json"], 0),
        (["next"], 0),
        (["next", "--json"], 0),
        (["why", "sales", "--from", "current", "--by", "vendor"], 0),
        (["why", "sales"], 2),
        (["verify"], 0),
        (["verify", "answer.json"], 0),
        (["dashboard", "--no-open"], 0),
        (["status"], 0),
        (["status", "--json"], 0),
        (["status", "--max-age", "0"], 3),
        (["changes"], 2),  # of one sync alone
        (["changes", "--since", NOW], 0),
        (["changes", "--since", NOW, "--json"], 0),
        (["changes", "--since", "2001-01-01"], 2),
    ],
    ids=str,
)
def test_a_question_loads_only_what_answers_it(
    published: Path, built: Marts, tmp_path: Path, words: list[str], code: int
) -> None:
    (tmp_path / ".dlt").mkdir()
    (tmp_path / ".dlt/config.toml").write_text("[memory]\nmegabytes = 300\n")
    (tmp_path / ".dlt/secrets.toml").write_text('[sources.wholesale]\napi_key = "kept"\n')
    if "answer.json" in words:
        asked = ["figures", "sales", "--json", "--published", str(published)]
        (tmp_path / "answer.json").write_text(run(tmp_path, asked, 0)[0], "utf-8")
    of = [] if words == ["--help"] else ["--published", str(published)]
    if words[0] in ("status", "changes"):
        of = [*(of if words[0] == "changes" else []), "--database", str(built.database)]
    _, loaded = run(tmp_path, [*words, *of], code)
    assert loaded == []


def test_an_import_of_the_package_loads_none_of_it(tmp_path: Path) -> None:
    code = f"import wholesale_elt, sys; sys.exit(any(name in sys.modules for name in {HEAVY}))"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def run(folder: Path, words: list[str], code: int) -> tuple[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    *printed, last = done.stdout.splitlines(keepends=True)
    return "".join(printed), json.loads(last)
