"""Spellings: a warehouse as an earlier layout left it, with GUIDs as a service spelled them."""

from itertools import cycle

from wholesale.api import RESOURCE
from wholesale.names import moment_of
from wholesale.tables import is_id, shape_of
from wholesale_elt.past import digest_as_of, record_table_of
from wholesale_elt.warehouse import RAW_DATASET, Raw

OF_IDS = "upper(replace({}, '-', ''))"
OF_REFERENCES = (
    "upper({})",
    "replace({}, '-', '')",
    "'{{' || upper({}) || '}}'",
    "'urn:uuid:' || {}",
)
OWNED = {
    ("orders__order_line_items", "order_id"),
    ("orders__order_comments", "order_id"),
    ("items__options", "item_id"),
    ("variants__options", "variant_id"),
}
"""The ids of records in the tables of their children, which have them as the records do."""


def respell(raw: Raw, *, schema: str = RAW_DATASET) -> None:
    """Spell ids otherwise, and each column with references in a way of its own; the digests of runs
    are those of what is stored then."""
    ways = cycle(OF_REFERENCES)
    for (place, table), columns in sorted(raw.text_columns().items()):
        if place == schema and table[0] != "_":
            for column in columns:
                if is_id(column) and column != "run_id":
                    is_own = column == "id" or (record_table_of(table), column) in OWNED
                    way = OF_IDS if is_own else next(ways)
                    raw.execute(f"update {place}.{table} set {column} = {way.format(column)}")
    if schema == RAW_DATASET:
        raw.execute(f"update {schema}.sync_versions set version = '0.1.0+1'")
        there = raw.columns()
        for resource, run_id in raw.rows(f"select resource, run_id from {schema}.sync_runs"):
            digest = digest_as_of(raw, shape_of(RESOURCE[resource], there), moment_of(run_id))
            raw.execute(
                f"update {schema}.sync_runs set digest = %s where resource = %s and run_id = %s",
                *(digest.text, resource, run_id),
            )
