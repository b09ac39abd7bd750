"""The peak memory of one command, and of nothing else."""

import subprocess
import sys
from collections.abc import Mapping, Sequence

# A process inherits the peak of the one that starts it: here, the whole test run's. So a small
# one stands between, and tells the peak of the only child that it ever has.
WITNESS = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""


def peak_kib(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the command to its end and return the most memory it held, in KiB.

    Raises: AssertionError when the command does not exit with 0.
    """
    done = subprocess.run(
        [sys.executable, "-c", WITNESS, *command],
        env=dict(environment),
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stderr.splitlines()[-1])
