"""Paths: the working copy, and the material that may stand beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SANDBOX_README = ROOT / "sources/wholesale_sandbox/README.md"
SHARED = ROOT.parent / "shared"
DESCRIPTION = SHARED / "api/api.txt"
