"""Who takes part: how each is started, and where its tables are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server import API_KEY

PEERS = Path(__file__).with_name("peers")


@dataclass(frozen=True, slots=True)
class Tables:
    """Where a contender puts its rows in the DuckDB file."""

    file: str
    orders: str
    lines: str
    comments: str


PLAIN = Tables("warehouse.duckdb", "orders", "order_line_items", "order_comments")
DLT = Tables(
    "warehouse.duckdb",
    "peer.orders",
    "peer.orders__order_line_items",
    "peer.orders__order_comments",
)
OURS = Tables(
    "wholesale.duckdb",
    "wholesale_raw.orders",
    "wholesale_raw.orders__order_line_items",
    "wholesale_raw.orders__order_comments",
)


@dataclass(frozen=True, slots=True)
class Contender:
    """`command` is a line of shell; its programs are those of `environment`, PEERS its scripts.

    A `second_only` contender differs from another in its second run alone, so its first load is
    not shown; one that is `first_only` cannot load again.
    """

    name: str
    title: str
    environment: str
    command: str
    tables: Tables
    settings: Mapping[str, str] = field(default_factory=dict)
    second_only: bool = False
    first_only: bool = False

    @property
    def is_floor(self) -> bool:
        """It is no contender, and hides no latency."""
        return self.name == "floor"

    def variables(self, base_url: str, home: Path) -> dict[str, str]:
        """What is set for its processes besides PATH."""
        return {
            "BENCHMARK_BASE_URL": base_url,
            "BENCHMARK_API_KEY": API_KEY,
            "SOURCES__WHOLESALE__BASE_URL": base_url,
            "SOURCES__WHOLESALE__API_KEY": API_KEY,
            "RUNTIME__DLTHUB_TELEMETRY": "false",
            "DLT_DATA_DIR": str(home / "dlt"),
            "HOME": str(home),
            "PEERS": str(PEERS),
            "LANG": "C.UTF-8",
            **self.settings,
        }


# dlt's own advice on performance: parquet files, larger buffers, several processes that normalize
# (which take files that rotate)
TUNED = {
    "EXTRACT__DATA_WRITER__BUFFER_MAX_ITEMS": "10000",
    "EXTRACT__DATA_WRITER__FILE_MAX_ITEMS": "10000",
    "NORMALIZE__WORKERS": "2",
    "NORMALIZE__START_METHOD": "fork",
    "NORMALIZE__DATA_WRITER__BUFFER_MAX_ITEMS": "20000",
}

PYTHON = 'python "$PEERS"/'
LOADED_BY_DUCKDB = " >messages && " + PYTHON + "warehouse.py {} messages && rm messages"

CONTENDERS = (
    Contender("ours", "wholesale sync", "ours", "exec wholesale sync orders", OURS),
    Contender("hand", "expert's hand script", "hand", PYTHON + "hand_script.py", PLAIN),
    Contender(
        "hand-pages", "expert's script, pages as they came", "hand", PYTHON + "hand_pages.py", PLAIN
    ),
    Contender(
        "hand-arrow",
        "expert's script, asynchronous, in Arrow",
        "arrow",
        PYTHON + "hand_arrow.py",
        PLAIN,
        first_only=True,
    ),
    Contender("read-json", "DuckDB's read_json alone", "httpfs", PYTHON + "read_json.py", PLAIN),
    Contender(
        "airbyte",
        "Airbyte CDK, declarative",
        "airbyte",
        PYTHON + "airbyte_source.py" + LOADED_BY_DUCKDB.format("airbyte"),
        PLAIN,
    ),
    Contender(
        "singer",
        "Singer SDK tap",
        "singer",
        PYTHON + "singer_tap.py" + LOADED_BY_DUCKDB.format("singer"),
        PLAIN,
    ),
    Contender(
        "dlt-tuned",
        "dlt rest_api, tuned",
        "dlt",
        PYTHON + "dlt_rest_api.py --parquet",
        DLT,
        settings=TUNED,
    ),
    Contender(
        "dlt-cursor",
        "dlt rest_api, cursor",
        "dlt",
        PYTHON + "dlt_rest_api.py --cursor",
        DLT,
        second_only=True,
    ),
    Contender("dlt", "dlt rest_api", "dlt", PYTHON + "dlt_rest_api.py", DLT),
    Contender(
        "floor", "the floor", "ours", PYTHON + "floor.py >parts.json", PLAIN, first_only=True
    ),
)
BEFORE = Contender("before", "wholesale sync, before", "before", "exec wholesale sync orders", OURS)
"""Ours as another checkout has it, which is named when it takes part."""
CONTENDER = {contender.name: contender for contender in (*CONTENDERS, BEFORE)}
