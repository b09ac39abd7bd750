"""Records: creates, updates and deletes them with all consequences, in one transaction."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal
from uuid import uuid4

import msgspec
from msgspec import Raw

from wholesale_sandbox.business import options
from wholesale_sandbox.business.consequences import (
    CONSEQUENCES,
    NO_CONSEQUENCES,
    PARENT_COPIES,
    REFERENCES,
    record_of,
    store,
)
from wholesale_sandbox.business.validation import NULL, Record, absent, checked, literal_of, text_of
from wholesale_sandbox.contract import (
    PARENT_ON_CREATE,
    RESOURCE,
    UNKNOWN_PARENT_CATEGORY,
    UNKNOWN_REFERENCE,
    Resource,
)
from wholesale_sandbox.responses import Refused, error, not_found, unprocessable
from wholesale_sandbox.storage import Storage

# The field a child names its parent in, where its payload has one (§2.2; §2.6 has none).
_PARENT_FIELDS = {"variants": "parent_id"}

_NO_OPTIONS = Raw(b"[]")


def create(
    storage: Storage,
    name: str,
    sent: Record,
    *,
    now: datetime,
    parent_id: str | None = None,
    record_id: str | None = None,
) -> Record:
    """Raises: Refused (422; 404 for an unknown parent category)."""
    resource = RESOURCE[name]
    with storage.transaction():
        written = checked(sent, resource, creating=True)
        record = {
            field.name: written.get(field.name, absent(resource, field))
            for field in resource.fields
        }
        record["id"] = literal_of(record_id or str(uuid4()))
        _set_parent_field(resource, record, parent_id)
        if resource.field("options"):
            record["options"] = _merged_options(resource, _NO_OPTIONS, sent, written)
        if resource.field("created_at"):
            record["created_at"] = record["updated_at"] = literal_of(timestamp(now))
        return _settled(storage, resource, None, record, written, parent_id)


def update(storage: Storage, name: str, record_id: str, sent: Record, *, now: datetime) -> Record:
    """Only the fields sent change; `updated_at` always does.

    Raises: Refused (404, 422).
    """
    resource = RESOURCE[name]
    with storage.transaction():
        before = _existing(storage, name, record_id)
        written = checked(sent, resource, creating=False)
        after = {**before, **written}
        if "options" in written:
            after["options"] = _merged_options(resource, before.get("options", NULL), sent, written)
        if name in _PARENT_FIELDS and _PARENT_FIELDS[name] in written:
            after |= {copy: written.get(copy, NULL) for copy in PARENT_COPIES}
        return _settled(
            storage,
            resource,
            before,
            _stamped(resource, before, after, now),
            written,
            _parent_after(storage, resource, record_id, written),
        )


def set_fields(
    storage: Storage, name: str, record_id: str, changes: Record, *, now: datetime
) -> Record:
    """Change fields that no body may change, such as the status of a buyer user.

    Raises: Refused (404).
    """
    resource = RESOURCE[name]
    with storage.transaction():
        before = _existing(storage, name, record_id)
        after = _stamped(resource, before, {**before, **changes}, now)
        parent_id = storage.collection(name).parent_of(record_id)
        store(storage, name, after, parent_id)
        return after


def delete(storage: Storage, name: str, record_id: str) -> None:
    """Raises: Refused (404, or 422 where it is still in use)."""
    consequences = CONSEQUENCES.get(name, NO_CONSEQUENCES)
    with storage.transaction():
        before = _existing(storage, name, record_id)
        consequences.release(storage, record_id)
        storage.collection(name).delete(record_id)
        consequences.follow(storage, before, None)


def timestamp(moment: datetime) -> str:
    """ISO 8601, UTC, with microseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _existing(storage: Storage, name: str, record_id: str) -> Record:
    record = record_of(storage, name, record_id)
    if record is None:
        raise not_found()
    return record


def _settled(
    storage: Storage,
    resource: Resource,
    before: Record | None,
    record: Record,
    written: Mapping[str, Raw],
    parent_id: str | None,
) -> Record:
    """Store the record with generated fields, and apply the consequences."""
    consequences = CONSEQUENCES.get(resource.name, NO_CONSEQUENCES)
    _check_references(storage, resource, written)
    consequences.refuse(storage, record)
    settled = record | consequences.generate(storage, record)
    store(storage, resource.name, settled, parent_id)
    consequences.follow(storage, before, settled)
    return settled


def _check_references(storage: Storage, resource: Resource, written: Mapping[str, Raw]) -> None:
    for name, target in REFERENCES.get(resource.name, {}).items():
        target_id = text_of(written, name)
        if target_id is None or storage.collection(target).get(target_id) is not None:
            continue
        details = f"{name} names none of the {target}"
        if resource.name == "categories":
            raise Refused(error(UNKNOWN_PARENT_CATEGORY.value))
        raise Refused(error(UNKNOWN_REFERENCE.value, details))


def _set_parent_field(resource: Resource, record: Record, parent_id: str | None) -> None:
    name = _PARENT_FIELDS.get(resource.name)
    if name is None:
        return
    if text_of(record, name) not in (None, parent_id):
        details = f"{name} must be the id of the item in the path, or be left out"
        raise Refused(error(PARENT_ON_CREATE.value, details))
    record[name] = literal_of(parent_id)


def _parent_after(
    storage: Storage, resource: Resource, record_id: str, written: Mapping[str, Raw]
) -> str | None:
    name = _PARENT_FIELDS.get(resource.name)
    if name is None or name not in written:
        return storage.collection(resource.name).parent_of(record_id)
    parent_id = text_of(written, name)
    if parent_id is None:
        raise unprocessable(f"{name} must name an item")
    return parent_id


def _merged_options(
    resource: Resource, stored: Raw, sent: Record, written: Mapping[str, Raw]
) -> Raw:
    """Null clears (`written` holds none then); anything else is merged into what is stored."""
    if bytes(sent.get("options", NULL)).strip() == b"null":
        return written["options"]
    held: Literal["value", "values"] = "value" if resource.name == "variants" else "values"
    return options.merged(stored, written["options"], held)


def _stamped(resource: Resource, before: Record, after: Record, now: datetime) -> Record:
    """With a later `updated_at` than before, if the resource has one."""
    if resource.field("updated_at") is None:
        return after
    try:
        former = msgspec.json.decode(before.get("updated_at", NULL), type=datetime | None)
    except msgspec.ValidationError:
        former = None
    if former is not None:
        former = former if former.tzinfo else former.replace(tzinfo=UTC)
        now = max(now, former + timedelta(microseconds=1))
    return {**after, "updated_at": literal_of(timestamp(now))}
