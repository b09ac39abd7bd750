"""An id that comes with several contents ends a sync with 3, and a reason that names it."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import duckdb
import pytest
from click.testing import CliRunner

from support.services.readings import serving
from wholesale_elt.cli.main import cli

ID = "ad6e57a2-0f1f-4f0f-8b53-0a1a8e5f2b11"


class Rows:
    """A service whose one list has these rows, and counts so many."""

    def __init__(self, rows: list[dict[str, str]], total: int) -> None:
        self.rows, self.total = rows, total

    def answer(self, path: str) -> tuple[int, object]:
        query, name = parse_qs(urlsplit(path).query), urlsplit(path).path.rpartition("/")[2]
        if name != "brands":
            found = [row for row in self.rows if row["id"].lower() == name.lower()]
            return (200, found[0]) if found else (404, {"error": "Resource not found"})
        number, limit = int(query.get("page", ["1"])[0]), int(query.get("limit", ["100"])[0])
        counts = {"total_count": self.total, "total_pages": max(1, -(-self.total // limit))}
        return 200, {"data": self.rows[(number - 1) * limit : number * limit], "pagination": counts}


@pytest.mark.parametrize(
    ("titles", "total", "code"),
    [("abc", 3, 3), ("abc", 1, 3), ("ab", 2, 3), ("aa", 2, 0), ("aa", 1, 0), ("a", 1, 0)],
)
def test_an_id_with_several_contents_is_not_certified(
    titles: str, total: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [ID, ID.upper(), ID.replace("-", "")]
    rows = [{"id": key, "title": title} for key, title in zip(ids, titles, strict=False)]
    with serving(Rows(rows, total)) as url:  # type: ignore[arg-type]
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", url)
        monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "any")
        for _ in range(2):
            found = CliRunner().invoke(cli, ["sync", "brands"])
            assert found.exit_code == code, found.output

    with duckdb.connect(str(tmp_path / "wholesale.duckdb"), read_only=True) as connection:
        stored = connection.execute("select id from wholesale_raw.brands").fetchall()
        runs = connection.execute("select verdict, reason from wholesale_raw.sync_runs").fetchall()
    assert stored == [(ID,)]
    assert {verdict for verdict, _ in runs} == {"incomplete" if code else "complete"}
    assert [ID in str(reason) for _, reason in runs] == [bool(code)] * 2
