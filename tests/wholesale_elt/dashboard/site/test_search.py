"""What is searched for is found by its words in any order, and with a letter wrong."""

from collections.abc import Iterator

import pytest

from support.warehouses.javascript import Scripts, loaded_scripts

NAMES = (
    "Tran Mercantile",
    "Tampa Mercantile",
    "San José Garden Center",
    "Gingham Serving Bowl, Small",
    "Gingham Serving Bowl, Large",
    "The Old Mill 24",
)


@pytest.fixture(scope="module")
def search() -> Iterator[Scripts]:
    with loaded_scripts("data", "nearest", "search/words") as scripts:
        scripts.evaluate(
            f"(wholesale.named = {list(NAMES)!r}.map((name) =>"
            " ({ name, found: wholesale.searched.prepared([name]) })), 1)"
        )
        yield scripts


def found(search: Scripts, typed: str) -> list[str]:
    answer: list[str] = search.evaluate(
        f"((typed) => {{ const {{ folded }} = wholesale.nearest;"
        " for (const way of wholesale.searched.waysOf(folded(typed))) {"
        "   const best = wholesale.searched.best(wholesale.named, folded(typed), 9, way);"
        "   if (best.length) return best.map(({ name }) => name); }"
        f" return []; }})({typed!r})"
    )
    return answer


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("tran mercantile", [NAMES[0]]),
        ("mercantile tran", [NAMES[0]]),
        ("merc", [NAMES[0], NAMES[1]]),
        ("mercantille", [NAMES[0], NAMES[1]]),
        ("mercnatile", [NAMES[0], NAMES[1]]),
        ("ercantile", [NAMES[0], NAMES[1]]),
        ("mercxntxle", []),
        ("tran mercantile floral", [NAMES[0]]),
        ("floral tran", []),
        ("serving bowl small", [NAMES[3]]),
        ("small bowl gingam", [NAMES[3]]),
        ("bowl large", [NAMES[4]]),
        ("san jose", [NAMES[2]]),
        ("center garden", [NAMES[2]]),
        ("tram", []),
        ("mill 24", [NAMES[5]]),
        ("mill 25", []),
        ("!?", []),
    ],
)
def test_words_are_found_in_any_order_and_with_one_mistake_in_longer_ones(
    search: Scripts, typed: str, names: list[str]
) -> None:
    assert found(search, typed) == names


def test_what_begins_so_comes_first(search: Scripts) -> None:
    assert found(search, "tampa m")[0] == "Tampa Mercantile"
    assert found(search, "gingham serving bowl, l")[0] == NAMES[4]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("", "", 0),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "abcd", 1),
        ("abc", "xbc", 1),
        ("abcd", "badc", 2),
        ("abcdef", "uvwxyz", 3),
        ("a", "abcdef", 3),
    ],
)
def test_letters_apart_are_counted_up_to_a_most(
    search: Scripts, one: str, other: str, apart: int
) -> None:
    assert search.call("nearest.distance", one, other, 2) == apart
    assert search.call("nearest.distance", other, one, 2) == apart
