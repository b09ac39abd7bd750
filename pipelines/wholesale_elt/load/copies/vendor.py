"""Vendor: which rows and values of the raw tables are of one vendor, so that their copy tells of no
other one."""

from collections.abc import Callable, Mapping

from wholesale.names import VALID_TO
from wholesale_elt.load.copies.part import ALL, LINES, LOG, NOTHING, Part, was_own
from wholesale_elt.past import record_table_of
from wholesale_elt.warehouse import CERTIFICATES, RELEASES, quoted

SHARED = "shared"
OF_ALL_LINES = (
    *("sub_total", "total", "transaction_fee"),
    "order_line_items_discount_amount",
)
"""Amounts of an order that count lines of other vendors too, if it has any."""
OF_VENDOR = "vendor_minimum_order_value"
"""What an order says of its vendor: of one that was another's, nobody knows whose it is."""
NAMING = ("orders", "items")
"""Tables whose rows have the id and the name of a vendor."""


class OneVendor(Part):
    """The part of one vendor, by what is stored of a moment.

    An order is of the vendor that it names. Of its lines those of others are left out: they name
    another one; or none, or one of several that are called so, and an item of another one.
    Comments are left out, as they may tell anything, and what was observed of a record while it was
    of another one. A buyer, or a person of one, is of the part if an order of it names them.
    """

    def is_known(self) -> bool:
        is_named = self._is_vendor("vendor_id")
        known = [
            f"select 1 as one from ({self._then('vendors', 'id')}) as known"
            f" where {self._is_vendor('id')}",
            *(
                f"select 1 as one from ({self._then(table, 'vendor_id')}) as known where {is_named}"
                for table in ("orders", "items")
            ),
        ]
        return bool(self._raw.rows(f"select 1 from ({' union all '.join(known)}) as known limit 1"))

    def beside(self, table: str) -> str:
        return f"with {SHARED} as ({self._shared}) " if record_table_of(table) == "orders" else ""

    def _is_own_value(self, table: str, column: str) -> str | None:
        if table == "buyers" and column == "price_list_id":
            return f"{column} in ({self._price_lists})"
        if table == "orders" and column == OF_VENDOR:
            return f"id not in ({self._moved_in})"
        if table == "orders" and column in OF_ALL_LINES:
            return f"id not in (select order_id from {SHARED})"
        return None

    def _conditions_of_tables(self) -> Mapping[str, str]:
        of_vendor, of_item = self._is_vendor("id"), f"item_id in ({self._items})"
        of_parent = f"parent_id in ({self._items})"
        of_order = f"id in ({self._orders})"
        of_variant = f"id in ({self._variants})"
        return {
            CERTIFICATES: ALL,
            RELEASES: ALL,
            "vendors": of_vendor,
            f"vendors{LOG}": of_vendor,
            "orders": f"{of_order} and {self._is_vendor('vendor_id')}",
            f"orders{LOG}": f"{of_order} and {was_own(self._orders_ever, 'id')}",
            LINES: f"order_id in ({self._orders}) and not {self._is_of_another}",
            "buyers": f"id in ({self._named_by_orders('buyer_id')})",
            "buyer_users": f"id in ({self._named_by_orders('buyer_user_id')})",
            "items": f"id in ({self._items}) and {self._is_own_item}",
            "items__options": of_item,
            "item_images": self._where_it_has("item_images", "item_id", of_item),
            "variants": f"{of_parent} and {self._is_not_of_another}",
            "variants__options": f"variant_id in ({self._variants})",
            f"variants{LOG}": f"{of_variant} and {was_own(self._variants_ever, 'id')}",
            "prices": self._is_own_price("prices"),
            f"prices{LOG}": f"{self._is_own_price(f'prices{LOG}')} and {self._was_own_price}",
            "price_lists": f"id in ({self._price_lists})",
            "brands": f"id in ({self._of_items('brand_id')})",
            "categories": f"id in ({self._categories})",
        }

    def _is_vendor(self, column: str) -> str:
        return f"({column} is not null and {column} = {quoted(self._id)})"

    @property
    def _orders(self) -> str:
        orders = self._then("orders", "id", "vendor_id")
        return f"select id from ({orders}) as known where {self._is_vendor('vendor_id')}"

    def _named_by_orders(self, column: str) -> str:
        orders = self._then("orders", "vendor_id", column)
        return f"select {column} from ({orders}) as known where {self._is_vendor('vendor_id')}"

    def _names(self, is_of: Callable[[str], str]) -> str:
        """What vendors whose id fulfils a condition are or were called, and by their orders."""
        named = (("vendors", "id", "name"), *((t, "vendor_id", "vendor_name") for t in NAMING))
        return " union all ".join(
            f"select {_word(name)} from ({self._ever(table, key, name)}) as known"
            f" where {is_of(key)} and {_word(name)} is not null"
            for table, key, name in named
        )

    def _is_other(self, column: str) -> str:
        return f"({column} is not null and not {self._is_vendor(column)})"

    @property
    def _is_named(self) -> str:
        """The row has a name that the vendor had, and no other one."""
        name = _word("vendor_name")
        return (
            f"({name} in ({self._names(self._is_vendor)})"
            f" and {name} not in ({self._names(self._is_other)}))"
        )

    @property
    def _is_of_another(self) -> str:
        """Of a line whose order names this vendor. Vendors may be called alike: then the item
        tells, as of when the order was written and later, and a line of no known item is
        nobody's; so is a line that tells nothing, of an order that was ever of another one."""
        items, name = self._then("items", "id", "vendor_id"), _word("vendor_name")
        of_items = f"item_id in (select id from ({items}) as i"
        return (
            f"case when {name} is not null and {name} not in ({self._names(self._is_vendor)})"
            f" then {ALL} when {name} is not null and {self._is_named} then {NOTHING}"
            f" when item_id is not null and {of_items} where {self._is_other('vendor_id')})"
            f" then {ALL} when item_id is not null"
            f" and (order_id, item_id) in ({self._lines_of_moved_items})"
            f" then {ALL} when item_id is not null and {of_items}"
            f" where {self._is_vendor('vendor_id')}) then {NOTHING}"
            f" else {name} is not null or order_id in ({self._moved_in}) end"
        )

    @property
    def _lines_of_moved_items(self) -> str:
        """Order and item of lines whose item was of another vendor once the order was written."""
        lines = self._ever(LINES, "order_id", "item_id")
        items = self._ever("items", "id", "vendor_id", VALID_TO)
        return (
            f"select line.order_id, line.item_id from ({lines}) as line"
            f" join ({self._ever('orders', 'id', 'created_at')}) as known"
            f" on known.id = line.order_id join ({items}) as item"
            f" on item.id = line.item_id"
            f" where {self._is_other('item.vendor_id')} and (item.{VALID_TO} is null"
            f" or known.created_at is null or item.{VALID_TO} > known.created_at)"
        )

    @property
    def _moved_in(self) -> str:
        """The ids of orders that were ever of another vendor."""
        orders = self._ever("orders", "id", "vendor_id")
        return f"select id from ({orders}) as known where {self._is_other('vendor_id')}"

    @property
    def _shared(self) -> str:
        """Orders that have, or ever had, lines of others."""
        lines = self._ever(LINES, "order_id", "item_id", "vendor_name")
        return (
            f"select order_id from ({lines}) as known where order_id in ({self._orders})"
            f" and {self._is_of_another}"
        )

    @property
    def _is_own_item(self) -> str:
        return (
            f"case when vendor_id is not null then {self._is_vendor('vendor_id')}"
            f" else coalesce({self._is_named}, {NOTHING}) end"
        )

    @property
    def _is_not_of_another(self) -> str:
        return f"(vendor_id is null or {self._is_vendor('vendor_id')})"

    @property
    def _items(self) -> str:
        return self._of_items("id")

    def _of_items(self, column: str) -> str:
        items = self._then("items", *dict.fromkeys(("id", "vendor_id", "vendor_name", column)))
        return (
            f"select {column} from ({items}) as known"
            f" where {column} is not null and {self._is_own_item}"
        )

    @property
    def _variants(self) -> str:
        variants = self._then("variants", "id", "parent_id", "vendor_id")
        return (
            f"select id from ({variants}) as known"
            f" where parent_id in ({self._items}) and {self._is_not_of_another}"
        )

    def _is_own_price(self, table: str) -> str:
        return self._of_variant_or_item(
            table,
            f"variant_id in ({self._variants})",
            f"item_id in ({self._items})",
        )

    @property
    def _was_own_price(self) -> str:
        return self._of_variant_or_item(
            f"prices{LOG}",
            was_own(self._variants_ever, "variant_id"),
            was_own(self._items_ever, "item_id"),
        )

    @property
    def _orders_ever(self) -> str:
        """The ids of orders that were of the vendor, since when and until when."""
        return self._times("orders", self._is_vendor("vendor_id"), "vendor_id")

    @property
    def _items_ever(self) -> str:
        return self._times("items", self._is_own_item, "vendor_id", "vendor_name")

    @property
    def _variants_ever(self) -> str:
        """The same of variants while their item was, too."""
        variants = self._times("variants", self._is_not_of_another, "vendor_id", "parent_id")
        return (
            "select variants.ever_id, greatest(variants.since, items.since) as since,"
            f" least(variants.until, items.until) as until from ({variants}) as variants"
            f" join ({self._items_ever}) as items"
            f" on items.ever_id = variants.parent_id"
        )

    @property
    def _price_lists(self) -> str:
        prices = self._then("prices", "price_list_id", "variant_id", "item_id")
        return (
            f"select price_list_id from ({prices}) as known"
            f" where price_list_id is not null and {self._is_own_price('prices')}"
        )

    @property
    def _categories(self) -> str:
        return self._above(self._of_items("category_id"))


def _word(column: str) -> str:
    """A name as it is compared: without blanks around it, in small letters, NULL if it is empty."""
    return f"nullif(lower(trim({column})), '')"
