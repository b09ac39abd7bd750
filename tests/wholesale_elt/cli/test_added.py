"""A plug-in adds a command, and options to a command of the core; one that cannot run says why."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from support.plugins import MODULE, install
from wholesale_elt.cli.added import Commands
from wholesale_elt.cli.output import Exit

SOURCE = """
    from copy import copy
    import click

    @click.command()
    def wave():
        click.echo("hello")

    def louder(command):
        def both(is_loud, **given):
            click.echo("LOUD" if is_loud else "soft")
            return command.callback(**given)

        made = copy(command)
        made.callback = both
        made.params = [*command.params, click.Option(["--loud", "is_loud"], is_flag=True)]
        return made
"""


@click.command()
@click.argument("word")
def say(word: str) -> None:
    click.echo(word)


def invoke(*words: str) -> Result:
    return CliRunner().invoke(Commands("wholesale", commands={"say": say}), words)


def test_a_command_is_added_and_one_of_the_core_gets_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"commands": {"wave": f"{MODULE}:wave", "say": f"{MODULE}:louder"}}
    install(tmp_path, monkeypatch, points, SOURCE)

    assert invoke("wave").output == "hello\n"
    assert invoke("say", "word", "--loud").output == "LOUD\nword\n"
    assert invoke("say", "word").output == "soft\nword\n"
    assert "wave" in invoke("--help").output
    assert say.params == [param for param in say.params if param.name == "word"]


def test_a_command_whose_library_is_missing_is_listed_and_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {"commands": {"wave": f"{MODULE}:wave [waving]"}}
    install(tmp_path, monkeypatch, points, "import a_flag_that_nobody_has")

    refused = invoke("wave", "--high", "5")

    assert "wave" in invoke("--help").output
    assert refused.exit_code == Exit.CONFIGURATION
    assert "[waving]" in refused.output
