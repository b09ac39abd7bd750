"""`poe fuzz --minutes N`: all targets, guided by what they reach; what is found becomes a seed."""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from fuzz.targets import GROUPS

SEEDS = Path(__file__).parent / "seeds"
TESTS = Path(__file__).parents[1]
TRIED = re.compile(r"^Done (\d+) runs", re.MULTILINE)
"""What libFuzzer says once its time is over and every input has held."""


def fuzz(group: int, seconds: float, into: Path) -> tuple[int, str]:
    """How many inputs a group held, and what was said of the first that it fails of, which is put
    `into` a folder of the target's name; nothing where there was none."""
    targets = GROUPS[group]
    with tempfile.TemporaryDirectory() as folder:
        corpus, findings = Path(folder, "corpus"), Path(folder, "findings")
        corpus.mkdir()
        findings.mkdir()
        _sow(targets, corpus)
        command = [sys.executable, "-m", "fuzz.guided", str(group), str(round(seconds))]
        done = subprocess.run(
            [*command, str(corpus), str(findings)],
            cwd=TESTS,
            capture_output=True,
            text=True,
            errors="replace",
        )
        said = done.stdout + done.stderr
        tried = sum(int(count) for count in TRIED.findall(said))
        if tried:  # to the end; it may still fall as it leaves, with libraries' threads at work
            return tried, ""
        for path in findings.iterdir():
            if not path.stat().st_size:  # it fell outside of a target
                continue
            number, *data = path.read_bytes()
            place = into / targets[number].__name__ / sha256(bytes(data)).hexdigest()[:12]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(bytes(data))
    return tried, said or f"it ended with code {done.returncode}"


def _sow(targets: Sequence[Callable[[bytes], None]], corpus: Path) -> None:
    for number, target in enumerate(targets):
        for seed in (SEEDS / target.__name__).iterdir():
            name = f"{target.__name__}-{seed.name}"
            (corpus / name).write_bytes(bytes([number]) + seed.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(prog="poe fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--findings", type=Path, default=SEEDS, help="where what is found goes")
    options = parser.parse_args()
    is_failed = False
    for number, targets in enumerate(GROUPS):
        tried, said = fuzz(number, options.minutes * 60 / len(GROUPS), options.findings)
        is_failed |= bool(said)
        print(said, end="", file=sys.stderr)
        names = ", ".join(target.__name__ for target in targets)
        print(f"{names}: {'FAILED' if said else f'{tried:,} inputs held'}")
    sys.exit(is_failed)


if __name__ == "__main__":
    main()
