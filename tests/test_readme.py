"""The documents say what is so: their commands run, their tables and links are right."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import click
import duckdb
import pytest

from support.documents import llms
from support.documents.readme_tables import FILES, made
from support.documents.readmes import Block, blocks, documents, fill
from support.few import few
from support.paths import README, ROOT
from support.warehouses.marts import Marts
from wholesale.credentials import KEPT_IN
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.runs.certificate import SCHEMA
from wholesale_elt.warehouse.destination import Warehouse
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

DOCUMENTS = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in documents()}
IS_RUN = {"sh", "sql", "python"}
LONGEST_SECONDS = 600
"""For the commands of one block on a busy machine."""
PROGRAMS = Path(sys.executable).parent
ROOMS = {
    "wholesale": ROOT / "sources/wholesale",
    "wholesale_sandbox": ROOT / "sources/wholesale_sandbox",
    "wholesale_elt": ROOT / "pipelines/wholesale_elt",
}


@dataclass(frozen=True)
class Desk:
    """A folder with a warehouse, a publication and the dbt project; a service answers."""

    folder: Path
    service: str

    def run(self, block: Block) -> None:
        if block.language == "sql":
            self._start(["duckdb", "-readonly", "-bail", "wholesale.duckdb", "-c", block.text])
        elif block.language == "python":
            self._start([sys.executable, "-W", "error", "-c", block.text])
        else:
            text = block.text.replace("ORDER_ID", self._order_id())
            self._start(["bash", "-euo", "pipefail", "-c", text])

    def _order_id(self) -> str:
        with duckdb.connect(str(self.folder / "wholesale.duckdb"), read_only=True) as warehouse:
            [(order_id,)] = warehouse.execute(
                "select id from wholesale_raw.orders order by id limit 1"
            ).fetchall()
        return str(order_id)

    def _start(self, command: list[str]) -> None:
        environment = os.environ | {
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "DLT_DATA_DIR": str(self.folder / ".dlt-data"),  # of root's it keeps one for all
            "SOURCES__WHOLESALE__BASE_URL": self.service,
            "SOURCES__WHOLESALE__API_KEY": "sandbox",
        }
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
        )
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `wholesale demo` leaves it, and the dbt project."""
    folder = tmp_path_factory.mktemp("published")
    shutil.copy(built.database, folder / "wholesale.duckdb")
    shutil.copytree(ROOT / "sql", folder / "sql", ignore=shutil.ignore_patterns("target", "logs"))
    publish_marts(Warehouse(folder / "wholesale.duckdb"), str(folder / "published"))
    return folder


@pytest.fixture
def desk(published: Path, tmp_path: Path) -> Iterator[Desk]:
    folder = Path(shutil.copytree(published, tmp_path / "desk"))
    with Sandbox(SandboxSettings(orders=400)) as running:
        yield Desk(folder, running.base_url)


RUN = [
    name
    for name, text in DOCUMENTS.items()
    if any(block.language in IS_RUN and not block.reason for block in blocks(text))
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["README.md", *few([name for name in RUN if name != "README.md"], 6)]
)
def test_what_a_document_tells_to_do_can_be_done(name: str, desk: Desk) -> None:
    """Python in one document is one program: a later block goes on with the names before it."""
    program = ""
    to_run = (
        block for block in blocks(DOCUMENTS[name]) if not block.reason and block.language in IS_RUN
    )
    for language, group in groupby(to_run, key=lambda block: block.language):
        if language == "python":
            program += "".join(block.text for block in group)
            desk.run(Block("python", program, None))
        else:
            for block in group:
                desk.run(block)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_that_are_shown_are_commands_there_are(name: str) -> None:
    inline = re.findall(r"`(wholesale [a-z]+(?: [^`]*)?)`", DOCUMENTS[name])
    lines = (
        line
        for block in blocks(DOCUMENTS[name])
        if block.language == "sh"
        for line in block.text.splitlines()
        if re.search(r"\bwholesale [a-z-]", line)
    )
    for line in [*inline, *lines]:
        for words in commands(line):
            if words[0] == "wholesale" and "…" not in words:
                accept(words[1:])


