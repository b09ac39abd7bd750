"""One database holds records, mails and files, for several threads."""

import threading
from pathlib import Path

from wholesale_sandbox.contract.fields import RESOURCE
from wholesale_sandbox.storage.database import Storage
from wholesale_sandbox.storage.outbox import Mail
from wholesale_sandbox.storage.uploads import Upload

MAIL = Mail("invitation", "ann@example.com", "b", "u", "2026-01-01T00:00:00Z")


def test_there_is_a_collection_for_each_resource() -> None:
    storage = Storage()

    assert {
        resource: storage.collection(resource).count() for resource in RESOURCE
    } == dict.fromkeys(RESOURCE, 0)


def test_a_storage_is_filled_with_records_of_many_resources() -> None:
    storage = Storage()

    storage.fill(
        [
            ("items", None, "i", b'{"id":"i"}'),
            ("variants", "i", "v", b'{"id":"v"}'),
            ("items", None, "j", b'{"id":"j"}'),
        ]
    )

    assert storage.collection("items").page(0, 9) == [b'{"id":"i"}', b'{"id":"j"}']
    assert storage.collection("variants").page(0, 9, parent_id="i") == [b'{"id":"v"}']


def test_a_reopened_file_has_mails_files_and_its_origin(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.sqlite"
    first = Storage(path)
    assert first.origin is None
    first.origin = "seed 1"
    first.outbox.send(MAIL)
    first.uploads.put("/uploads/a/b.png", Upload("image/png", b"\x00\x01"))
    first.close()

    second = Storage(path)

    assert second.origin == "seed 1"
    assert second.outbox.mails() == [MAIL]
    assert second.uploads.get("/uploads/a/b.png") == Upload("image/png", b"\x00\x01")
    assert second.uploads.get("/uploads/a/c.png") is None
    second.outbox.clear()
    assert second.outbox.mails() == []
    second.close()


def test_threads_do_not_lose_each_others_records() -> None:
    storage = Storage()

    def write(thread: int) -> None:
        for number in range(50):
            storage.collection("items").put(f"{thread}-{number}", b"{}")
            storage.collection("items").page(0, 10)

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert storage.collection("items").count() == 200
    assert len(storage.collection("items").page(0, 500)) == 200
