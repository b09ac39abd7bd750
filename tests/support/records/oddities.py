"""Oddities: all that is odd happens to a demo business in one day, as SQL on its raw rows."""

from collections.abc import Iterable

LINES = "wholesale_raw.orders__order_line_items"
ORDERS = "wholesale_raw.orders"


def _numbered(table: str, *, among: str = "true") -> str:
    """Gives the records of a table, in the order of their ids, numbers from 1."""
    return (
        f"create table main.{table} as select id, row_number() over (order by id) as n"
        f" from wholesale_raw.{table} where {among}"
    )


def _of(table: str, *numbers: int) -> str:
    return f"(select id from main.{table} where n in ({', '.join(map(str, numbers))}))"


def _id(table: str, number: int) -> str:
    return f"(select id from main.{table} where n = {number})"


def _set(table: str, values: Iterable[str], first: int, key: str = "id") -> Iterable[str]:
    """Each of these to one of the numbered records, from the first number on."""
    of = table.partition("__")[0]
    for number, value in enumerate(values, first):
        yield f"update wholesale_raw.{table} set {value} where {key} in {_of(of, number)}"


def _texts(column: str, *texts: str) -> list[str]:
    return [f"{column} = {text}" for text in texts]


ODD_TEXTS = (
    *("null", "''", "'all'", "'unknown'", "'none'", "'\"all\"'", "'\"'", "'a-b'", "'ALL'"),
    "'Zoë \U0001f6d2'",
)
ODD_AMOUNTS = ("null", "0", "-12.5", "1e20", "-1e16", "0.000000001", "1e15", "333.333333333")
ODD_MOMENTS = (
    *("null", "'0001-01-01 00:00:00+00'", "'1999-12-31 23:59:59+00'", "'2000-01-01 00:00:00+00'"),
    *("'9999-12-31 00:00:00+00'", "'2024-02-29 23:30:00+00'", "'2024-12-31 23:59:59.999999+00'"),
)
ODD_STATES = ("null", "''", "'Cancelled'", "'VOID' || chr(8195)", "'Received'", "' Cancelled '")
ODD_PAYMENTS = (
    "null",
    "''",
    "'Paid'",
    "'REFUNDED'",
    "'unpaid'",
    "chr(9) || ' paid' || chr(10)",
    "'on account'",
)

SYNCED = "(select max(ended_at) from wholesale_raw.sync_runs where not starts_with(run_id, 'x'))"
"""When the sync before all that is odd ended."""


def _moves(first: int, *courses: tuple[str, ...]) -> Iterable[str]:
    """Each of these to one of the numbered orders, from the first number on, made three days before
    the sync: what it was then seen to be, as `state/payment`; the last one stays."""
    for number, course in enumerate(courses, first):
        order = _id("orders", number)
        yield (
            f"update {ORDERS} set created_at = {SYNCED} - interval '3 days',"
            f" payment_status = 'unpaid' where id = {order}"
        )
        for place, seen in enumerate(course, 1):
            state, payment = (f"nullif('{word}', 'null')" for word in seen.split("/"))
            yield (
                f"update {ORDERS} set status = {state}, payment_status = {payment}"
                f" where id = {order}"
            )
            yield (
                "insert into wholesale_raw.orders__observations by name"
                " select id, status, payment_status, invoice_status, _deleted_at,"
                f" {SYNCED} + interval '{place} seconds' as observed_at"
                f" from {ORDERS} where id = {order}"
            )


