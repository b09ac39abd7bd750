"""Guided: all targets under libFuzzer, which keeps the inputs that reach more of the code.

`python -m fuzz.guided SECONDS CORPUS FINDINGS`. The first byte of an input names its target. What
reaches something new goes to CORPUS; what a target fails of goes to FINDINGS, and the process ends
with another code than 0.
"""

import sys

import atheris

with atheris.instrument_imports(include=["wholesale", "wholesale_elt"]):
    from fuzz.targets import TARGETS

LONGEST = 4_096
"""Bytes of an input."""


def try_one(data: bytes) -> None:
    if data and data[0] < len(TARGETS):
        list(TARGETS.values())[data[0]](data[1:])


def main(seconds: str, corpus: str, findings: str) -> None:
    options = [f"-max_total_time={seconds}", f"-artifact_prefix={findings}/", f"-max_len={LONGEST}"]
    atheris.Setup([sys.argv[0], *options, corpus], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
