"""A publication that breaks off, or meets another, leaves a whole version in force."""

import pytest

from support.warehouses.desks import Desk
from wholesale_elt.process.lock import AlreadyRunning, hold
from wholesale_elt.publish import folder


def test_a_run_that_died_leaves_nothing_behind(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    before = desk.files()
    left = desk.folder / "versions/.next.partial/parquet"
    left.mkdir(parents=True)
    (left / "half").write_text("half")
    (desk.folder / ".current.json.partial").write_text("half")
    (desk.folder / "dashboard/20260101T000000000Z-0a1b2c3d").mkdir()

    desk.publish()
    assert desk.files() == before
    assert [path.name for path in (desk.folder / "dashboard").iterdir() if path.is_dir()] == (
        desk.versions()
    )


@pytest.mark.parametrize("step", ["_sync_all", "replace", "write_entries"])
def test_a_publication_that_breaks_off_leaves_the_last_one_in_force(
    desk: Desk, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    desk.build(1)
    desk.publish()
    before = desk.current()
    desk.build(2)
    with monkeypatch.context() as patch:
        patch.setattr(folder, step, fail)
        with pytest.raises(OSError, match="No space"):
            desk.publish()

    assert desk.current() == before
    assert desk.numbers(before["database"]["path"]) == {1}
    assert desk.numbers() in ({1}, {2})
    assert desk.publish().result == "published"
    version = desk.current()["version"]
    assert (desk.folder / "index.html").read_text("utf-8") == f"{version}: 2"
    assert desk.numbers() == desk.numbers(desk.current()["database"]["path"]) == {2}


def test_two_do_not_publish_into_one_folder_at_once(desk: Desk) -> None:
    desk.build(1)
    desk.publish()
    with (
        hold(desk.folder / ".lock"),
        pytest.raises(AlreadyRunning, match=f"at work on the folder {desk.folder}: process "),
    ):
        desk.publish()
