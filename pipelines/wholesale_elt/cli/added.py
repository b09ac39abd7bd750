"""Added commands: those of plug-ins, and what plug-ins add to commands of the core.

An entry point of the group `wholesale.commands` is a command; or, under the name of a command of
the core, a function that takes this command and returns it with more options. One of the group
`wholesale.deliveries` is a function that takes nothing, reads its settings, and gives what `run`
does after a publication, each by a name.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

import click

from wholesale.errors import ConfigurationError
from wholesale_elt.cli.output import Failure, Output
from wholesale_elt.process import plugin_names, plugins

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse

Extension = Callable[[click.Command], click.Command]
Delivery = Callable[[Output, "Warehouse", str], Failure | None]
"""Delivers what is published of the warehouse in a place; a failure, if not all of it was."""


class Commands(click.Group):
    """A group whose commands of plug-ins are imported when they are named or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *plugin_names("commands")})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        try:
            for added in plugins("commands", cmd_name):
                if isinstance(added, click.Command):
                    command = added
                elif command:
                    command = cast(Extension, added)(command)
        except ConfigurationError as error:
            return _refused(cmd_name, str(error))
        return command


def read_deliveries() -> Mapping[str, Delivery]:
    """All that is wanted, by name.

    Raises: ConfigurationError for a setting that cannot be right, and for one that wants what is
    not installed.
    """
    wanted: dict[str, Delivery] = {}
    for plugin in plugins("deliveries"):
        wanted |= plugin()
    return dict(sorted(wanted.items()))


def _refused(name: str, reason: str) -> click.Command:
    """A command that says why it cannot run, so that the others can be listed."""

    def refuse(words: tuple[str, ...]) -> None:
        raise click.UsageError(reason)

    return click.Command(
        name,
        callback=refuse,
        params=[click.Argument(["words"], nargs=-1)],
        short_help=reason,
        context_settings={"ignore_unknown_options": True},
    )