ODDITIES = (
    *(_numbered(table) for table in ("items", "variants", "vendors", "buyers", "prices")),
    _numbered("orders", among="status = 'delivered'"),
    # Orders.
    *_set("orders", _texts("sub_total", *ODD_AMOUNTS), 1),
    *_set("orders", _texts("total", *ODD_AMOUNTS), 9),
    *_set("orders", _texts("order_line_items_discount_amount", *ODD_AMOUNTS), 17),
    *_set("orders", _texts("transaction_fee", *ODD_AMOUNTS), 25),
    *_set("orders", _texts("vendor_minimum_order_value", *ODD_AMOUNTS), 33),
    *_set("orders", _texts("created_at", *ODD_MOMENTS), 41),
    *_set("orders", _texts("updated_at", *ODD_MOMENTS), 48),
    *_set("orders", _texts("status", *ODD_STATES), 55),
    *_set("orders", _texts("payment_status", *ODD_PAYMENTS), 61),
    *_set("orders", _texts("shipping_country", *ODD_TEXTS), 68),
    *_set("orders", _texts("shipping_state", *ODD_TEXTS), 78),
    *_set("orders", _texts("vendor_id", *ODD_TEXTS), 88),
    *_set("orders", _texts("vendor_name", "null", "''", "'Another name'"), 98),
    *_set("orders", _texts("buyer_id", *ODD_TEXTS), 101),
    *_set("orders", _texts("buyer_company_name", "null", "''", "'Another name'"), 111),
    f"update {ORDERS} set shipping_state = null where id in {_of('orders', *range(68, 73))}",
    f"update {ORDERS} set payment_status = 'unpaid' where id in {_of('orders', *range(101, 115))}",
    # Deleted ones, one of them before and one after all others.
    f"update {ORDERS} set _deleted_at = updated_at where id in {_of('orders', *range(120, 126))}",
    f"update {ORDERS} set created_at = '2001-02-03' where id = {_id('orders', 120)}",
    f"update {ORDERS} set created_at = (select max(ended_at) from wholesale_raw.sync_runs),"
    f" updated_at = created_at where id = {_id('orders', 121)}",
    # Carts: orders of one buyer and day, of one vendor and of several, and of none.
    f"update {ORDERS} set buyer_id = {_id('buyers', 1)}, created_at = '2026-03-03 09:00:00+00'"
    f" where id in {_of('orders', *range(130, 136))}",
    f"update {ORDERS} set vendor_id = null where id in {_of('orders', 134, 135)}",
    f"update {ORDERS} set buyer_id = 'twice', created_at = case id when {_id('orders', 136)}"
    " then timestamptz '2026-01-01 12:00:00+00' else '2026-04-01 12:00:00+00' end"
    f" where id in {_of('orders', 136, 137)}",
    f"update {ORDERS} set buyer_id = 'undated', created_at = null"
    f" where id in {_of('orders', 138, 139)}",
    f"update {ORDERS} set buyer_id = 'free', sub_total = 0, total = 0"
    f" where id in {_of('orders', 140, 141)}",
    # A vendor whose only sales lower what was sold, and one of undated sales alone.
    f"update {ORDERS} set vendor_id = 'taken back', sub_total = -sub_total"
    f" where id in {_of('orders', 142, 143)}",
    f"update {ORDERS} set vendor_id = 'undated', created_at = null where id = {_id('orders', 144)}",
    # Orders far below a minimum, of vendors that are not told or not listed.
    f"update {ORDERS} set sub_total = 0.5, vendor_minimum_order_value = 100, vendor_id = case id"
    f" when {_id('orders', 145)} then null when {_id('orders', 146)} then 'all' else 'unlisted' end"
    f" where id in {_of('orders', 145, 146, 147)}",
    # Lines: the id of a variant, an sku that is scribbled or missing, an item that is unknown.
    f"alter table {LINES} add column variant_id varchar",
    f"update {LINES} set variant_id = {_id('variants', 1)} where order_id = {_id('orders', 150)}",
    f"update {LINES} set variant_id = 'no such' where order_id = {_id('orders', 151)}",
    *_set("orders__order_line_items", _texts("sku", *ODD_TEXTS), 152, "order_id"),
    *_set("orders__order_line_items", _texts("item_id", *ODD_TEXTS), 162, "order_id"),
    f"update {LINES} set item_id = null, sku = null where order_id = {_id('orders', 172)}",
    f"update {LINES} set sku = ' ' || lower(sku) || chr(160) where order_id = {_id('orders', 173)}",
    *_set("orders__order_line_items", _texts("total_price", *ODD_AMOUNTS), 174, "order_id"),
    *_set("orders__order_line_items", _texts("unit_price", *ODD_AMOUNTS), 182, "order_id"),
    *_set("orders__order_line_items", _texts("discount_amount", *ODD_AMOUNTS), 190, "order_id"),
    *_set(
        "orders__order_line_items",
        _texts("quantity", "null", "0", "-3", "9000000000000000000", "1000000000"),
        198,
        "order_id",
    ),
    f"delete from {LINES} where order_id in {_of('orders', 203, 204)}",
    # Products: dearer, without a price, renamed, exchanged, twins, inactive, gone.
    *(
        f"update wholesale_raw.variants set {change} where id in"
        f" (select id from main.variants where n % 40 = {number})"
        for number, change in enumerate(
            [
                *("unit_price = unit_price * 1.1", "unit_price = null", "unit_price = 0"),
                *(
                    "unit_price = 1e20",
                    "msrp = 1, moq = 9000000000000000000",
                    "sku = sku || '-NEW'",
                ),
                *("sku_status = ' Inactive '", "sku_status = null", "_deleted_at = '2026-06-30'"),
                *("sku = null", "vendor_id = null", "parent_title = null, title = null"),
                *("sku_status = 'ACTIVE'", "map = 3"),
            ]
        )
    ),
    "create table main.siblings as select parent_id, min(id) as one, max(id) as other"
    " from wholesale_raw.variants group by parent_id having count(*) > 1 order by parent_id",
    "create table main.skus as select id, sku from wholesale_raw.variants",
    # The siblings of some items exchange their skus, and those of others share one.
    "update wholesale_raw.variants set sku = (select skus.sku from main.siblings inner join"
    " main.skus on skus.id = if(variants.id = one, other, one) where variants.id in (one, other))"
    " where id in (select unnest([one, other]) from (from main.siblings limit 5))",
    "update wholesale_raw.variants set sku = (select skus.sku from main.siblings inner join"
    " main.skus on skus.id = other where variants.id in (one, other))"
    " where id in (select unnest([one, other]) from (from main.siblings limit 5 offset 5))",
    "update wholesale_raw.variants set sku_status = 'inactive'"
    " where id in (select one from main.siblings limit 3 offset 5)",
    *(
        f"update wholesale_raw.items set {change} where id in"
        f" (select id from main.items where n % 30 = {number})"
        for number, change in enumerate(
            [
                *("status = 'draft'", "status = 'PUBLISHED '", "status = null", "vendor_id = null"),
                *("_deleted_at = '2026-06-30'", "title = null, category_name = null"),
                *("sku = null, unit_price = 7", "msrp = 1e25", "vendor_id = 'all'"),
            ]
        )
    ),
    # Prices of lists.
    *(
        f"update wholesale_raw.prices set {change} where id in"
        f" (select id from main.prices where n % 200 = {number})"
        for number, change in enumerate(
            [
                *("unit_price = unit_price / 3", "unit_price = null", "unit_price = -1e17"),
                *("_deleted_at = '2026-06-30'", "unit_price = 5, variant_id = null"),
                *("unit_price = 6, price_list_id = 'no such'", "unit_price = 7, item_id = null"),
                "unit_price = 8, variant_id = 'no such'",
            ]
        )
    ),
    "update wholesale_raw.price_lists set title = null"
    " where id = (select min(id) from wholesale_raw.price_lists)",
    # Vendors and buyers.
    *_set(
        "vendors",
        [
            "minimum_order_quantity = null, minimum_order_value = 1e20",
            "minimum_order_quantity = 9000000000000000000",
            "minimum_order_quantity = 0, name = null",
            "minimum_order_quantity = 100000, created_at = '2026-01-01'",
            "_deleted_at = '2026-06-30', created_at = null",
            "created_at = '2025-07-01 02:00:00+00', name = 'all'",
            "id = 'all'",
        ],
        1,
    ),
    *_set("buyers", _texts("account_manager_id", *ODD_TEXTS), 2),
    *_set("buyers", _texts("company_name", "null", "''"), 12),
    f"update wholesale_raw.buyers set account_manager_id = 'of two'"
    f" where id in {_of('buyers', 20, 21)}",
    "update wholesale_raw.buyers set _deleted_at = '2026-06-30'"
    f" where id in {_of('buyers', 20, 22, 23)}",
    f"delete from wholesale_raw.buyers where id in {_of('buyers', 24)}",
    # Currencies, which the description does not know.
    *(f"alter table wholesale_raw.{table} add currency text" for table in ("orders", "prices")),
    *_set("orders", _texts("currency", "'eur '", "'USD'", "''", "'EUR'"), 205),
    "update wholesale_raw.prices set currency = 'EUR' where id = (select min(id) from main.prices)",
    # Orders that were seen to move, after a first sync that found them delivered.
    *_moves(
        210,
        *(
            ("received/unpaid", "confirmed/unpaid", "shipped/unpaid", "delivered/paid"),
            ("received/unpaid", "shipped/unpaid"),  # accepted by nobody that anybody saw
            ("received/unpaid", "delivered/paid"),  # moved more than once between two syncs
            ("received/unpaid", "confirmed/unpaid", "received/unpaid", "confirmed/unpaid"),
            ("received/paid", "received/unpaid", "received/paid"),
            ("received/unpaid", "confirmed/unpaid", "cancelled/refunded"),
            ("confirmed/unpaid", " Confirmed /Unpaid", "shipped/null", "SHIPPED/ paid"),
            ("packing/unpaid", "confirmed/on account", "null/on account", "shipped/voided"),
            ("received/unpaid", "confirmed/unpaid", "shipped/paid"),  # undated: below
            ("received/unpaid", "confirmed/unpaid", "shipped/paid"),  # tomorrow
            ("received/unpaid", "confirmed/unpaid", "shipped/paid"),  # at midnight elsewhere
            ("received/unpaid", "confirmed/unpaid", "shipped/paid"),  # deleted
            ("shipped/unpaid",),
        ),
    ),
    "insert into wholesale_raw.orders__observations by name select * replace ("
    " 'confirmed' as status, timestamptz '9999-01-01 00:00:00+00' as observed_at)"
    f" from wholesale_raw.orders__observations where id = {_id('orders', 222)}",
    *_set(
        "orders",
        [
            "created_at = null",
            f"created_at = date_trunc('day', {SYNCED}) + interval '1 day'",
            f"created_at = date_trunc('day', {SYNCED}) + interval '3 hours'",
            f"_deleted_at = {SYNCED} + interval '30 minutes'",
        ],
        218,
    ),
    # Syncs: another one of everything, one under a clock that was ahead, and what failed.
    "insert into wholesale_raw.sync_runs select * replace ('x' || run_id as run_id,"
    " started_at + interval '1 hour' as started_at, ended_at + interval '61 minutes' as ended_at,"
    " if(resource = 'orders', null, 3) as first_total_count, if(resource = 'brands', 1, 0)"
    " as duplicates, if(resource = 'items', 'incomplete', verdict) as verdict,"
    " if(resource = 'items', 'pages moved', null) as reason,"
    " if(resource = 'items', null, complete_as_of + interval '1 hour') as complete_as_of,"
    " if(resource = 'vendors', null, silent) as silent, if(resource = 'prices', 2, 0) as missed)"
    " from wholesale_raw.sync_runs",
    "insert into wholesale_raw.sync_runs select * replace ('z' || run_id as run_id,"
    " timestamptz '9999-01-01 00:00:00+00' as started_at,"
    " timestamptz '9999-01-01 00:01:00+00' as ended_at,"
    " timestamptz '9999-01-01 00:01:00+00' as complete_as_of, 1 as last_total_count)"
    " from wholesale_raw.sync_runs where resource in ('orders', 'variants', 'buyers')"
    " and not starts_with(run_id, 'x')",
    *(
        "insert into wholesale_raw.quarantine (run_id, resource, page, index, reason, body,"
        f" found_at) values ('{run}', '{resource}', {page}, {index}, {reason}, '{{}}', '{at}')"
        for run, resource, page, index, reason, at in (
            ("r1", "orders", 1, 2, "'id is missing'", "2026-06-30 10:00:00+00"),
            ("r1", "orders", 1, 3, "'id is missing'", "2026-06-30 09:00:00.5+00"),
            ("r1", "orders", 2, 1, "'sent twice: a, b'", "2026-06-30 10:00:00+00"),
            ("r2", "items", 1, 1, "'id is missing'", "2026-07-01 10:00:00+00"),
        )
    ),
)
"""Statements, in their order."""
