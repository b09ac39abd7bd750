"""Fleet: many accounts, each with its own warehouse, processed side by side.

In:  `accounts.toml`, and the state of each warehouse.
Out: a process for each account with its result, when each is due, and one place to read all.
Knows nothing of how an account is synced: it starts the command that does that.
Begin with `accounts`.
"""

from wholesale_elt.fleet.accounts import Account, Fleet, read_fleet
from wholesale_elt.fleet.publishing import publish_fleet, published_folder
from wholesale_elt.fleet.rounds import plan_round, run_round
from wholesale_elt.fleet.schedule import FleetPlan
from wholesale_elt.fleet.shards import Shard
from wholesale_elt.fleet.standing import AccountStanding, read_standing
from wholesale_elt.fleet.summary import AccountSummary, FleetSummary

__all__ = [
    "Account",
    "AccountStanding",
    "AccountSummary",
    "Fleet",
    "FleetPlan",
    "FleetSummary",
    "Shard",
    "plan_round",
    "publish_fleet",
    "published_folder",
    "read_fleet",
    "read_standing",
    "run_round",
]
