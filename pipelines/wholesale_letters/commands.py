"""`wholesale letter`: today as a mail to each recipient; `wholesale run` sends them too."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale.errors import ConfigurationError
from wholesale_elt.cli import (
    Exit,
    Failure,
    Output,
    json_option,
    published_option,
    say,
    warehouse_boundary,
)

if TYPE_CHECKING:
    from wholesale_elt.warehouse import Warehouse
    from wholesale_letters.editions import Editions
    from wholesale_letters.sending import Outcome
    from wholesale_letters.settings import LetterSettings, Recipient

Delivery = Callable[[Output, "Warehouse", str], Failure | None]
NAME = "letter"


@click.command(short_help="Send today as a mail to each recipient.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the letters into this folder, and send none.",
)
@click.option(
    *("--dry-run", "is_dry"), is_flag=True, help="Print the letters as text, and send none."
)
@click.option(
    *("--again", "is_again"),
    is_flag=True,
    help="Send also what was refused for good, or was under way when a command was killed.",
)
@published_option
@json_option
@warehouse_boundary
def letter(
    output: Output,
    warehouse: "Warehouse",
    folder: Path | None,
    is_dry: bool,
    is_again: bool,
    published: Path,
) -> Failure | None:
    """Send what is new, what there is to do and how the month goes, as published, to each recipient
    of `[letters]`: once a version, whatever is killed.

    Without recipients, --to and --dry-run make the letter on everything.
    """
    from wholesale_letters.editions import open_editions
    from wholesale_letters.settings import read_settings

    settings = read_settings()
    if not (folder or is_dry):
        return _send(output, warehouse, published, settings, is_again=is_again)
    with open_editions(warehouse, published) as editions:
        made = _make(editions, settings, folder)
    output.answer({"letters": made, "version": editions.manifest.version})
    for each in made:
        say(output.console(), each["text"] if is_dry else f"{each['file']}: {each['subject']}")
    return _doubt(editions)


def wanted() -> Mapping[str, Delivery]:
    """What `wholesale run` delivers after a publication, if somebody is to get a letter.

    Raises: ConfigurationError, also where no mail can be sent or an extra is missing.
    """
    from wholesale_elt.monitoring import read_mail_server
    from wholesale_elt.process import import_extra
    from wholesale_letters.settings import read_settings

    settings = read_settings()
    if not settings.recipients:
        return {}
    read_mail_server()
    if settings.pdf:
        import_extra("typst", "letters")
    return {"letters": _deliver}


def _deliver(output: Output, warehouse: "Warehouse", place: str) -> Failure | None:
    from wholesale_elt.publish import folder_at
    from wholesale_letters.settings import read_settings

    folder = folder_at(place)
    if folder is None:
        raise ConfigurationError(
            f"letters are made from a folder, and {place} is none: publish --to a folder, too"
        )
    return _send(output, warehouse, folder, read_settings(), is_run=True)


def _send(
    output: Output,
    warehouse: "Warehouse",
    published: Path,
    settings: "LetterSettings",
    *,
    is_again: bool = False,
    is_run: bool = False,
) -> Failure | None:
    from wholesale_elt.monitoring import read_mail_server
    from wholesale_letters.editions import open_editions
    from wholesale_letters.sending import Mailing, failures

    if not settings.recipients:
        raise ConfigurationError(
            "setting letters.recipients is missing, so nobody gets a letter: set it in"
            " .dlt/config.toml, or --to FOLDER writes the letter on everything"
        )
    server = read_mail_server()
    delivered: list[Outcome] = []
    with open_editions(warehouse, published) as editions:
        mailing = Mailing(warehouse, editions, settings, server, is_again)
        for each in mailing.deliver(datetime.now(UTC)):
            delivered.append(each)
            say(output.console(), _line(each))
    if not is_run:
        output.answer(_document(editions, delivered))
    if told := failures(delivered):
        return Failure("; ".join(told), Exit.FAILED)
    return None if is_run else _doubt(editions)


def _line(each: "Outcome") -> str:
    to = f"{each.recipient.address}{f' ({each.recipient.only})' if each.recipient.only else ''}"
    return f"letter to {to}: {each.result}"


def _document(editions: "Editions", delivered: "Sequence[Outcome]") -> Mapping[str, object]:
    return {
        "version": editions.manifest.version,
        "letters": [
            {
                "address": each.recipient.address,
                "only": each.recipient.only,
                "result": each.result,
                "version": each.version,
                "message_id": each.message_id,
                "why": each.why or None,
            }
            for each in delivered
        ],
        "sent": sum(each.result == "sent" for each in delivered),
        "not_sent": sum(each.result.split()[0] in UNSENT for each in delivered),
    }


UNSENT = ("waiting", "refused", "doubtful", "not made")


def _doubt(editions: "Editions") -> Failure | None:
    manifest = editions.manifest
    if manifest.is_complete:
        return None
    reasons = "; ".join(manifest.reasons)
    return Failure(f"these figures are not certified complete: {reasons}", Exit.INCOMPLETE)


def _make(
    editions: "Editions", settings: "LetterSettings", folder: Path | None
) -> Sequence[Mapping[str, str]]:
    """A letter for each recipient, in files if a folder is given."""
    from wholesale_letters.html import html_of
    from wholesale_letters.letter import Asked
    from wholesale_letters.text import text_of

    now = datetime.now(UTC)
    made = []
    for recipient in settings.recipients or (None,):
        only = recipient.only if recipient else None
        edition = editions.of(only)
        page = settings.page_of(recipient) if recipient else settings.address
        found = edition.letter(Asked(now, page=page))
        told = {"subject": found.subject, "text": text_of(found)}
        if recipient:
            told["address"] = recipient.address
        if folder:
            name = _name(recipient)
            files = {
                f"{name}.html": html_of(found).encode(),
                f"{name}.txt": text_of(found).encode(),
            }
            for file, content in edition.attached(found, settings).items():
                files[f"{name}{Path(file).suffix}"] = content
            folder.mkdir(parents=True, exist_ok=True)
            for file, content in files.items():
                (folder / file).write_bytes(content)
            told["file"] = str(folder / f"{name}.html")
        made.append(told)
    return made


def _name(recipient: "Recipient | None") -> str:
    """A name for the files of a letter."""
    if recipient is None:
        return NAME
    kept = "".join(c if c.isalnum() or c in "@.-_" else "_" for c in recipient.address)
    return f"{kept}{f'_{recipient.key}' if recipient.only else ''}"
