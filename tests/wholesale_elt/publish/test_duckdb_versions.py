"""The published file is read, with its comments, views and macros, by each DuckDB that people have.

By hand; needs an index of packages.
"""

import json
import subprocess
from pathlib import Path

import pytest

from support.services.installed import with_package
from support.warehouses.marts import Marts
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.long

VERSIONS = ("1.1.3", "1.3.2", "1.4.4", "1.5.6", "2.0.1")
COLUMNS = "duckdb_columns() where not internal"
ASKED = (
    f"select count(*) - count(comment) from {COLUMNS}",
    "select count(*) from duckdb_views() where not internal and comment is null",
    f"select count(*) - (select count(*) from {COLUMNS}) from meta.columns",
    "select cast(sum(sub_total) - sales(orders) as varchar) from orders where is_sale",
    "select string_agg(name, ',' order by name) from (show tables)",
)
READ = """
import json, sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
print(json.dumps([connection.execute(sql).fetchall()[0][0] for sql in json.loads(sys.argv[2])]))
"""


@pytest.fixture(scope="module")
def published(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("versions")
    publish_marts(built.copy(folder).warehouse, str(folder / "published"))
    return folder / "published/wholesale.duckdb"


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_of_duckdb_reads_it_all(published: Path, version: str, tmp_path: Path) -> None:
    programs = with_package(tmp_path, f"duckdb=={version}")

    done = subprocess.run(
        [programs / "python", "-c", READ, published, json.dumps(ASKED)],
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    *nothing, difference, views = json.loads(done.stdout)
    assert nothing == [0, 0, 0]
    assert float(difference) == 0
    assert views.split(",")[:3] == ["brands", "buyers", "categories"]
