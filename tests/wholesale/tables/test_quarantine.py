"""A record without a usable id is a row of the quarantine, with all that is known of it."""

from wholesale.tables.decoded import Quarantined
from wholesale.tables.quarantine import QUARANTINE_SCHEMA, quarantine_table


def test_each_record_is_a_row_of_its_run_and_resource() -> None:
    records = [
        Quarantined(3, 0, "has no id", '{"name":"a"}'),
        Quarantined(4, 7, "is no object", "1e3"),
    ]

    table = quarantine_table(records, "vendors", "run-1")

    assert table.schema == QUARANTINE_SCHEMA
    assert table.drop_columns(["found_at"]).to_pylist() == [
        {
            "run_id": "run-1",
            "resource": "vendors",
            "page": 3,
            "index": 0,
            "reason": "has no id",
            "body": '{"name":"a"}',
        },
        {
            "run_id": "run-1",
            "resource": "vendors",
            "page": 4,
            "index": 7,
            "reason": "is no object",
            "body": "1e3",
        },
    ]
    assert table["found_at"].null_count == 0
