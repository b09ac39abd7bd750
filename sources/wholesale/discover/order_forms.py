"""Order forms: what the list, the basic and the verbose form of an order show (§2.4)."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.errors import ServiceError, Unauthorized
from wholesale.expect import find_rows, unlike_columns
from wholesale.json import RawPage
from wholesale.pages import ListReader, read_form
from wholesale.tables import Decoded, TableShape, decode, is_unreadable, shown_columns


def see_basic_form(pages: ListReader, listed: Decoded, samples: Decoded) -> None:
    """Note which documented fields and lists the basic form of an order has and the verbose form
    lacks.

    A list that the description shows in the basic form (§2.4), and no verbose order has, is taken
    for one of these although a few basic forms lack it too: it may be left out where it is empty.
    """
    if not len(samples.root):
        return
    record_id = samples.root["id"][0].as_py()
    resource, service = pages.resource, pages.service
    path = service.path(resource.get_endpoint or "", resource, record_id)
    try:
        basic = read_form(service, pages.traffic, path, record_id, resource.summary_query)
    except Unauthorized:
        raise
    except ServiceError:
        return  # it has one form only
    decoded = decode([RawPage(b"[" + basic + b"]")], samples.shape)
    fields = {child.table: child.field for child in samples.shape.children}
    lacking = shown_in(decoded) - shown_in(samples)
    of_basic_form = lacking & (documented_in(samples.shape) | fields.keys())
    names = {fields.get(name, name) for name in of_basic_form}
    shown = shown_in(samples) | shown_in(listed)
    shown |= {name for name in samples.carried if is_unreadable(name, samples).any()}
    names |= {name for name in resource.basic_lists if f"{resource.name}__{name}" not in shown}
    service.observe(basic_form_fields=frozenset(names))


def compare_rows(pages: ListReader, full: Decoded) -> None:
    """Compare rows of the order list with full orders: which fields they alone have, and which they
    show otherwise."""
    service, resource = pages.service, pages.resource
    rows = replace(pages, query=resource.summary_query)
    page = rows.look(page=service.profile.first_page, limit=service.page_size(resource))
    listed = decode([RawPage(page.records)], full.shape).root
    places = find_rows(listed, full.root)
    short, whole = listed.filter(pc.is_valid(places)), full.root.take(places.drop_null())
    if not len(short):
        return
    alone = [
        name
        for name in resource.summary
        if pc.any(pc.and_(pc.is_valid(short[name]), pc.is_null(whole[name]))).as_py()
    ]
    unlike = [
        name
        for name in unlike_columns(short, whole, resource.summary)
        if name not in alone and _are_all_unlike(short, whole, name)
    ]
    service.observe(
        list_only_fields=frozenset(alone),
        unlike_fields=frozenset(f"{resource.name}.{name}" for name in unlike),
    )


def _are_all_unlike(short: pa.Table, whole: pa.Table, name: str) -> bool:
    """Whether no row of the list shows the column as its full record of the same version does."""
    return all(
        unlike_columns(short.slice(row, 1), whole.slice(row, 1), [name])
        for row in range(len(short))
        if short["updated_at"][row] == whole["updated_at"][row]
        and (short[name][row].is_valid or whole[name][row].is_valid)
    )


def shown_in(decoded: Decoded) -> set[str]:
    """The columns and lists that some record has."""
    lists = {name for name, carried in decoded.carried.items() if carried.true_count}
    return lists | shown_columns(decoded.root)


def documented_in(shape: TableShape) -> set[str]:
    """The columns of a table that the description shows."""
    return {mapping.column for mapping in shape.mappings if mapping.section}
