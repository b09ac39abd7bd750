"""The words that the world is made of are different ones, and fit what is made of them."""

import re

import pytest

from wholesale_sandbox.world import vocabulary
from wholesale_sandbox.world.parties import slug
from wholesale_sandbox.world.vocabulary import (
    ASSORTMENT,
    CANADIAN_PLACES,
    OPTION_VALUES,
    PLACES,
    VENDORS,
)

PRODUCTS = [
    product
    for categories in ASSORTMENT.values()
    for products in categories.values()
    for product in products
]
LISTS = (
    *("FIRST_NAMES", "SURNAMES", "STREETS", "SHOP_TRADES", "SHOP_NAMES", "BRAND_WORDS", "STYLES"),
    *("BUYER_COMMENTS", "VENDOR_COMMENTS"),
)


@pytest.mark.parametrize("name", LISTS)
def test_no_word_of_a_list_is_empty_or_stands_in_it_twice(name: str) -> None:
    words = getattr(vocabulary, name)

    assert all(words)
    assert [word for word in words if word != word.strip() or words.count(word) > 1] == []


def test_a_place_has_three_digits_of_its_postcode_and_three_of_its_area() -> None:
    for place in PLACES:
        assert re.fullmatch(r"[A-Z]{2} \d{3} \d{3}", f"{place.state} {place.zip3} {place.area}")
    for _, province, postcode, area in CANADIAN_PLACES:
        assert re.fullmatch(
            r"[A-Z]{2} [A-Z]\d[A-Z] \d[A-Z]\d \d{3}", f"{province} {postcode} {area}"
        )


def test_some_postcodes_begin_with_a_zero() -> None:
    assert [place for place in PLACES if place.zip3.startswith("0")]


def test_there_are_sixty_vendors_of_different_names_each_with_a_trade_that_has_products() -> None:
    names = [name for names in VENDORS.values() for name in names]

    assert len(set(map(slug, names))) == len(names) == 60
    assert VENDORS.keys() <= ASSORTMENT.keys()


def test_a_category_stands_under_one_trade() -> None:
    titles = [title for categories in ASSORTMENT.values() for title in categories]

    assert len(set(titles)) == len(titles)
    assert set(titles).isdisjoint(ASSORTMENT)


def test_a_product_has_a_price_range_in_steps_and_options_that_have_values() -> None:
    for product in PRODUCTS:
        assert 0 < product.lowest < product.highest
        assert (product.lowest % 125, product.highest % 125) == (0, 0), product
        assert set(product.options) <= OPTION_VALUES.keys(), product
    assert {option for product in PRODUCTS for option in product.options} == OPTION_VALUES.keys()