def commands(line: str) -> Iterator[list[str]]:
    """The commands of a line of shell, as words."""
    words: list[str] = []
    line = line.replace("$DAY", "2026-10-31")  # of the variables that are shown, one must be a day
    for word in [*shlex.split(line, comments=True), "&&"]:
        if word in ("&&", "&"):
            if words:
                yield words
            words = []
        else:
            words.append(word)


def accept(words: list[str]) -> None:
    """Raises: click.UsageError for a command or an option that there is not."""
    top = cli.make_context("wholesale", list(words), resilient_parsing=True)
    rest = [*top._protected_args, *top.args]
    name, command, options = cli.resolve_command(top, rest)
    assert command is not None
    command.make_context(name, options, parent=top).close()


def test_the_index_for_language_models_is_that_of_now() -> None:
    assert llms.FILE.read_text("utf-8") == llms.text(), "run `poe generate`"


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_the_help_of_a_command_says_what_each_of_its_options_does(name: str) -> None:
    command = cli.commands[name]
    assert command.help
    for option in (*cli.params, *command.params):
        if isinstance(option, click.Option):
            assert option.help, option.opts


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_pictures_are_there(name: str) -> None:
    folder = (ROOT / name).parent
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", DOCUMENTS[name])
    assert [path for path in targets if "://" not in path and not (folder / path).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_that_are_named_are_there(name: str) -> None:
    found = re.findall(r"\b(?:sources|pipelines|sql|tests)/[\w/.-]*\w", DOCUMENTS[name])
    assert [path for path in found if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("path", FILES, ids=str)
def test_the_tables_are_those_of_the_registries(path: Path) -> None:
    assert made(path) == path.read_text("utf-8"), "run `poe generate`"


def test_a_text_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for the table endpoints"):
        fill("nothing here", {"endpoints": ""})


def test_a_block_that_is_not_run_says_why() -> None:
    text = "a\n<!-- not run: it is slow -->\n```sh\nmake\n```\n\n  ```sql\n  select 1\n  ```\n"

    assert list(blocks(text)) == [
        Block("sh", "make\n", "it is slow"),
        Block("sql", "  select 1\n", None),
    ]


def test_both_commands_for_newcomers_stand_in_one_line_each() -> None:
    lines = README.read_text("utf-8").splitlines()
    assert [line for line in lines if "pip install" in line] == [
        'python -m pip install ".[all]" && wholesale demo',
        'python -m pip install ".[dev]" && python -m pytest',
    ]


def test_every_threat_has_its_test() -> None:
    threats = DOCUMENTS["sources/wholesale/http/README.md"].split("## Threats")[1].split("## ")[0]
    rows = [line for line in threats.splitlines() if line.startswith("| ")][2:]
    named = re.findall(r"`(tests/[\w/.]+)::(\w+)` \|$", "\n".join(rows), re.MULTILINE)

    assert len(named) == len(rows)
    for path, test in named:
        assert f"def {test}(" in (ROOT / path).read_text("utf-8")


def test_where_a_key_may_be_kept_is_described() -> None:
    for name in KEPT_IN:
        assert f"| `{name}` |" in DOCUMENTS["pipelines/wholesale_elt/SETTINGS.md"]


def test_every_column_of_the_certificate_is_described() -> None:
    text = DOCUMENTS["pipelines/wholesale_elt/load/README.md"].split("| Columns |")[1]
    named = [name for row in text.split("\n\n")[0].splitlines()[2:] for name in row.split("|")[1:2]]
    assert sorted(re.findall(r"`(\w+)`", "".join(named))) == sorted(SCHEMA.names)


@pytest.mark.parametrize("package", ROOMS)
def test_the_picture_of_the_rooms_shows_each_of_them(package: str) -> None:
    [line] = re.findall(
        rf"^  {package}/ +(.*)$", DOCUMENTS[".github/CONTRIBUTING.md"], re.MULTILINE
    )
    assert set(re.findall(r"\w+", line)) == {
        path.parent.name for path in ROOMS[package].glob("*/__init__.py")
    }
