"""Baskets: which products are on the same orders, and what chance would give."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from .arithmetic import Row, grouped, hashed, ratio, told
from .books import Books, Order
from .products import Catalogue, catalogue

MOST_PRODUCTS = 100
"""An order with more is left out."""
MOST_PAIRS = 20
"""A pair is told that is one of so many, the most frequent ones, of either product."""
Pair = tuple[str, str]


def bought_together(books: Books) -> Iterator[Row]:
    products: dict[Order, set[str]] = {}
    for product in Catalogue(books).products.values():
        for line in product.lines:
            if not line.order.is_return:
                products.setdefault(line.order, set()).add(product.id)
    rows = {row["product_id"]: row for row in catalogue(books)}
    for vendor, orders in grouped(products, lambda order: told(order.vendor_key)).items():
        baskets = [products[one] for one in orders if len(products[one]) <= MOST_PRODUCTS]
        counts = Counter(product for basket in baskets for product in basket)
        pairs = Counter(pair for basket in baskets for pair in combinations(sorted(basket), 2))
        for (one, other), count in _told(pairs, counts, books.settings.pair_minimum_orders):
            yield {
                "pair_id": hashed(vendor, one, other),
                "vendor_id": vendor,
                "vendor_name": books.called("vendors", orders[0].vendor_key),
                "product_id": one,
                **_names(rows[one]),
                "other_product_id": other,
                **{f"other_{name}": text for name, text in _names(rows[other]).items()},
                "order_count": count,
                "product_order_count": counts[one],
                "other_product_order_count": counts[other],
                "vendor_order_count": len(baskets),
                "large_order_count": len(orders) - len(baskets),
                "expected_orders": ratio(counts[one] * counts[other], len(baskets)),
                "lift": ratio(count * len(baskets), counts[one] * counts[other]),
            }


def _names(product: Row) -> Row:
    return {name: product[name] for name in ("item_id", "sku", "item_title", "variant_title")}


def _told(pairs: Counter[Pair], counts: Counter[str], fewest: int) -> Iterator[tuple[Pair, int]]:
    """Of each product the pairs on most orders: of as many that with what is on fewer, and then
    that with the first id."""
    found = {pair: count for pair, count in pairs.items() if count >= fewest}
    sides = [(one, other, pair) for pair in found for one, other in (pair, pair[::-1])]
    kept: set[Pair] = set()
    for of_product in grouped(sides, lambda side: side[0]).values():
        of_product.sort(key=lambda side: (-found[side[2]], counts[side[1]], side[1]))
        kept.update(pair for *_, pair in of_product[:MOST_PAIRS])
    yield from ((pair, found[pair]) for pair in kept)
