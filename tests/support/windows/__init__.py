"""Windows: the environment of a process that lacks what Python has only elsewhere."""

import os
from pathlib import Path

LACKING = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
