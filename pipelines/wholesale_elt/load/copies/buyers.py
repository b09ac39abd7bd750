"""Buyers: which rows and values of the raw tables are of one buyer, or of those of one account
manager, so that their copy tells of no other buyer."""

from collections.abc import Mapping
from functools import cached_property

from wholesale_elt.load.copies.part import ALL, LINES, LOG, NOTHING, Part, was_own
from wholesale_elt.past import is_past, record_table_of
from wholesale_elt.warehouse import CERTIFICATES, RELEASES, quoted


class OneBuyer(Part):
    """The part of one buyer, by what is stored of a moment.

    An order is of the buyer that it names; what it said while it was of another one is left out. Of
    vendors and of the catalogue it has what these orders name, and prices of the buyer's own list.
    """

    def is_known(self) -> bool:
        known = (
            f"select 1 from ({self._then(table, key)}) as known where {self._is_own(key)}"
            for table, key in (("buyers", "id"), ("orders", "buyer_id"))
        )
        return any(self._raw.rows(f"{query} limit 1") for query in known)

    def condition(self, table: str) -> str:
        of_record = super().condition(table)
        if is_past(table) and record_table_of(table) == LINES:
            return f"{of_record} and order_id not in ({self._moved_in})"
        return of_record

    def _is_own(self, column: str) -> str:
        """Whether a column has the id of a buyer of the part."""
        return f"({column} is not null and {column} = {quoted(self._id)})"

    def _is_own_buyer(self) -> str:
        """Whether a row of a buyer is of the part, as it was then."""
        return self._is_own("id")

    def _is_own_value(self, table: str, column: str) -> str | None:
        if table == "buyers" and column == "price_list_id":
            return f"{column} in ({self._price_lists})"
        if table == "orders" and column == "buyer_user_id":
            users = self._ever("buyer_users", "id", "buyer_id")
            return (
                f"{column} not in (select id from ({users}) as known"
                f" where id is not null and not {self._is_own('coalesce(buyer_id, id)')})"
            )
        return None

    def _conditions_of_tables(self) -> Mapping[str, str]:
        of_item, of_variant = f"in ({self._items})", f"in ({self._variants})"
        of_vendor = f"id in ({self._vendors})"
        own_order = f"id in ({self._orders})"
        return {
            CERTIFICATES: ALL,
            RELEASES: ALL,
            "vendors": of_vendor,
            f"vendors{LOG}": of_vendor,
            "orders": f"{own_order} and {self._is_own('buyer_id')}",
            f"orders{LOG}": f"{own_order} and {was_own(self._orders_ever, 'id')}",
            LINES: f"order_id in ({self._orders})",
            "buyers": self._is_own_buyer(),
            "buyer_users": self._is_own("buyer_id"),
            "items": f"id {of_item}",
            "items__options": f"item_id {of_item}",
            "item_images": self._where_it_has("item_images", "item_id", f"item_id {of_item}"),
            "variants": f"id {of_variant}",
            "variants__options": f"variant_id {of_variant}",
            f"variants{LOG}": f"id {of_variant}",
            "prices": self._is_own_price("prices"),
            f"prices{LOG}": self._is_own_price(f"prices{LOG}"),
            "price_lists": f"id in ({self._price_lists})",
            "brands": f"id in ({self._of_items('brand_id')})",
            "categories": f"id in ({self._above(self._of_items('category_id'))})",
        }

    def _of_orders(self, column: str) -> str:
        orders = self._then("orders", *dict.fromkeys(("id", "buyer_id", column)))
        return (
            f"select {column} from ({orders}) as known"
            f" where {column} is not null and {self._is_own('buyer_id')}"
        )

    @property
    def _orders(self) -> str:
        return self._of_orders("id")

    @property
    def _vendors(self) -> str:
        return self._of_orders("vendor_id")

    @property
    def _moved_in(self) -> str:
        """The ids of orders that were ever of a buyer who is not of the part."""
        orders = self._ever("orders", "id", "buyer_id")
        return (
            f"select id from ({orders}) as known"
            f" where buyer_id is null or not {self._is_own('buyer_id')}"
        )

    @property
    def _orders_ever(self) -> str:
        """The ids of orders that were of the part, since when and until when."""
        return self._times("orders", self._is_own("buyer_id"), "buyer_id")

    @property
    def _ordered(self) -> str:
        """What lines of own orders name: items, or variants."""
        lines = self._then(LINES, "order_id", "item_id")
        return (
            f"select item_id from ({lines}) as known"
            f" where item_id is not null and order_id in ({self._orders})"
        )

    @property
    def _items(self) -> str:
        variants = self._then("variants", "id", "parent_id")
        return (
            f"{self._ordered} union select parent_id from ({variants}) as known"
            f" where parent_id is not null and id in ({self._ordered})"
        )

    @property
    def _variants(self) -> str:
        variants = self._then("variants", "id", "parent_id")
        return (
            f"select id from ({variants}) as known"
            f" where id is not null and parent_id in ({self._items})"
        )

    def _of_items(self, column: str) -> str:
        items = self._then("items", "id", column)
        return (
            f"select {column} from ({items}) as known"
            f" where {column} is not null and id in ({self._items})"
        )

    @property
    def _price_lists(self) -> str:
        buyers = self._then("buyers", "id", "account_manager_id", "price_list_id")
        return (
            f"select price_list_id from ({buyers}) as known"
            f" where price_list_id is not null and {self._is_own_buyer()}"
        )

    def _is_own_price(self, table: str) -> str:
        of_list = self._where_it_has(
            table, "price_list_id", f"price_list_id in ({self._price_lists})"
        )
        of_product = self._of_variant_or_item(
            table, f"variant_id in ({self._variants})", f"item_id in ({self._items})"
        )
        return f"({of_list}) and ({of_product})" if of_list != NOTHING else NOTHING


class BuyersOfManager(OneBuyer):
    """The part of the buyers of one account manager: all of each who is theirs at the moment, but
    for what was told of the buyer while it was another one's."""

    def is_known(self) -> bool:
        buyers = self._then("buyers", "account_manager_id")
        known = f"select 1 from ({buyers}) as known where {self._is_own_buyer()} limit 1"
        return bool(self._raw.rows(known))

    def _is_own(self, column: str) -> str:
        return f"({column} is not null and {column} in ({self._buyers}))"

    def _is_own_buyer(self) -> str:
        return f"(account_manager_id is not null and account_manager_id = {quoted(self._id)})"

    @cached_property
    def _buyers(self) -> str:
        buyers = self._then("buyers", "id", "account_manager_id")
        return f"select id from ({buyers}) as known where id is not null and {self._is_own_buyer()}"
