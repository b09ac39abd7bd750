"""`wholesale verify`: what was changed in a version, a copy or an answer is named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner

from support.warehouses.edits import publish_again, without_pages
from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import find_site

Verify = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module")
def published(built: Marts, published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two versions, beside the warehouse that they were made of."""
    folder = tmp_path_factory.mktemp("verify")
    with without_pages():
        publish_again(built.copy(folder), published, folder / "published")
    return folder / "published"


@pytest.fixture
def copy(published: Path, tmp_path: Path) -> Path:
    """A copy of the file in force, elsewhere."""
    return copied(published / "wholesale.duckdb", tmp_path)


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """A copy that the test may change."""
    copy = shutil.copytree(published, tmp_path / "published")
    for path in copy.rglob("*"):
        path.chmod(0o700)
    return copy


def copied(file: Path, folder: Path) -> Path:
    copy = Path(shutil.copy(file, folder / "copy.duckdb"))
    copy.chmod(0o700)
    return copy


def execute(database: Path, statement: str) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute(statement)


def verify(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(cli, ["verify", *words, "--published", str(folder), "--json"])
    found: dict[str, Any] = json.loads(done.stdout)
    return done.exit_code, found


def told(found: dict[str, Any]) -> list[tuple[str, int]]:
    return [(each["what"], each["row_count"]) for each in found["findings"]]


def change(database: Path) -> None:
    """One amount of one order."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "update wholesale_marts.fct_orders set sub_total = sub_total + 1 where order_id ="
            " (select min(order_id) from wholesale_marts.fct_orders)"
        )


def test_what_was_published_is_verified(published: Path) -> None:
    manifest = find_site(published).manifest
    code, found = verify(published)

    assert (code, found["version"], found["count"]) == (0, manifest.version, len(manifest.files))
    assert found["findings"] == []
    first = min(path.name for path in (published / "versions").iterdir())
    code, found = verify(published, "--version", "previous")
    assert (code, found["version"], found["findings"]) == (0, first, [])


def test_a_changed_file_is_named_with_its_rows(folder: Path) -> None:
    database = find_site(folder).database
    change(database)
    code, found = verify(folder)

    path = database.relative_to(folder.absolute()).as_posix()
    assert (code, told(found)) == (1, [(path, 0), ("wholesale_marts.fct_orders", 2)])
    rows = {row["side"]: row for row in found["findings"][1]["rows"]}
    assert {name for name in rows["added"] if rows["added"][name] != rows["missing"][name]} == {
        *("side", "sub_total"),
    }


def test_a_copy_elsewhere_is_compared_row_by_row(published: Path, copy: Path) -> None:
    assert verify(published, str(copy))[0] == 0
    change(copy)
    code, found = verify(published, str(copy))
    assert (code, told(found)) == (1, [("wholesale_marts.fct_orders", 2)])
    execute(copy, "drop table wholesale_bi.rpt_headlines")
    assert "wholesale_bi.rpt_headlines" in [
        name for name, _ in told(verify(published, str(copy))[1])
    ]


def test_the_digests_of_a_version_are_in_its_file_and_in_its_manifest(
    published: Path, copy: Path
) -> None:
    manifest = find_site(published).manifest
    with duckdb.connect(str(copy), read_only=True) as connection:
        own = connection.execute(
            "select schema_name || '.' || table_name, digest from meta.digests"
        ).fetchall()
        tables = connection.execute(
            "select schema_name || '.' || table_name from duckdb_tables() order by 1"
        ).fetchall()
    with duckdb.connect(str(published.parent / "wholesale.duckdb"), read_only=True) as connection:
        noted = connection.execute(
            "select 'wholesale_raw.' || resource, digest from wholesale_raw.sync_runs"
        ).fetchall()

    assert dict(own) == manifest.digests
    assert {name: manifest.digests[name] for name, _ in noted} == dict(noted)
    assert {name for (name,) in tables} == {
        "meta.digests",
        *(name for name in manifest.digests if not name.startswith("wholesale_raw.")),
    }


def test_a_copy_without_the_folder_has_its_own_digests(tmp_path: Path, copy: Path) -> None:
    code, found = verify(tmp_path / "none", str(copy))
    assert (code, found["looked_at"], found["findings"]) == (0, "tables", [])
    change(copy)
    with duckdb.connect(str(copy), read_only=True) as connection:
        [(order,)] = connection.execute(
            "select min(order_id) from wholesale_marts.fct_orders"
        ).fetchall()
    code, found = verify(tmp_path / "none", str(copy))

    [finding] = found["findings"]
    [row], [bucket] = finding["rows"], finding["buckets"]
    assert (code, told(found)) == (1, [("wholesale_marts.fct_orders", 1)])
    assert row == {"bucket": bucket, "order_id": order}
    assert verify(tmp_path / "none", str(copy), "--version", "previous")[0] == 1


def test_a_copy_tells_of_which_version_it_is(published: Path, tmp_path: Path) -> None:
    first, second = sorted((published / "versions").iterdir())
    of_first = copied(first / "wholesale.duckdb", tmp_path)

    code, found = verify(published, str(of_first))
    assert (code, found["version"]) == (0, first.name)
    code, found = verify(published, str(of_first), "--version", second.name)
    assert (code, found["version"]) == (1, second.name)
    assert ("wholesale_marts.fct_orders", 4) in told(found)


@pytest.mark.parametrize(
    ("statement", "table", "rows"),
    [
        ("update main.why_totals set value_after = value_after + 1", "main.why_totals", None),
        ("update meta.versions set verdict = 'perfect'", "meta.versions", 0),
        ("update meta.metrics set expression = '1' where metric_name = 'sales'", "meta.metrics", 1),
        ("drop table wholesale_bi.rpt_headlines cascade", "wholesale_bi.rpt_headlines", 0),
        (
            "alter table wholesale_marts.dim_brands drop column brand_title",
            "wholesale_marts.dim_brands",
            None,
        ),
        (
            "alter table wholesale_marts.dim_brands rename column brand_id to id",
            "wholesale_marts.dim_brands",
            0,
        ),
    ],
)
def test_whatever_was_changed_in_a_copy_is_named(
    published: Path, copy: Path, statement: str, table: str, rows: int | None
) -> None:
    execute(copy, statement)
    code, found = verify(published, str(copy))

    [(name, count)] = told(found)
    assert (code, name) == (1, table)
    assert rows in (None, count)


@pytest.mark.parametrize(
    ("change", "unproved"),
    [
        ("delete from meta.digests where table_name = 'dim_brands'", "wholesale_marts.dim_brands"),
        ("create table main.mine as select 1 as one", "main.mine"),
    ],
)
def test_a_table_without_a_digest_is_unproved_and_not_right(
    tmp_path: Path, copy: Path, change: str, unproved: str
) -> None:
    execute(copy, change)
    code, found = verify(tmp_path / "elsewhere", str(copy))
    assert (code, found["unproved"]) == (3, [unproved])


def test_a_copy_that_has_no_digests_at_all_is_unproved(tmp_path: Path, copy: Path) -> None:
    execute(copy, "drop table meta.digests")
    code, found = verify(tmp_path / "elsewhere", str(copy))
    assert (code, found["count"], found["findings"]) == (3, 0, [])
    assert "wholesale_marts.fct_orders" in found["unproved"]


def test_a_copy_of_a_part_is_not_compared_with_the_whole(published: Path, copy: Path) -> None:
    execute(copy, "update meta.versions set part = 'vendor=A'")
    code, found = verify(published, str(copy))
    assert [each["what"] for each in found["findings"]] == ["meta.versions"]
    assert (code, found["version"].startswith("the build of")) == (1, True)


def test_what_was_digested_otherwise_is_unproved(tmp_path: Path, copy: Path) -> None:
    execute(copy, "update meta.digests set digest = '0-' where table_name = 'fct_orders'")
    code, found = verify(tmp_path / "none", str(copy))

    assert (code, found["unproved"], found["findings"]) == (3, ["wholesale_marts.fct_orders"], [])


def test_rows_are_not_compared_with_a_file_that_was_changed_itself(
    folder: Path, copy: Path
) -> None:
    [path] = (find_site(folder).database.parent).rglob("fct_orders.parquet")
    path.write_bytes(path.read_bytes() + b" ")
    assert verify(folder, str(copy))[0] == 0
    change(copy)
    code, found = verify(folder, str(copy))

    assert (code, told(found)) == (1, [("wholesale_marts.fct_orders", 1)])
    assert list(found["findings"][0]["rows"][0]) == ["bucket", "order_id"]


def test_a_warehouse_is_compared_with_what_a_version_was_made_of(
    built: Marts, published: Path, tmp_path: Path
) -> None:
    marts = built.copy(tmp_path)
    words = ("--warehouse", "--database", str(marts.database))
    version = find_site(published).manifest.version
    assert verify(published, *words, "--version", version)[0] == 0
    ((order,),) = marts.rows("select min(id) from wholesale_raw.orders")
    marts.change(f"update wholesale_raw.orders set total = total + 1 where id = '{order}'")
    code, found = verify(published, *words, "--version", version)

    assert (code, told(found)) == (1, [("orders", 1)])
    assert found["findings"][0]["rows"][0]["id"] == order
    marts.change("update wholesale_raw.sync_runs set digest = null where resource = 'orders'")
    code, found = verify(published, *words, "--version", version)
    assert (code, found["unproved"], found["findings"]) == (3, ["orders"], [])


def test_an_answer_is_verified_in_the_version_that_it_names(
    published: Path, tmp_path: Path
) -> None:
    asked = ["figures", "sales", "--by", "vendor", "--json", "--published", str(published)]
    answer = json.loads(CliRunner().invoke(cli, asked).stdout)
    held = tmp_path / "answer.json"
    held.write_text(json.dumps(answer), "utf-8")

    code, found = verify(published, str(held))
    assert (code, found["version"], found["count"]) == (0, answer["version"], len(answer["rows"]))
    answer["rows"][0]["sales"] = "1.00"
    held.write_text(json.dumps(answer), "utf-8")
    code, found = verify(published, str(held))
    assert (code, told(found)) == (1, [("answer.json", 2)])


def test_a_row_that_an_answer_has_twice_is_one_too_many(published: Path, tmp_path: Path) -> None:
    asked = ["figures", "sales", "--by", "vendor", "--json", "--published", str(published)]
    answer = json.loads(CliRunner().invoke(cli, asked).stdout)
    answer["rows"].append(answer["rows"][0])
    held = tmp_path / "answer.json"
    held.write_text(json.dumps(answer), "utf-8")

    code, found = verify(published, str(held))
    assert (code, told(found)) == (1, [("answer.json", 1)])
    [row] = found["findings"][0]["rows"]
    assert row["side"] == "added"


def test_an_answer_of_another_version_than_it_names_differs(
    published: Path, tmp_path: Path
) -> None:
    asked = ["figures", "sales", "--by", "vendor", "--json", "--published", str(published)]
    answer = json.loads(CliRunner().invoke(cli, asked).stdout)
    answer["version"] = min(path.name for path in (published / "versions").iterdir())
    held = tmp_path / "answer.json"
    held.write_text(json.dumps(answer), "utf-8")

    code, found = verify(published, str(held))
    assert (code, found["version"]) == (1, answer["version"])
    assert [name for name, _ in told(found)] == ["answer.json"]


def test_an_answer_of_which_some_rows_are_shown_is_verified_as_far_as_it_goes(
    published: Path, tmp_path: Path
) -> None:
    asked = ["figures", "sales", "--by", "vendor", "--json", "--published", str(published)]
    answer = json.loads(CliRunner().invoke(cli, asked).stdout)
    held = tmp_path / "answer.json"
    rows = answer["rows"]
    answer |= {"rows": rows[:1], "rows_not_shown": len(rows) - 1}
    held.write_text(json.dumps(answer), "utf-8")
    assert verify(published, str(held))[0] == 0
    answer["rows_not_shown"] -= 1
    held.write_text(json.dumps(answer), "utf-8")
    assert verify(published, str(held))[0] == 1


def test_no_answer_is_asked_of_a_file_that_was_changed(folder: Path, tmp_path: Path) -> None:
    asked = ["figures", "sales", "--json", "--published", str(folder)]
    held = tmp_path / "answer.json"
    held.write_text(CliRunner().invoke(cli, asked).stdout, "utf-8")
    change(find_site(folder).database)

    code, found = verify(folder, str(held))
    path = find_site(folder).manifest.database.path
    assert (code, told(found)) == (1, [(path, 0)])


@pytest.mark.parametrize(
    ("text", "exit_code"),
    [("{}", 1), ("no JSON", 1), ('{"version": "1", "statement": "", "rows": []}', 2)],
)
def test_what_is_no_answer_is_refused(
    published: Path, tmp_path: Path, text: str, exit_code: int
) -> None:
    held = tmp_path / "answer.json"
    held.write_text(text, "utf-8")

    code, found = verify(published, str(held))
    assert (code, "findings" in found) == (exit_code, False)


@pytest.mark.parametrize(
    "name",
    [
        "versions/{version}/wholesale.duckdb.wal",
        "versions/{version}/wholesale.duckdb.wal.checkpoint",
        "versions/{version}/parquet/more.parquet",
        "dashboard/{version}/more.js",
        "wholesale.duckdb.wal",
    ],
)
def test_a_file_that_was_not_published_is_named(folder: Path, name: str) -> None:
    path = name.format(version=find_site(folder).manifest.version)
    (folder / path).write_bytes(b"forged")

    code, found = verify(folder)

    assert (code, told(found)) == (1, [(path, 0)])


def test_a_link_beside_a_version_and_another_file_of_the_fixed_name_are_named(
    folder: Path, tmp_path: Path
) -> None:
    fixed = folder / "wholesale.duckdb"
    other = copied(fixed, tmp_path)
    change(other)
    fixed.unlink()
    shutil.move(other, fixed)
    version = find_site(folder).manifest.version
    (folder / "versions" / version / "more").symlink_to(tmp_path)

    code, found = verify(folder)

    assert (code, told(found)) == (1, [(f"versions/{version}/more", 0), (fixed.name, 0)])
    assert verify(folder, "--version", "previous")[0] == 0


def test_an_answer_whose_statement_does_not_read_is_refused(
    published: Path, tmp_path: Path
) -> None:
    manifest = find_site(published).manifest
    log = f"{find_site(published).database}.wal"
    statement = f"copy (select 1) to '{log}'"
    held = tmp_path / "answer.json"
    told = {"version": manifest.version, "statement": statement, "rows": []}
    held.write_text(json.dumps(told), "utf-8")

    assert verify(published, str(held))[0] == 1
    assert not Path(log).exists()


@pytest.mark.parametrize("name", ["meta.versions", "meta.tables", "meta.digests"])
def test_a_copy_is_not_asked_for_what_its_views_tell(
    published: Path, copy: Path, tmp_path: Path, name: str
) -> None:
    planted = tmp_path / "planted"
    planted.write_text("planted", "utf-8")
    execute(copy, f"create table main.kept as from {name}")
    execute(copy, f"drop table {name}")
    told = f"(select content from read_text('{planted}'))"
    shown = f"{told} as schema_name, * exclude (schema_name)"
    of_versions = f"* replace ({told} as currency)"
    execute(
        copy,
        f"create view {name} as select"
        f" {of_versions if name == 'meta.versions' else shown} from main.kept",
    )

    for place in (published, tmp_path):
        code, found = verify(place, str(copy))
        assert code in (1, 3)
        assert "planted" not in json.dumps(found)


def test_names_of_a_copy_are_no_sql_and_no_control_characters(published: Path, copy: Path) -> None:
    odd = 'x"; create table main.more as select 1; --\n\x1b[31m'
    quoted = odd.replace('"', '""')
    execute(copy, f'create table main."{quoted}" as select 1 as "{quoted}"')
    execute(copy, f"""insert into meta.digests values ('main', '{odd}', '1-')""")

    done = CliRunner().invoke(cli, ["verify", str(copy), "--published", str(published)])

    assert done.exit_code in (1, 3)
    assert "\x1b" not in done.output
    lines = done.output.splitlines()
    assert all(line.isprintable() for line in lines)


def test_a_copy_with_a_log_or_a_macro_in_place_of_a_function_is_not_believed(
    published: Path, copy: Path
) -> None:
    log = copy.with_name(f"{copy.name}.wal")
    log.write_bytes(b"forged")
    assert told(verify(published, str(copy))[1]) == [(copy.name, 0)]
    log.unlink()
    execute(copy, "create macro main.hash(a) as 7")
    assert told(verify(published, str(copy))[1]) == [(copy.name, 0)]


def test_a_file_that_is_no_database_is_named(published: Path, tmp_path: Path) -> None:
    held = tmp_path / "odd.duckdb"
    held.write_text("no database", "utf-8")

    code, found = verify(published, str(held))
    assert (code, told(found)) == (1, [("odd.duckdb", 0)])
