"""Additions: what plug-ins add to each version besides tables and dashboard.

An entry point of the group `wholesale.drafts` is a function that takes nothing, reads its settings,
and gives what is wanted by them, each by a name.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from wholesale_elt.process import plugins
from wholesale_elt.publish.manifest import Build

Addition = Callable[[Path, Build, str], Iterable[Path]]
"""Writes files into a draft, of that build by that release, and gives those that are to have a
fixed name at the top of the published folder: the path that they have in the version."""


def read_additions() -> Mapping[str, Addition]:
    """All that is wanted, by name.

    Raises: ConfigurationError for a setting that cannot be right, and for one that wants what is
    not installed.
    """
    wanted: dict[str, Addition] = {}
    for plugin in plugins("drafts"):
        wanted |= plugin()
    return dict(sorted(wanted.items()))
