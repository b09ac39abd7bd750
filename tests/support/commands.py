"""Commands: all of `wholesale`, those of plug-ins among them."""

from collections.abc import Mapping

import click

from wholesale_elt.cli.main import cli


def _all() -> Mapping[str, click.Command]:
    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: command for name, command in found.items() if command}


COMMANDS = _all()
"""By name."""
