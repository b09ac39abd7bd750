"""`wholesale mcp`: answers agents about the published version."""

from pathlib import Path

import click

from wholesale_elt.cli import Output, error_boundary, published_option
from wholesale_elt.process import import_extra


@click.command(short_help="Answer agents about the published version, by MCP.")
@published_option
@click.option(*("--sql", "allows_sql"), is_flag=True, help="Also answer a SELECT of their own.")
@click.option(
    *("--http", "address"),
    metavar="HOST:PORT",
    help="Answer there over HTTP, to whoever has the token (setting agents.token).",
)
@error_boundary
def mcp(output: Output, published: Path, allows_sql: bool, address: str | None) -> None:
    """Answer agents and notebooks about the published version, by the Model Context Protocol.

    They can ask for metrics and reports by name, what these mean, how fresh they are, and the
    orders behind a figure; each answer says whether it is certified complete, and as of when. The
    server speaks over standard input and output, or over HTTP, reads only the published files, and
    writes nothing.
    """

    import_extra("mcp", "mcp")
    from wholesale_agents.server import make_server

    server = make_server(published, allows_sql=allows_sql)
    if address is None:
        server.run("stdio")
        return
    from wholesale_agents.over_http import serve_http
    from wholesale_agents.settings import read_token

    serve_http(server, read_token(), address, output.progress)
