"""Growth: a worker holds the same memory, however many accounts it goes through."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

WORKER = """
import sys
from pathlib import Path
from wholesale_elt.cli.main import cli
from wholesale_fleet import children

children.COMMAND = (sys.executable, "-S", "-c", "print('{}')")
words = ["sync", "--all", "--workers", "8", "--quiet", "--json"]
cli(words, standalone_mode=False)
print(Path("/proc/self/status").read_text(), file=sys.stderr)
"""
MOST_MORE = 8 * 1024
"""KiB: a run that grows with the number of accounts takes more for a hundred."""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
def test_a_hundred_accounts_take_no_more_memory_than_one(tmp_path: Path) -> None:
    peaks = []
    for count in (1, 10, 100):
        tables = "".join(
            f'[accounts.a{number}]\nbase_url = "https://a{number}.test/api/external/v1"\n'
            for number in range(count)
        )
        (tmp_path / "accounts.toml").write_text(tables)
        done = subprocess.run(
            [sys.executable, "-c", WORKER], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.stdout.count('"result": "complete"') == count + 1
        peaks.append(int(re.findall(r"VmHWM:\s+(\d+) kB", done.stderr)[0]))

    assert max(peaks) - peaks[0] < MOST_MORE, peaks
