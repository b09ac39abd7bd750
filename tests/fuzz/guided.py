"""Guided: a group of targets under libFuzzer, which keeps the inputs that reach more of the code.

`python -m fuzz.guided GROUP SECONDS CORPUS FINDINGS`. The first byte of an input names its target
in the group. What reaches something new goes to CORPUS; what a target fails of goes to FINDINGS,
and the process ends with another code than 0.
"""

import sys

import atheris

with atheris.instrument_imports(include=["wholesale", "wholesale_elt"]):
    from fuzz.targets import GROUPS

LONGEST = 4_096
"""Bytes of an input."""


def main(group: str, seconds: str, corpus: str, findings: str) -> None:
    targets = GROUPS[int(group)]

    def try_one(data: bytes) -> None:
        if data and data[0] < len(targets):
            targets[data[0]](data[1:])

    options = [
        f"-max_total_time={seconds}",
        f"-artifact_prefix={findings}/",
        f"-max_len={LONGEST}",
        "-report_slow_units=86400",  # a whole sync takes what it takes
    ]
    atheris.Setup([sys.argv[0], *options, corpus], try_one)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
