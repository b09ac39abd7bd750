"""`poe fuzz --minutes N`: all targets, guided by what they reach; what is found becomes a seed."""

import argparse
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"
TESTS = Path(__file__).parents[1]


def fuzz(seconds: float, into: Path) -> str:
    """What was said of the first input that a target fails of, which is put `into` a folder of the
    target's name; nothing where there was none."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, findings = Path(folder, "corpus"), Path(folder, "findings")
        corpus.mkdir()
        findings.mkdir()
        for number, name in enumerate(TARGETS):
            for seed in (SEEDS / name).iterdir():
                (corpus / f"{name}-{seed.name}").write_bytes(bytes([number]) + seed.read_bytes())
        command = [sys.executable, "-m", "fuzz.guided", str(round(seconds))]
        done = subprocess.run(
            [*command, str(corpus), str(findings)],
            cwd=TESTS,
            capture_output=True,
            text=True,
            errors="replace",
        )
        for path in findings.iterdir():
            number, *data = path.read_bytes()
            place = into / list(TARGETS)[number] / sha256(bytes(data)).hexdigest()[:12]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(bytes(data))
    return done.stdout + done.stderr if done.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="poe fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--findings", type=Path, default=SEEDS, help="where what is found goes")
    options = parser.parse_args()
    said = fuzz(options.minutes * 60, options.findings)
    print(said, end="", file=sys.stderr)
    sys.exit(1 if said else 0)


if __name__ == "__main__":
    main()
