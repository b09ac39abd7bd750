"""Where httpx is not installed, httpx2 does the same."""

import subprocess
import sys

SCRIPT = """
import json
import sys

for name in sys.argv[1:]:
    sys.modules[name] = None  # as if it was not installed

from wholesale.errors import WholesaleError
from wholesale.http import Client, Traffic, httpx
from wholesale.settings import ApiSettings
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

with Sandbox(SandboxSettings(orders=3)) as sandbox:
    for key in ("sandbox", "another"):
        settings = ApiSettings(base_url=sandbox.base_url, api_key=key)
        for path in ("/orders", "/orders/none"):
            try:
                with Client(settings) as client:
                    traffic = Traffic()
                    found = client.get(path, {}, read=json.loads, traffic=traffic)
                    print(path, len(found["data"]), traffic)
            except WholesaleError as error:
                print(type(error).__name__, str(error).replace(sandbox.base_url, ""))
nobody = "http://127.0.0.1:9/api/external/v1"
settings = ApiSettings(base_url=nobody, api_key="sandbox", deadline_seconds=1)
try:
    with Client(settings, sleep=lambda seconds: None) as client:
        client.get("/orders", {}, read=json.loads, traffic=Traffic())
except WholesaleError as error:
    print(type(error).__name__)
print(httpx.__name__, file=sys.stderr)
"""


def run_without(*names: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.strip()


def test_both_libraries_give_the_same_answers_and_errors() -> None:
    told, library = run_without()
    again, second = run_without("httpx", "httpcore")

    assert (library, second) == ("httpx", "httpx2")
    assert again == told
    assert told.splitlines()[-1] == "Unavailable"
