"""Ways: what three users type and what they are shown, played at the installed command.

`python -m support.documents.ways` in the folder `tests` writes the texts anew: read what changed.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from support.paths import ROOT
from support.services.service import WHOLESALE
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

FOLDER = ROOT / "tests/wholesale_elt/cli/ways"
NOBODY = "http://127.0.0.1:1/api/external/v1"
PROGRESS = re.compile(r"^[^\n]*: [\d,]+ of [\d,]+[^\n]*\n", re.MULTILINE)
"""Lines that come by the second, so that no two runs print the same ones."""
VARIES = {
    r"\d{8}T\d{9}Z-[0-9a-f]{8}": "VERSION",
    r"20\d\d-\d\d-\d\d \d\d:\d\d": "YYYY-MM-DD hh:mm",
    r"127\.0\.0\.1:\d{2,}": "127.0.0.1:PORT",
    r"\[Errno \d+\]": "[Errno N]",
    r"\b\d+ (?=min\b)": "N ",
    r"\b[\d,.]+ (?=(models|tests|tables|columns|rows|requests|minutes|seconds|MB|s)\b)": "N ",
    r" +\n": "\n",
}
"""What differs from run to run, or with every new model, and what stands in its place."""

PIPELINE = """
import dlt
from wholesale import wholesale_source

pipeline = dlt.pipeline("mine", destination="duckdb", dataset_name="wholesale_raw")
pipeline.run(wholesale_source().with_resources("orders", "vendors"))
print(pipeline.dataset().row_counts(table_names=["orders", "vendors"]).fetchall())
"""
READER = """
import json, sys

found = json.load(sys.stdin)
print(found["result"], found["sync"]["verdict"], len(found["sync"]["resources"]))
"""


class Terminal:
    """A folder of one's own in which lines of shell are run, and noted with what they print."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.folder = folder
        self.sandbox = sandbox
        self.text = ""
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("SOURCES__")
        } | {
            "PATH": f"{Path(WHOLESALE).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "DLT_DATA_DIR": str(folder / ".dlt"),
            "COLUMNS": "80",
        }

    def set(self, **changes: str) -> None:
        self._environment |= {
            f"SOURCES__WHOLESALE__{key.upper()}": to for key, to in changes.items()
        }

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text.lstrip("\n"), "utf-8")

    def say(self, text: str) -> None:
        self.text += f"# {text}\n"

    def run(self, line: str) -> str:
        """Output of a line; progress is left out, and what went to standard error comes first."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
        )
        self._note(line, done.stderr + done.stdout, done.returncode)
        return done.stdout

    def kill(self, line: str) -> None:
        """Start it, and end it with SIGKILL once it is at work."""
        noted = set(self.folder.glob(".wholesale/*/runs/*.json"))
        with subprocess.Popen(
            line.split(), cwd=self.folder, env=self._environment, stderr=subprocess.DEVNULL
        ) as process:
            while process.poll() is None and not (
                set(self.folder.glob(".wholesale/*/runs/*.json")) - noted
            ):
                time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
        self._note(line, "", 128 - process.returncode)

    def _note(self, line: str, printed: str, code: int) -> None:
        printed = PROGRESS.sub("", printed).replace(str(self.folder), "FOLDER")
        for pattern, name in VARIES.items():
            printed = re.sub(pattern, name, printed)
        self.text += f"$ {line}\n{printed}" + (f"(exit code {code})\n" if code else "") + "\n"


def newcomer(terminal: Terminal) -> None:
    terminal.say("I know SQL, and have no account.")
    shown = terminal.run("wholesale demo --orders 120 --no-open")
    terminal.say("The first question of those three, as it stands there.")
    question = re.search(r"^select .*?;", shown, re.MULTILINE | re.DOTALL)
    assert question
    terminal.run(f'duckdb -readonly -csv wholesale.duckdb -c "{question[0]}" | head -n 4')
    terminal.say("What else is there?")
    terminal.run("wholesale status")
    terminal.run("wholesale dashboard --no-open")
    terminal.run("wholesale dashbord")


def engineer(terminal: Terminal) -> None:
    terminal.say("I have a pipeline and a scheduler, and want to know what I get.")
    terminal.run("wholesale check")
    terminal.say("It asks for what is missing.")
    terminal.set(base_url=terminal.sandbox.base_url, api_key="sandbox")
    terminal.run("wholesale check | tail -n 3")
    terminal.run("wholesale plan orders vendors")
    terminal.say("As a source in my own pipeline (README).")
    terminal.write("pipeline.py", PIPELINE)
    terminal.run("python pipeline.py")
    terminal.say("Or by its own command, which my scheduler reads.")
    terminal.write("reader.py", READER)
    terminal.run("wholesale sync orders vendors --json | python reader.py")
    terminal.say("A list that cannot be proved whole is told apart from a failure: 3, not 1.")
    terminal.sandbox.storage.collection("orders").put("odd", b'{"order_number":"B"}')
    terminal.run("wholesale sync orders vendors --json | python reader.py")
    terminal.set(page_size="many")
    terminal.run("wholesale sync orders")


def operator(terminal: Terminal) -> None:
    last = "wholesale status | tail -n 1"  # what is not as it should be stands there
    base_url = terminal.sandbox.base_url
    terminal.set(base_url=base_url, api_key="sandbox", attempts="1", deadline_seconds="60")
    terminal.say("All is well.")
    terminal.run("wholesale sync orders vendors")
    terminal.say("The key was changed.")
    terminal.set(api_key="old")
    terminal.run("wholesale sync orders")
    terminal.run(last)
    terminal.say("The service is gone.")
    terminal.set(api_key="sandbox", base_url=NOBODY)
    terminal.run("wholesale sync orders")
    terminal.run(last)
    terminal.say("The disk is full (here: no file may grow).")
    terminal.set(base_url=base_url)
    terminal.run("ulimit -f 8; wholesale sync orders --database new.duckdb")
    terminal.run("wholesale status --database new.duckdb | tail -n 1")
    terminal.run("wholesale sync orders --quiet --database new.duckdb")
    terminal.say("The machine killed it.")
    terminal.sandbox.dials.change({"latency_seconds": 30.0})
    terminal.kill("wholesale sync orders")
    terminal.run(last)
    terminal.say("Nothing has run for too long.")
    terminal.run("wholesale status --quiet --max-age 0.0001")
    terminal.say("The next run mends it all by itself.")
    terminal.sandbox.dials.change({"latency_seconds": 0.0})
    terminal.run("wholesale sync orders vendors")
    terminal.run("wholesale status --max-age 1")


WAYS: Mapping[str, Callable[[Terminal], None]] = {
    way.__name__: way for way in (newcomer, engineer, operator)
}


def played(name: str, folder: Path) -> str:
    """The way once more, in that empty folder."""
    with Sandbox(SandboxSettings(orders=120)) as sandbox:
        terminal = Terminal(folder, sandbox)
        WAYS[name](terminal)
    return terminal.text


if __name__ == "__main__":
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for name in WAYS:
        with TemporaryDirectory() as folder:
            (FOLDER / f"{name}.txt").write_text(played(name, Path(folder)), "utf-8")
