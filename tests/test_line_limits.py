"""The guide to the extractor names files that are there, and `poe lint` counts them."""

import pytest

from support import line_limits
from support.line_limits import EXTRACTOR, LIMITS, counts, reading_path


def test_a_guide_names_modules_and_packages_and_what_of_them_may_be_skipped() -> None:
    whole = {EXTRACTOR / "json" / path.name for path in (EXTRACTOR / "json").glob("*.py")}

    found = reading_path("1. `json` but not `strict`: a\n2. `api/facts`, `errors`: b\n`sync`: c")

    kept = whole - {EXTRACTOR / "json/strict.py"}
    assert found == kept | {EXTRACTOR / "api/facts.py", EXTRACTOR / "errors.py"}


@pytest.mark.parametrize("guide", ["1. `sink`: a", "1. `sync` but not `sink`: a"])
def test_a_guide_that_names_what_is_not_there_is_refused(guide: str) -> None:
    with pytest.raises(ValueError, match="sink, which is not there"):
        reading_path(guide)


def test_what_there_is_to_read_is_counted() -> None:
    path, extractor, class_ = counts().values()

    assert 1_000 < path < extractor
    assert 0 < class_ < path


def test_more_than_its_limit_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_limits, "LIMITS", counts())
    assert line_limits.main() == 0

    for name in LIMITS:
        monkeypatch.setattr(line_limits, "LIMITS", counts() | {name: counts()[name] - 1})
        assert line_limits.main() == 1
