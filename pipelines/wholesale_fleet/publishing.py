"""Publishing: publishes the versions of all accounts together."""

from pathlib import Path

from wholesale.errors import ConfigurationError
from wholesale_elt.publish import folder_at
from wholesale_fleet.accounts import Fleet
from wholesale_fleet.consolidation import AccountFolder, Consolidation, consolidate
from wholesale_fleet.standing import read_standing

NAME = "_fleet"
"""The folder beside those of the accounts; no account can have that name."""


def publish_fleet(fleet: Fleet, *, keep: int) -> Consolidation:
    """Publish the versions of all accounts together, beside them.

    Only the certificates of their warehouses are read, as by `status`.

    Raises: ConfigurationError if accounts are published in a bucket or catalogue; as
    `consolidate`.
    """
    folder = published_folder(fleet)
    if folder is None:
        raise ConfigurationError(
            f"the accounts are published in {fleet.published}, and a fleet is made of folders:"
            " let setting published name one"
        )
    standings = [read_standing(fleet, account) for account in fleet.accounts]
    places = [
        AccountFolder(
            account_id=standing.account.name,
            folder=folder / standing.account.name,
            status=standing.word,
            status_as_of=standing.complete_as_of,
            trouble=standing.trouble,
        )
        for standing in standings
    ]
    return consolidate(places, folder / NAME, keep=keep)


def published_folder(fleet: Fleet) -> Path | None:
    """The folder in which accounts are published; None if it is no folder."""
    return folder_at(fleet.published)
