"""Metadata of the package: README as its description, with links that lead somewhere on any site.

Whoever releases says where the repository is shown: SOURCE_URL=https://HOST/OWNER/NAME. Without it
links to other files become their words, as no address of them is known.
"""

import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Description(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root).resolve()
        links = runpy.run_path(str(root / "tests/support/documents/links.py"))
        file, picture = (links["at_source"](root, kind) for kind in ("blob", "raw"))
        text = links["relinked"]((root / "README.md").read_text("utf-8"), root, file, picture)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        shown = {"Source": root, "Changelog": root / "CHANGELOG.md"}
        metadata["urls"] = {name: url for name, path in shown.items() if (url := file(path))}
