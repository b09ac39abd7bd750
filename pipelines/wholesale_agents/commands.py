"""`wholesale mcp`: answers agents about the published version."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale_elt.cli import Output, published_option, warehouse_boundary
from wholesale_elt.process import import_extra, serve

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse


@click.command(short_help="Answer agents about the published version, by MCP.")
@published_option
@click.option(*("--sql", "allows_sql"), is_flag=True, help="Also answer a SELECT of their own.")
@click.option(
    *("--http", "address"),
    metavar="HOST:PORT",
    help="Answer there over HTTP, to whoever has the token (setting agents.token).",
)
@warehouse_boundary
def mcp(
    output: Output,
    warehouse: "Warehouse",
    published: Path,
    allows_sql: bool,
    address: str | None,
) -> None:
    """Answer agents and notebooks about the published version, by the Model Context Protocol.

    They can ask for metrics and reports by name, what these mean, how fresh they are, and the
    orders behind a figure; each answer says whether it is certified complete, and as of when. The
    server speaks over standard input and output, or over HTTP, reads only the published files, and
    writes nothing; but why a figure moved since a moment of which no version is kept is told of the
    past of the warehouse, if that is there.
    """

    with ExitStack() as serving:
        serve(serving.close)
        import_extra("mcp", "mcp")
        from wholesale_agents.server import make_server
        from wholesale_agents.sql_process import SqlProcess

        process = serving.enter_context(SqlProcess()) if allows_sql else None
        server = make_server(published, warehouse, process=process)
        if address is None:
            server.run("stdio")
            return
        from wholesale_agents.over_http import serve_http
        from wholesale_agents.settings import read_token

        serve_http(server, read_token(), address, output.progress)
