"""A sentence that names a setting has its whole value: who sets it comes to an end in one step."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from support.records.kept import Kept
from support.records.lists import Lists, Record, numbered, orders, paged
from wholesale.api.profile import ServiceFacts, ServiceProfile, set_to
from wholesale.sync.reader import Reader

REMEDY = re.compile(r"\(set (\w+ = .+?) in \[sources\.wholesale\.service\]\)")


def remedies(readers: Mapping[str, Reader]) -> Mapping[str, Any]:
    """The facts that the sentences of a run say to set, each as in the last of them."""
    sentences = [doubt for reader in readers.values() for doubt in reader.doubts.sentences()]
    return {
        name: value
        for line in REMEDY.findall("; ".join(sentences))
        for name, value in tomllib.loads(line).items()
    }


def without_empty(records: list[Record], *fields: str) -> list[Record]:
    return [{k: v for k, v in row.items() if v or k not in fields} for row in records]


def items(count: int, **more: Any) -> list[Record]:
    return numbered(count, title="t", variants_count=0, **more)


def test_a_hint_for_one_list_keeps_those_that_were_found_or_set() -> None:
    """Items are known to leave out options; variants lose theirs; orders have some lists set."""
    everything = {
        "/items": [*items(9, options=[{"name": "a"}]), {"id": "z", "title": "t"}],
        "/orders": orders(12),
    }
    service = Lists(everything)
    kept = Kept(service)
    kept.sync("items", "orders")
    service.lists = everything | {
        "/orders": without_empty(orders(12, day=2), "order_line_items", "order_comments")
    }

    pins: Mapping[str, Any] = {}
    for _ in range(2):
        readers = kept.sync("items", "orders", **pins)
        pins = remedies(readers) or pins
    assert pins == {
        "empty_lists_left_out": [
            *("items__options", "orders__order_comments", "orders__order_line_items"),
        ]
    }
    readers = kept.sync("items", "orders", **pins)
    assert remedies(readers) == {}
    assert [reader.doubts.sentences() for reader in readers.values()] == [[], []]


def test_sentences_of_one_run_name_what_all_of_them_lack() -> None:
    rows = {f"/{name}": numbered(25, title="t") for name in ("brands", "price_lists", "prices")}

    def page(path: str, number: int) -> httpx.Response:
        limit = int(service.queries[-1]["limit"])
        return paged(service.lists.get(path, ()), number, limit, total_count=27)

    service = Lists(rows, page)
    kept = Kept(service)

    readers = kept.sync("brands", "price_lists", "prices", lists_not_counted={"items"})

    whole = ["brands", "items", "price_lists", "prices"]
    for reader in readers.values():
        assert remedies({"": reader}) == {"lists_not_counted": whole}
    settled = kept.sync("brands", "price_lists", "prices", **remedies(readers))
    assert [reader.doubts.sentences() for reader in settled.values()] == [[]] * 3


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("lists_not_counted", frozenset({"b", "a"})),
        ("variants_are_counted", False),
        ("page_size", 5),
        ("time_zone", "Europe/London"),
        ("empty_lists_left_out", frozenset({'a"b', "ü", "\u2028"})),
    ],
)
def test_what_is_to_be_set_is_the_same_in_toml_and_in_the_environment(
    fact: str, value: object
) -> None:
    (line,) = REMEDY.findall(f"({set_to(fact, value)})")
    (in_toml,) = tomllib.loads(line).values()
    in_environment = json.loads(line.partition(" = ")[2])

    assert in_toml == in_environment == (sorted(value) if isinstance(value, frozenset) else value)


def test_a_setting_of_a_fact_that_is_none_is_a_mistake() -> None:
    with pytest.raises(AssertionError):
        set_to("fields", [])


def test_a_record_whose_only_text_is_kept_in_extra_is_whole() -> None:
    for count in (1, 5, 9, 10, 11, 21, 30):
        for place in {0, count // 2, count - 1}:
            rows = [
                {"id": f"{n}", "title": "a\0b" if n == place else f"t{n}"} for n in range(count)
            ]
            kept = Kept(Lists({f"/{name}": rows for name in ("brands", "price_lists")}))
            for _ in range(3):
                readers = kept.sync("brands", "price_lists")
                assert [reader.doubts.sentences() for reader in readers.values()] == [[], []]
            extra = kept.values("brands", "_extra")
            assert {key: json.loads(text) for key, text in extra.items()} == {
                f"{place}": {"title": "a\0b"}
            }


def test_a_record_without_any_of_the_usual_fields_is_named_by_what_it_lacks() -> None:
    rows = [{"id": f"{n}", **({"title": f"t{n}"} if n != 10 else {})} for n in range(21)]
    kept = Kept(Lists({"/brands": rows}))

    doubts = kept.sync("brands")["brands"].doubts.sentences()

    assert not any("without  " in doubt or "[]" in doubt for doubt in doubts)
    assert '1 record without title (set lists_in_short = ["brands"]' in "; ".join(doubts)


def test_facts_that_sentences_name_can_be_set() -> None:
    assert ServiceFacts.model_validate({"lists_in_short": ["b", "a"]}).lists_in_short == {"a", "b"}
    assert ServiceProfile.of(ServiceFacts(page_size=5)).page_size == 5
