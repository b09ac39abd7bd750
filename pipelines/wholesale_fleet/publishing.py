"""Publishing: publishes the versions of all accounts together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from wholesale.errors import ConfigurationError
from wholesale_elt.figures import NO_CURRENCY
from wholesale_elt.publish import Folder, folder_at
from wholesale_elt.warehouse import open_file
from wholesale_fleet.accounts import Fleet
from wholesale_fleet.consolidation import (
    DATABASE,
    AccountFolder,
    Consolidation,
    FleetManifest,
    consolidate,
    read_member,
)
from wholesale_fleet.standing import read_standing

NAME = "_fleet"
"""The folder beside those of the accounts; no account can have that name."""
SALES = """
    select sales.currency, list(account_id order by account_id), sales.order_count,
        sales.sales_amount, sales.as_of
    from wholesale_bi.fleet_sales as sales
    inner join wholesale_bi.fleet_settings using (settings_id)
    group by all
    order by 1, 2
"""


@dataclass(frozen=True, slots=True)
class Sales:
    """Sales of all time of accounts in which amounts mean the same; without a currency where none
    is set, then of one account alone."""

    currency: str | None
    accounts: Sequence[str]
    orders: int
    amount: Decimal | None
    as_of: datetime | None


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
            every_hours=standing.account.every_hours,
        )
        for standing in standings
    ]
    return consolidate(places, folder / NAME, keep=keep)


def is_overtaken(fleet: Fleet) -> bool:
    """Whether an account has published a version that the fleet does not know of, or the fleet
    knows of one that no account has: a worker was killed, or ended while another one published."""
    folder = published_folder(fleet)
    if folder is None:
        return False
    members = (
        read_member(AccountFolder(account.name, folder / account.name, status=""))
        for account in fleet.accounts
    )
    versions = {member.account_id: member.version for member in members if member.version}
    now = Folder(folder / NAME, FleetManifest.of, DATABASE).current()
    known = {entry.account_id: entry.version for entry in now.accounts} if now else {}
    return versions != {name: version for name, version in known.items() if version}


def read_sales(fleet: Fleet) -> Sequence[Sales]:
    """What was sold in all, of what is published together; nothing where nothing is."""
    folder = published_folder(fleet)
    now = Folder(folder / NAME, FleetManifest.of, DATABASE).current() if folder else None
    if folder is None or now is None:
        return []
    with open_file(folder / NAME / now.database.path) as connection:
        rows = connection.execute(SALES).fetchall()
    return [Sales(None if row[0] == NO_CURRENCY else row[0], *row[1:]) for row in rows]


def published_folder(fleet: Fleet) -> Path | None:
    """The folder in which accounts are published; None if it is no folder."""
    return folder_at(fleet.published)
