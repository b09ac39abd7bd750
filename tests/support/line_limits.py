"""Line limits: how much there is to read, which `poe lint` keeps from growing.

What the reading path is, the guide says with which `import wholesale` begins.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from support.paths import ROOT

EXTRACTOR = ROOT / "sources/wholesale"
LIMITS = {
    "lines on the reading path": 5_428,
    "lines of the extractor": 13_727,
    "lines of its largest class": 250,
}
"""To be lowered whenever less is left, and not raised: to 5,000 and 11,500 lines."""
STEP = re.compile(r"^\d+\. (`.+?)(?: but not (`[^:]+`))?: ", re.MULTILINE)
"""A line of the guide: packages and modules as paths, and modules of them that may be skipped."""


def reading_path(guide: str) -> set[Path]:
    """The files that a guide names. Raises: ValueError for one that is not there."""
    found: set[Path] = set()
    for named, skipped in STEP.findall(guide):
        paths = re.findall(r"`([\w/]+)`", named)
        without = {f"{path}/{name}" for path in paths for name in re.findall(r"`(\w+)`", skipped)}
        found |= {file for path in paths for file in _files(path)}
        found -= {file for path in without for file in _files(path)}
    return found


def _files(path: str) -> list[Path]:
    file = EXTRACTOR / f"{path}.py"
    files = [file] if file.exists() else sorted((EXTRACTOR / path).rglob("*.py"))
    if not files:
        raise ValueError(f"the guide in wholesale/__init__.py names {path}, which is not there")
    return files


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def _classes(path: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield (node.end_lineno or 0) - node.lineno + 1


def counts() -> dict[str, int]:
    """The lines there are, by what LIMITS limits."""
    files = sorted(EXTRACTOR.rglob("*.py"))
    guide = ast.get_docstring(ast.parse((EXTRACTOR / "__init__.py").read_text("utf-8")))
    numbers = (
        sum(map(_lines, reading_path(guide or ""))),
        sum(map(_lines, files)),
        max(lines for file in files for lines in _classes(file)),
    )
    return dict(zip(LIMITS, numbers, strict=True))


def main() -> int:
    """Print the counts; 1 if one is above its limit."""
    found = counts()
    for name, count in found.items():
        print(f"{count:6,} {name}, of at most {LIMITS[name]:,}")
    if all(count <= LIMITS[name] for name, count in found.items()):
        return 0
    print("Take out as many lines as you add; the guide in wholesale/__init__.py names the files.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
