"""Settings are the same where dlt reads them and where it is not needed for that."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wholesale.places import File

READ = """
import json, sys
if sys.argv[1] == "dlt":
    import dlt
from wholesale.configuration import place_of, read_section
from wholesale.errors import ConfigurationError
try:
    found = read_section("build", ("models", "currency", "cancelled_order_statuses"))
    told = {name: [repr(value), place_of("build", name)] for name, value in found.items()}
except ConfigurationError as error:
    told = str(error)
print(json.dumps([told, "dlt" in sys.modules]))
"""


def read(folder: Path, environment: dict[str, str], by: str) -> tuple[object, bool]:
    done = subprocess.run(
        [sys.executable, "-c", READ, by],
        cwd=folder,
        env={**os.environ, "HOME": str(folder / "home"), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    told, is_dlt_loaded = json.loads(done.stdout)
    return told, is_dlt_loaded


CASES: dict[str, tuple[dict[str, str], dict[str, str], bool]] = {
    "nothing": ({}, {}, False),
    "a file": ({".dlt/config.toml": "[build]\ncurrency = 'EUR'\nmodels = 3\n"}, {}, False),
    "both files": (
        {
            ".dlt/config.toml": "[build]\ncurrency = 'EUR'\nother = 2026-01-02\n[build.terms]\na=1",
            ".dlt/secrets.toml": "build.currency = 'USD'",
        },
        {},
        False,
    ),
    "a list, and the environment above": (
        {".dlt/config.toml": "[build]\ncancelled_order_statuses = ['void']\ncurrency = 'EUR'"},
        {"BUILD__CURRENCY": "usd", "BUILD__MODELS": "", "BUILD__NEW": "[1]"},
        False,
    ),
    "another folder": (
        {"there/.dlt/config.toml": "[build]\ncurrency = 'CHF'", ".dlt/config.toml": "[build]\n"},
        {"DLT_PROJECT_DIR": "there"},
        False,
    ),
    "another name of the folder": (
        {".settings/config.toml": "[build]\ncurrency = 'CHF'"},
        {"DLT_CONFIG_FOLDER": ".settings"},
        False,
    ),
    "no TOML": ({".dlt/config.toml": "[build\n"}, {}, True),
    "no text": ({".dlt/secrets.toml": "\udcff"}, {}, True),
    "a section that is a value": ({".dlt/config.toml": "build = 3"}, {}, False),
    "a section that is misspelt": ({".dlt/config.toml": "[biuld]\ncurrency = 'EUR'"}, {}, False),
    "a vault, which only dlt reads": (
        {".dlt/config.toml": "[build]\ncurrency='EUR'\n[providers]\nenable_airflow_secrets=false"},
        {},
        True,
    ),
    "a workspace of dlt": ({".dlt/.workspace": ""}, {}, True),
}


@pytest.mark.parametrize("case", CASES)
def test_settings_are_read_alike_with_dlt_and_without(tmp_path: Path, case: str) -> None:
    files, environment, is_for_dlt = CASES[case]
    (tmp_path / "home").mkdir()
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    told, is_dlt_loaded = read(tmp_path, environment, "files")
    assert is_dlt_loaded is is_for_dlt
    assert (told, True) == read(tmp_path, environment, "dlt")


def test_the_file_of_a_project_comes_before_that_of_all_projects(tmp_path: Path) -> None:
    texts = {"project": "[a]\nb = 1\n[c]\nd = 2", "all": "[a]\nb = 3\ne = 4\nc = 5"}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.toml").write_text(text)
    file = File("config.toml", [tmp_path / name for name in texts])
    assert file.settings == {"a": {"b": 1, "e": 4, "c": 5}, "c": {"d": 2}}
