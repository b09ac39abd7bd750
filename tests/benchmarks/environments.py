"""A virtual environment of its own for each set of pinned requirements, kept between runs."""

import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENTS = Path(__file__).with_name("requirements")


def environment(cache: Path, name: str, before: Path | None = None) -> Path:
    """Folder of programs of the environment `name`, which is made when it is not there.

    `ours` also holds the project itself as it stands in this checkout, and `before` as it stands
    in that one.
    """
    checkout = {"ours": ROOT, "before": before}.get(name)
    wanted = REQUIREMENTS / f"{'ours' if checkout else name}.txt"
    project = ["--editable", str(checkout)] if checkout else []
    declared = str(checkout).encode() if checkout else b""
    declared += (checkout / "pyproject.toml").read_bytes() if checkout else b""
    version = sha256(wanted.read_bytes() + declared + sys.version.encode()).hexdigest()[:12]
    folder = cache / f"{name}-{version}"
    is_complete = folder / "complete"
    if not is_complete.exists():
        print(f"making the environment {name}", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        install = (str(folder / "bin" / "python"), "-m", "pip", "install")
        quietly = ("--quiet", "--quiet", "--disable-pip-version-check")
        subprocess.run([*install, *quietly, "--requirement", str(wanted), *project], check=True)
        is_complete.touch()
    return folder / "bin"
