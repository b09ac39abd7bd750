"""Consequences: fields that are generated from other records, and what a deletion deletes too."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import msgspec

from wholesale_sandbox.business import options
from wholesale_sandbox.business.validation import NULL, Record, literal_of, text_of
from wholesale_sandbox.contract import VENDOR_IN_USE
from wholesale_sandbox.responses import Refused, error, unprocessable
from wholesale_sandbox.storage import Storage

# Fields that name a record of another resource; account_manager_id (§2.5) names none we know.
REFERENCES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "items": {"category_id": "categories", "vendor_id": "vendors", "brand_id": "brands"},
        "variants": {"parent_id": "items"},
        "buyers": {"price_list_id": "price_lists"},
        "item_images": {"item_id": "items"},
        "prices": {
            "price_list_id": "price_lists",
            "variant_id": "variants",
            "item_id": "items",
        },
        "categories": {"parent_id": "categories"},
    }
)

_INHERITED = (  # §2.2
    "category_id",
    "vendor_id",
    "brand_id",
    "category_name",
    "vendor_name",
    "brand_name",
)

# Copies of the parent's fields that a body may write as well (§4.10); null asks for the copy.
PARENT_COPIES: Mapping[str, str] = MappingProxyType(
    {"parent_title": "title", "parent_product_code": "product_code"}
)

_record = msgspec.json.Decoder(Record)


def record_of(storage: Storage, resource: str, record_id: str | None) -> Record | None:
    body = None if record_id is None else storage.collection(resource).get(record_id)
    return None if body is None else _record.decode(body)


def store(storage: Storage, resource: str, record: Record, parent_id: str | None = None) -> None:
    record_id = text_of(record, "id")
    if record_id is None:
        raise ValueError(f"{resource}: a record without an id cannot be stored")
    storage.collection(resource).put(record_id, msgspec.json.encode(record), parent_id=parent_id)


@dataclass(frozen=True, slots=True)
class Consequences:
    """Of a change of one resource's record.

    `generate`: the read-only fields that follow from other records.
    `refuse`: raises Refused (422) if the record breaks a rule.
    `follow`: updates other records; gets the record before (None: new) and after
    (None: deleted) the change.
    `release`: before a deletion, refuses it or deletes what depends on the record.
    """

    generate: Callable[[Storage, Record], Record] = lambda storage, record: {}
    refuse: Callable[[Storage, Record], None] = lambda storage, record: None
    follow: Callable[[Storage, Record | None, Record | None], None] = (
        lambda storage, before, after: None
    )
    release: Callable[[Storage, str], None] = lambda storage, record_id: None


def _item_fields(storage: Storage, item: Record) -> Record:
    count = storage.collection("variants").count(text_of(item, "id"))
    names = {
        "category_name": ("category_id", "categories", "title"),
        "vendor_name": ("vendor_id", "vendors", "name"),
        "brand_name": ("brand_id", "brands", "title"),
    }
    generated = {"variants_count": literal_of(count)}
    for name, (reference, resource, title) in names.items():
        other = record_of(storage, resource, text_of(item, reference))
        generated[name] = NULL if other is None else other.get(title, NULL)
    return generated


def _has_own_product_code(storage: Storage, item: Record) -> None:
    code = text_of(item, "product_code")
    holders = storage.collection("items").ids_where("product_code", code or "")
    if any(holder != text_of(item, "id") for holder in holders):
        raise unprocessable("product_code must be unique; another item has it")


def _variant_fields(storage: Storage, variant: Record) -> Record:
    item = record_of(storage, "items", text_of(variant, "parent_id")) or {}
    copies = {
        name: item.get(copied, NULL)
        for name, copied in PARENT_COPIES.items()
        if variant.get(name, NULL) == NULL
    }
    return {
        **copies,
        "title": literal_of(options.title(variant.get("options", NULL))),
        **{name: item.get(name, NULL) for name in _INHERITED},
    }


def _variants_follow_item(storage: Storage, before: Record | None, after: Record | None) -> None:
    if before is None or after is None:
        return
    item_id = text_of(after, "id")
    variants = storage.collection("variants")
    for body in variants.page(0, variants.count(item_id), parent_id=item_id):
        variant = _record.decode(body)
        # Values of a variant that were written, and are no copies of the item's, stay.
        copies = {
            name: after.get(copied, NULL)
            for name, copied in PARENT_COPIES.items()
            if variant.get(name, NULL) == before.get(copied, NULL)
        }
        followed = copies | _variant_fields(storage, variant | copies)
        _set(storage, "variants", variant, followed, item_id)


def _items_follow_variant(storage: Storage, before: Record | None, after: Record | None) -> None:
    parents = {text_of(variant, "parent_id") for variant in (before, after) if variant}
    for item_id in parents:
        item = record_of(storage, "items", item_id)
        if item is not None:
            _set(storage, "items", item, _item_fields(storage, item))


def _set(
    storage: Storage, resource: str, record: Record, fields: Record, parent_id: str | None = None
) -> None:
    """Stores the record with these fields; one that has them already keeps its exact bytes."""
    if any(record.get(name) != value for name, value in fields.items()):
        store(storage, resource, record | fields, parent_id)


def _items_follow(reference: str) -> Callable[[Storage, Record | None, Record | None], None]:
    def follow(storage: Storage, before: Record | None, after: Record | None) -> None:
        if before is None or after is None:
            return
        for item_id in storage.collection("items").ids_where(reference, text_of(after, "id") or ""):
            _refresh_item(storage, item_id)

    return follow


def _refresh_item(storage: Storage, item_id: str, changes: Record | None = None) -> None:
    item = record_of(storage, "items", item_id)
    if item is not None:
        changed = item | (changes or {})
        changed |= _item_fields(storage, changed)
        store(storage, "items", changed)
        _variants_follow_item(storage, item, changed)


def _delete_all(storage: Storage, resource: str, ids: Iterable[str]) -> None:
    for record_id in ids:
        storage.collection(resource).delete(record_id)


def _ids_under(storage: Storage, resource: str, parent_id: str) -> list[str]:
    collection = storage.collection(resource)
    bodies = collection.page(0, collection.count(parent_id), parent_id=parent_id)
    return [text_of(_record.decode(body), "id") or "" for body in bodies]


def _release_variant(storage: Storage, variant_id: str) -> None:
    _delete_all(storage, "prices", storage.collection("prices").ids_where("variant_id", variant_id))


def _release_item(storage: Storage, item_id: str) -> None:
    for variant_id in _ids_under(storage, "variants", item_id):
        _release_variant(storage, variant_id)
        storage.collection("variants").delete(variant_id)
    for resource in ("item_images", "prices"):
        _delete_all(storage, resource, storage.collection(resource).ids_where("item_id", item_id))


def _release_vendor(storage: Storage, vendor_id: str) -> None:
    items = storage.collection("items").ids_where("vendor_id", vendor_id)
    if items:
        details = f"the vendor still has items ({len(items)}); delete or move them first"
        raise Refused(error(VENDOR_IN_USE.value, details))


def _release_brand(storage: Storage, brand_id: str) -> None:
    for item_id in storage.collection("items").ids_where("brand_id", brand_id):
        _refresh_item(storage, item_id, {"brand_id": NULL})


def _release_buyer(storage: Storage, buyer_id: str) -> None:
    _delete_all(storage, "buyer_users", _ids_under(storage, "buyer_users", buyer_id))


def _release_price_list(storage: Storage, price_list_id: str) -> None:
    prices = storage.collection("prices")
    _delete_all(storage, "prices", prices.ids_where("price_list_id", price_list_id))
    for buyer_id in storage.collection("buyers").ids_where("price_list_id", price_list_id):
        buyer = record_of(storage, "buyers", buyer_id)
        if buyer is not None:
            store(storage, "buyers", buyer | {"price_list_id": NULL})


CONSEQUENCES: Mapping[str, Consequences] = MappingProxyType(
    {
        "items": Consequences(
            generate=_item_fields,
            refuse=_has_own_product_code,
            follow=_variants_follow_item,
            release=_release_item,
        ),
        "variants": Consequences(
            generate=_variant_fields, follow=_items_follow_variant, release=_release_variant
        ),
        "vendors": Consequences(follow=_items_follow("vendor_id"), release=_release_vendor),
        "brands": Consequences(follow=_items_follow("brand_id"), release=_release_brand),
        "buyers": Consequences(release=_release_buyer),
        "price_lists": Consequences(release=_release_price_list),
    }
)
NO_CONSEQUENCES = Consequences()
