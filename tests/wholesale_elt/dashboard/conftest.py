"""A site of a made-up business, as a browser takes it."""

import pytest

from support.warehouses.marts import Marts
from support.warehouses.sites import Site, publish


@pytest.fixture(scope="session")
def site(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """With what a made-up business that was synced once has none of."""
    return publish(
        built,
        tmp_path_factory.mktemp("published"),
        "insert into wholesale_bi.rpt_price_changes by name select product_id || '-2' as"
        " price_change_id,"
        " product_id as variant_id, item_id, sku, item_title, variant_title, vendor_id,"
        " vendor_name, timestamptz '2025-03-04 05:06:07.891Z' as observed_at,"
        " unit_price as price_before, unit_price + 0.123456789 as price, 0.005 as change_rate"
        " from wholesale_bi.rpt_catalogue where product_kind = 'variant'",
        "update wholesale_bi.rpt_headlines set missing_amount_count = 3, undated_order_count = 2",
        "insert into wholesale_bi.rpt_quarantine by name select '1-orders-' || reason as"
        " quarantine_id,"
        " '1' as run_id, 'orders' as resource, reason, 2 as record_count, now() as found_at"
        " from (values ('no id'), ('odd id')) as reasons(reason)",
        "update wholesale_bi.rpt_catalogue set is_orderable = false, is_ordered_but_inactive = true"
        " where abc_class = 'B'",
    )
