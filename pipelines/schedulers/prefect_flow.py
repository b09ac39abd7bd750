"""Prefect: a flow that ends as `Completed`, `Incomplete` or `Failed`.

`python prefect_flow.py` serves it every night.
"""

import json
import os
import subprocess

from prefect import State, flow
from prefect.states import Completed, Failed

INCOMPLETE = 3


@flow(retries=2, retry_delay_seconds=600)
def wholesale() -> State:
    done = subprocess.run(
        ["wholesale", "run", "--json"],
        cwd=os.environ.get("WHOLESALE_FOLDER", "/srv/wholesale"),
        stdout=subprocess.PIPE,
    )
    error = json.loads(done.stdout)["error"]
    if done.returncode == 0:
        return Completed()
    if done.returncode == INCOMPLETE:
        return Completed(name="Incomplete", message=error)
    return Failed(message=error)


if __name__ == "__main__":
    wholesale.serve(name="nightly", cron="15 2 * * *")
