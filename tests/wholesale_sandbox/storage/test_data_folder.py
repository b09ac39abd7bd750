"""A folder is served as it stands, and an error in it is named by file, line and rule."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.storage.data_folder import FolderError, FolderRecord, read


def test_records_come_with_resource_parent_and_literal_bytes(tmp_path: Path) -> None:
    order = '{ "id": "o1", "sub_total": 12.50, "total": 1e3, "order_comments": [{"x": "é"}] }'
    (tmp_path / "orders.jsonl").write_text(f"{order}\n")
    (tmp_path / "variants.jsonl").write_text('{"id":"v1","parent_id":"i1"}\n')
    (tmp_path / "buyer_users.jsonl").write_text('{"buyer_id":"b1", "id":"u1", "role":null}')
    (tmp_path / "README.md").write_text("not a resource")
    assert list(read(tmp_path)) == [
        FolderRecord("orders", None, "o1", order.encode()),
        FolderRecord("buyer_users", "b1", "u1", b'{"id":"u1","role":null}'),
        FolderRecord("variants", "i1", "v1", b'{"id":"v1","parent_id":"i1"}'),
    ]


def test_lines_keep_their_order_and_blank_ones_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "brands.jsonl").write_bytes(b'\n{"id":"b2"}\r\n   \n{"id":"b1"}\n\n')
    assert [(record.id, record.body) for record in read(tmp_path)] == [
        ("b2", b'{"id":"b2"}'),
        ("b1", b'{"id":"b1"}'),
    ]


def test_an_empty_folder_holds_no_records(tmp_path: Path) -> None:
    assert list(read(tmp_path)) == []


@pytest.mark.parametrize(
    ("file", "line", "rule"),
    [
        ("orders.jsonl", b'{"id": "o1"', "not JSON "),
        ("orders.jsonl", b'{"id":"o1","total":"\xff"}', "not JSON "),
        ("orders.jsonl", b'["o1"]', "not a JSON object"),
        ("orders.jsonl", b"{}", "id "),
        ("orders.jsonl", b'{"id":7}', "id "),
        ("orders.jsonl", b'{"id":""}', "id "),
        ("variants.jsonl", b'{"id":"v2"}', "parent_id "),
        ("buyer_users.jsonl", b'{"id":"u2"}', "buyer_id "),
    ],
)
def test_a_bad_line_is_named_by_file_line_and_rule(
    tmp_path: Path, file: str, line: bytes, rule: str
) -> None:
    good = b'{"id":"1","parent_id":"2","buyer_id":"3"}\n\n'
    (tmp_path / file).write_bytes(good + line + b"\n")
    records = read(tmp_path)
    assert next(records).id == "1"
    assert error_of(records).startswith(f"{tmp_path / file}, line 3: {rule}")


def test_a_file_of_no_known_resource_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "invoices.jsonl").touch()
    with pytest.raises(FolderError) as caught:
        read(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'invoices.jsonl'}: ")
    assert ", ".join(RESOURCE) in str(caught.value)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FolderError) as caught:
        read(tmp_path / "nowhere")
    assert str(caught.value).startswith(f"{tmp_path / 'nowhere'}: ")


def error_of(records: Iterator[FolderRecord]) -> str:
    with pytest.raises(FolderError) as caught:
        next(records)
    message = str(caught.value)
    assert "\n" not in message
    return message
