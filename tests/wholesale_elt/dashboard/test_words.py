"""A service's own words for its states change names on the pages, and nothing else."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.warehouses.marts import OF_THE_MOMENT, Marts
from support.warehouses.sites import Site, rows_of, sent, site_of
from support.warehouses.words import PAID, WORDS, lowered, renamed_throughout, set_words
from wholesale_elt.publish.publisher import publish_marts

REPORTS = (
    *("wholesale_bi.rpt_tasks", "wholesale_bi.rpt_receivables", "wholesale_bi.rpt_fulfilment"),
    *("wholesale_bi.rpt_orders", "receivables"),
)
NAMED = (
    *("order_status", "order_status_before", "order_status_after"),
    *("payment_status", "payment_status_before", "payment_status_after"),
    *("state", "state_before", "state_after"),
)
"""Columns of names of states."""
STATE_ID = "order_state_id"
"""The column of a field and a state of it."""
OF_THE_VERSION = {*OF_THE_MOMENT, "version", "published_at"}


class Names:
    """Names of states, taken back to the words of the demo: those of another service are other
    words for the same."""

    def __init__(self, words: Mapping[str, str], paid: Mapping[str, str]) -> None:
        self.of = {
            "order_status": {new: old for old, new in lowered(words).items()},
            "payment_status": {new: old for old, new in lowered(paid).items()},
        }
        self.members: Mapping[str, Mapping[int, str]] = {}
        self.all = {**self.of["payment_status"], **self.of["order_status"]}

    def row(self, row: Mapping[str, Any]) -> str:
        field = row.get("field_name")
        told = {
            name: self.word(value, field or name.removesuffix("_before").removesuffix("_after"))
            if name in NAMED
            else value
            for name, value in row.items()
            if name not in OF_THE_VERSION
        }
        if STATE_ID in told:
            field, _, state = str(told[STATE_ID]).partition("-")
            told[STATE_ID] = f"{field}-{self.word(state, field)}"
        return json.dumps(told, sort_keys=True)

    def word(self, word: Any, field: str) -> Any:
        word = self.members.get(field, {}).get(word, word)
        return self.of.get(field, self.all).get(word, word)

    def content(self, content: Any, name: str = "") -> Any:
        """A data file: rows of tables in no order, and meanings by state."""
        if not isinstance(content, dict):
            return content
        if content.keys() == {"columns", "length"}:
            rows = rows_of(content)
            if name in self.of:
                return sorted(self.word(row["key"], name) for row in rows)
            return sorted(map(self.row, rows))
        if name in self.of:
            return {self.word(state, name): means for state, means in content.items()}
        return {
            key: self.content(value, key)
            for key, value in content.items()
            if key not in OF_THE_VERSION
        }

    def pages(self, site: Site) -> Mapping[str, Any]:
        """All data files; where a state stands as the number of a member, its name does."""
        members = site.content("facts/members_of_states")
        self.members = {
            field: {row["code"]: row["key"] for row in rows_of(members[field])} for field in self.of
        }
        return {name: self.content(site.content(name), name) for name in site.names()}

    def reports(self, site: Site) -> Mapping[str, Any]:
        with duckdb.connect(str(site.database), read_only=True) as connection:
            found = {}
            for report in REPORTS:
                asked = connection.execute(f"from {report}")
                columns = [column[0] for column in asked.description]
                rows = [zip(columns, map(sent, row), strict=True) for row in asked.fetchall()]
                found[report] = sorted(self.row(dict(row)) for row in rows)
            return found


def published(marts: Marts, folder: Path) -> Site:
    return site_of(publish_marts(marts.warehouse, str(folder / "published")))


@pytest.fixture(scope="module")
def usual(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    folder = tmp_path_factory.mktemp("usual")
    site = published(built.copy(folder), folder)
    return Names({}, {}).pages(site), Names({}, {}).reports(site)


@pytest.mark.slow
@pytest.mark.parametrize(("words", "paid"), [*zip(WORDS, PAID, strict=True)])
def test_other_words_make_the_same_pages_once_they_are_set(
    built: Marts,
    usual: tuple[Any, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: Mapping[str, str],
    paid: Mapping[str, str],
) -> None:
    pages, reports = usual
    marts = built.copy(tmp_path)
    marts.change(*renamed_throughout(words, paid))
    set_words(monkeypatch, {**words, **paid})
    marts.build()

    site = published(marts, tmp_path)

    names = Names(words, paid)
    assert all(reports.values())
    assert names.reports(site) == reports
    found = names.pages(site)
    assert found.keys() == pages.keys()
    assert [name for name in pages if found[name] != pages[name]] == []
