"""Reading: the project in a dialect, rendered if a file has changed since it last was."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree

import msgspec

from wholesale_elt.models.project import Check, Model, Project
from wholesale_elt.models.rendering.sources import NOTHING, Own, Sources, digest_of, read_sources
from wholesale_elt.process import replace
from wholesale_elt.warehouse import Dialect

RENDERERS = ("wholesale-elt", "jinja2")
"""Packages whose versions may change what is rendered, besides the modules here."""

_rendered: dict[str, Project] = {}
"""By the digest of what it was rendered from."""


def read_project(dialect: Dialect, folder: Path | None = None, own: Own = NOTHING) -> Project:
    """The models, tests and queries in a dialect; kept in `folder` for the next command, which then
    need not render; with what users add.

    Raises: NotRendered naming the file and line that cannot be.
    """
    sources = read_sources(dialect, own)
    digest = _digest(sources, dialect)
    kept = folder / f"{digest}.json" if folder else None
    stored = _read(kept) if kept else None
    if digest not in _rendered:
        _rendered[digest] = stored or _render(sources, dialect)
    if kept and not stored:
        rmtree(kept.parent, ignore_errors=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        text = msgspec.json.encode(_rendered[digest])
        replace(kept, lambda partial: partial.write_bytes(text))
    return _rendered[digest]


@cache
def rendered(text: str, dialect: Dialect) -> str:
    """SQL of one's own in a dialect: written with the macros of the project, it means by a word
    what the models mean by it.

    Raises: NotRendered.
    """
    from wholesale_elt.models.rendering.nodes import Renderer

    return Renderer(read_sources(dialect), dialect).text(text)


def _render(sources: Sources, dialect: Dialect) -> Project:
    from wholesale_elt.models.rendering.nodes import QUERY, Renderer  # with Jinja, seldom needed
    from wholesale_elt.models.rendering.order import in_order, of_each_sync

    renderer = Renderer(sources, dialect)
    nodes = list(renderer.nodes())
    queries = {node.name: node.sql for node in nodes if node.kind == QUERY}
    ordered = in_order(node for node in nodes if node.kind != QUERY)
    each = of_each_sync(ordered)
    models, checks = list[Model](), list[Check]()
    for node in ordered:
        file = node.path if node.path in sources.own.files else ""
        if node.kind == "model":
            is_of_each = node.id in each
            columns = dict(node.columns)
            models.append(
                Model(node.name, node.layer, node.made, node.sql, columns, is_of_each, file)
            )
        else:
            is_error, line = node.made == "error", node.line if file else None
            read = [each.name for each in ordered if each.id in node.parents]
            model = node.model or (read or [""])[-1]
            checks.append(Check(node.name, model, is_error, node.sql, node.id in each, file, line))
    return Project(
        *(models, checks, queries["digests"], queries["inputs"], renderer.raw_tables()),
        *(sources.digest, sources.own.fields),
    )


def _read(kept: Path) -> Project | None:
    try:
        return msgspec.json.decode(kept.read_bytes(), type=Project)
    except (OSError, msgspec.DecodeError):
        return None


def _digest(sources: Sources, dialect: Dialect) -> str:
    """A digest of all that a project is rendered from, and by."""
    own = {path.name: path.read_text("utf-8") for path in Path(__file__).parent.glob("*.py")}
    told: Mapping[str, str] = {
        "dialect": f"{dialect.name} {dialect.quote}",
        "versions": " ".join(map(version, RENDERERS)),
    }
    added = {f"parameter {name}": value for name, value in sources.own.parameters.items()}
    added["fields"] = repr(sources.own.fields)
    return digest_of(
        {**sources.files, **sources.macros, **own, **sources.own.files, **added, **told}
    )
