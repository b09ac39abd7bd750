"""Growth: publishing a fleet takes hardly more memory for many accounts than for one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.warehouses.fleets import Desk

WORKER = """
import sys
from pathlib import Path
from wholesale_fleet.consolidation import AccountFolder, consolidate

folder = Path(sys.argv[1])
places = [AccountFolder(path.name, path, "complete") for path in folder.iterdir()]
found = consolidate(places, folder.parent / "fleet", keep=2)
print(len(found.changed), Path("/proc/self/status").read_text())
"""
MOST_MORE = 64 * 1024
"""KiB: names of columns and files, and what DuckDB holds of sums; rows of orders are not read."""


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
def test_a_hundred_accounts_take_hardly_more_memory_than_one(desk: Desk, tmp_path: Path) -> None:
    peaks = []
    for count in (1, 10, 100):
        folder = tmp_path / f"{count} accounts" / "published"
        for number in range(count):
            shutil.copytree(desk.account("east"), folder / f"a{number}", copy_function=os.link)
        done = subprocess.run(
            [sys.executable, "-c", WORKER, folder], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith(f"{count} ")
        peaks.append(int(re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)[0]))

    assert max(peaks) - peaks[0] < MOST_MORE, peaks
