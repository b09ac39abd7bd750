"""Items and their variants belong together."""

from collections import Counter

from support.records.seeded import (
    CATALOGUE,
)


def test_an_item_counts_its_variants_and_no_product_code_or_sku_comes_twice() -> None:
    items, variants = CATALOGUE["items"], CATALOGUE["variants"].values()
    counts = Counter(variant["parent_id"] for variant in variants)
    for item_id, item in items.items():
        assert item["variants_count"] == counts[item_id] <= 6
    assert {item["variants_count"] for item in items.values()} == set(range(7))
    codes = [item["product_code"] for item in items.values()]
    skus = [variant["sku"] for variant in variants]
    assert len(codes + skus) == len({*codes, *skus})
    assert {item["status"] for item in items.values()} == {"draft", "published"}
    assert {variant["sku_status"] for variant in variants} == {"active", "inactive"}


def test_a_title_of_a_variant_combines_its_option_values() -> None:
    for variant in CATALOGUE["variants"].values():
        values = [option["value"] for option in variant["options"]]
        assert variant["title"] == " / ".join(values)
        options = CATALOGUE["items"][variant["parent_id"]]["options"]
        assert [option["name"] for option in variant["options"]] == [
            option["name"] for option in options
        ]
        for value, option in zip(values, options, strict=True):
            assert value in option["values"]
