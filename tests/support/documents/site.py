"""Site: all documents as pages with a search, which ask no other host and need no server.

`poe docs` builds it in the folder `docs`. A link to what is no document leads to `SOURCE_URL`.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from support.documents.links import at_source, relinked
from support.documents.readmes import documents
from support.paths import ROOT

CHAPTERS: Mapping[str, Mapping[str, str]] = {
    "Begin": {
        "README.md": "wholesale-elt",
        "pipelines/wholesale_elt/cli/README.md": "The command line",
        "pipelines/wholesale_elt/SETTINGS.md": "All settings",
        "sources/wholesale/sync/README.md": "Is it complete?",
    },
    "The data": {
        "pipelines/wholesale_elt/load/README.md": "Raw tables",
        "sql/README.md": "Tables, reports, metrics",
        "sql/RAW_COLUMNS.md": "Where each column arrives",
        "pipelines/wholesale_elt/past/README.md": "The past",
        "sources/wholesale/api/README.md": "The service",
    },
    "Read and ask": {
        "pipelines/wholesale_elt/publish/README.md": "Published files",
        "pipelines/wholesale_elt/dashboard/README.md": "Dashboard",
        "pipelines/wholesale_elt/differences/README.md": "Why a figure moved",
        "pipelines/wholesale_elt/publish/bi-tools.md": "BI tools",
        "pipelines/wholesale_spreadsheets/README.md": "Excel and CSV",
        "pipelines/wholesale_next/README.md": "Next orders",
        "pipelines/wholesale_books/README.md": "Books",
        "pipelines/wholesale_letters/README.md": "Letters",
        "pipelines/wholesale_agents/README.md": "Agents, by MCP",
        "pipelines/wholesale_formats/README.md": "Metrics for other tools",
    },
    "Run it": {
        "pipelines/schedulers/README.md": "Schedulers",
        "pipelines/wholesale_elt/monitoring/README.md": "Monitoring",
        "pipelines/wholesale_elt/warehouse/README.md": "Warehouses",
        "pipelines/wholesale_lake/README.md": "Lakes",
        "pipelines/wholesale_buckets/README.md": "Buckets",
        "pipelines/wholesale_fleet/README.md": "Many accounts",
        "pipelines/wholesale_fleet/consolidation/README.md": "All accounts in one place",
        "pipelines/wholesale_elt/answers/README.md": "Ask from Python",
        "pipelines/wholesale_elt/verification/README.md": "Verification",
        "pipelines/wholesale_lineage/README.md": "Lineage",
    },
    "Trust": {
        "sources/wholesale/privacy/README.md": "Privacy",
        "pipelines/wholesale_erasure/README.md": "Erasing a person",
        "sources/wholesale/http/README.md": "HTTP, and threats",
    },
    "Develop": {
        ".github/CONTRIBUTING.md": "Contributing",
        "sources/wholesale_sandbox/README.md": "The sandbox",
        "tests/benchmarks/README.md": "How fast it is",
        "pipelines/wholesale_elt/dashboard/DESIGN.md": "How the dashboard looks",
        "CHANGELOG.md": "Changes",
    },
}
"""Every document, with its short title, in the order in which the site lists them."""
FIRST = "README.md"
SETTINGS: Mapping[str, Any] = {
    "project": "wholesale-elt",
    "extensions": ["myst_parser"],
    "html_theme": "furo",
    "html_title": "wholesale-elt",
    "html_static_path": [str(Path(__file__).with_suffix(".css"))],
    "html_css_files": ["site.css"],
    "html_copy_source": False,
    "html_use_index": False,
    "myst_heading_anchors": 4,
    "smartquotes": False,
    "suppress_warnings": ["misc.highlighting_failure"],  # blocks with `…` in them
}


def names() -> dict[Path, str]:
    """The page of each document, without its ending.

    Raises: ValueError if CHAPTERS is not all documents.
    """
    titles = {ROOT / path: title for pages in CHAPTERS.values() for path, title in pages.items()}
    if differing := set(documents()) ^ titles.keys():
        raise ValueError(f"not in CHAPTERS, or not there: {', '.join(map(str, differing))}")
    return {
        path: "index" if path == ROOT / FIRST else "-".join(re.findall(r"[a-z]+", title.lower()))
        for path, title in titles.items()
    }


def write_pages(folder: Path) -> None:
    """The documents as Sphinx reads them, their pictures beside them, and the list of chapters."""
    pages = names()

    def picture(path: Path) -> str:
        (folder / "pictures").mkdir(exist_ok=True)
        shutil.copy(path, folder / "pictures")
        return f"pictures/{path.name}"

    def file(path: Path) -> str | None:
        return f"{pages[path]}.md" if path in pages else at_source(ROOT, "blob")(path)

    for path, name in pages.items():
        text = relinked(path.read_text("utf-8"), path.parent, file, picture)
        if path == ROOT / FIRST:
            text += "\n" + "\n".join(_chapters(pages))
        (folder / f"{name}.md").write_text(text, "utf-8")


def _chapters(pages: Mapping[Path, str]) -> Iterator[str]:
    for caption, chapter in CHAPTERS.items():
        yield f"```{{toctree}}\n:hidden:\n:caption: {caption}\n"
        for path, title in chapter.items():
            yield f"{title} <{'self' if path == FIRST else pages[ROOT / path]}>"
        yield "```\n"


def build(out: Path) -> int:
    """Write the site into this folder; 1 if a link leads nowhere, which is said on stderr."""
    with tempfile.TemporaryDirectory() as kept, docutils_namespace(), patch_docutils():
        source, trees = Path(kept, "pages"), Path(kept, "trees")
        source.mkdir()
        write_pages(source)
        app = Sphinx(
            *(source, None, out, trees, "html"),
            confoverrides=dict(SETTINGS),
            status=None,
            warningiserror=True,
        )
        app.build()
        shutil.copytree(source / "pictures", out / "pictures", dirs_exist_ok=True)
    return app.statuscode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "docs")
    out = parser.parse_args().to
    status = build(out)
    print(out / "index.html")
    sys.exit(status)
