"""No file of the product holds a state's word but the one of the defaults of the settings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.paths import ROOT
from wholesale_elt.models.settings import STANDINGS, ModelSettings

STANDING = {standing for names in STANDINGS.values() for standing in names}
DEFAULTS = ("pipelines/wholesale_elt/models/settings.py", "sql/dbt_project.yml")
"""Where defaults are; `test_dbt` holds the second to the first."""
PRODUCT = ("sources/wholesale", "pipelines", "sql")
OTHERS = ("fulfilled", "in transit", "backordered")
"""Words that services are known to have besides. `processing` is one, and a setting of vendors."""
WORDS = sorted({state.state for state in ModelSettings().states()} - STANDING | {*OTHERS})
"""The words of the defaults that are no standing, too."""
WORD = "|".join(WORDS)
ALONE = re.compile(rf"[\W_]*(?:{WORD})(?:[\W_]+(?:{WORD}))*[\W_]*", re.I)
"""A text of such words alone, in whatever is between them: a list, a pattern, a name."""
QUOTED = re.compile(rf"""(["'`])[\s%^(]*(?:{WORD})[\s%$)]*\1""", re.I)
NAMED = re.compile(rf"[{{,]\s*(?:{WORD})\s*:|\.(?:{WORD})\b(?!\s*\()", re.I)
"""A key or a field of an object."""
SQL_TEXT = re.compile(r"'((?:[^']|'')*)'")
TEXT = re.compile(r""""((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`""")
LIKE = re.compile(r"[%_]*(\w{3,}?)[%_]+")
PROSE = ("description", "label", "synonyms", "unit_tests")
"""What YAML says to readers, and made-up rows."""


def is_state(text: str) -> bool:
    """Whether a text is such words alone, or the beginning of one in a pattern of `like`."""
    beginning = LIKE.fullmatch(text)
    return bool(ALONE.fullmatch(text)) or bool(
        beginning and any(word.startswith(beginning[1].lower()) for word in WORDS)
    )


def states_in(text: str, suffix: str) -> list[str]:
    """The places where a text of a file of this kind names a state."""
    texts = [*_texts(text, suffix)]
    within = [match[1] for each in texts for match in SQL_TEXT.finditer(each)]
    found = [each for each in (*texts, *within) if is_state(each)]
    found += [match.group() for each in texts for match in QUOTED.finditer(each)]
    if suffix in {".js", ".html", ".css"}:
        found += [match.group() for match in (*QUOTED.finditer(text), *NAMED.finditer(text))]
    return found


def _texts(text: str, suffix: str) -> Iterator[str]:
    """The texts that a program holds, without what it says of itself."""
    if suffix == ".py":
        yield from _of_python(ast.parse(text))
    elif suffix in {".yml", ".yaml"}:
        for part in yaml.safe_load_all(text):
            yield from _of_yaml(part)
    elif suffix == ".sql":
        for match in SQL_TEXT.finditer(re.sub(r"\{#.*?#\}|--[^\n]*", "", text, flags=re.S)):
            yield match[1]
    elif suffix == ".csv":
        yield from re.split(r"[,\n]", text)
    else:
        for found in TEXT.finditer(text):
            yield next(each for each in found.groups() if each is not None)


def _of_python(tree: ast.AST) -> Iterator[str]:
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value
        if isinstance(node, ast.Dict):
            yield from (str(key.value) for key in node.keys if isinstance(key, ast.Constant))
        if isinstance(node, ast.keyword | ast.Attribute):
            yield (node.arg or "") if isinstance(node, ast.keyword) else node.attr


def _of_yaml(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key not in PROSE:
                yield str(key)
                yield from _of_yaml(value)
    elif isinstance(part, list):
        for each in part:
            yield from _of_yaml(each)
    elif isinstance(part, str):
        yield part


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "SENT = ('Shipped',)"),
        (".py", "SENT = 'shipped delivered'.split()"),
        (".py", "SENT = dict(shipped=1)"),
        (".py", "SQL = f\"select 1 from {table} where status = 'shipped'\""),
        (".py", "SQL = \"where lower(status) in ('received', 'x')\""),
        (".py", "SQL = \"where status like 'ship%'\""),
        (".py", "found = re.fullmatch('(shipped|delivered)', state)"),
        (".py", "if Status.SHIPPED: pass"),
        (".sql", "where order_status = 'shipped'"),
        (".sql", "{%- set sent = ['shipped', 'delivered'] %}"),
        (".sql", "where order_status like '%eliv' or order_status like 'deliv%'"),
        (".sql", "where order_status ~ '^(shipped|delivered)$'"),
        (".sql", "where string_split('received,confirmed', ',')"),
        (".sql", "where order_status = ' Shipped '"),
        (".sql", "where payment_status not in ('x', 'unpaid')"),
        (".js", 'const isSent = status === "Shipped";'),
        (".js", "const NAMES = { paid: 1 };"),
        (".js", "const NAMES = {\n  other: 2,\n  unpaid: 1,\n};"),
        (".js", "return NAMES.shipped;"),
        (".js", 'new Set("received confirmed".split(" "))'),
        (".js", "/^(shipped|delivered)$/.test(`${state}`) || state === `delivered`"),
        (".css", ".state.shipped { color: green; }"),
        (".css", '[data-state="shipped"] { color: green; }'),
        (".html", '<b data-state="delivered">'),
        (".yml", "measures: [{name: sent, expr: case when status = 'shipped' then 1 end}]"),
        (".yml", "tests: [{accepted_values: {values: [received, other]}}]"),
        (".yml", "meta: {meanings: {shipped: sent}}"),
        (".toml", 'sent = ["shipped", "delivered"]'),
        (".json", '{"sent": "shipped"}'),
        (".csv", "state,standing\nshipped,sent\n"),
    ],
)
def test_a_state_is_found_however_it_is_written(suffix: str, text: str) -> None:
    assert states_in(text, suffix)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", '"""Orders that were shipped, such as `shipped`."""\nSENT = "sent"'),
        (".py", "LABEL = 'Orders seen to be shipped'"),
        (".sql", "-- what was shipped\nselect 1 as sent {# 'received' is the sample #}"),
        (".sql", "where order_standing in ('sent', 'done', 'cancelled')"),
        (".js", 'const LABEL = "Shipped and unpaid, of all";'),
        (".yml", "models: [{name: x, description: 'State; `received` is the sample.'}]"),
        (".yml", "meta: {synonyms: [unpaid, owed]}"),
        (".yml", "unit_tests: [{given: [{rows: [{order_status: shipped}]}]}]"),
    ],
)
def test_what_is_said_to_readers_is_no_state(suffix: str, text: str) -> None:
    assert states_in(text, suffix) == []


def product_files() -> list[Path]:
    kinds = {*(".py", ".sql", ".js", ".html", ".css"), *(".yml", ".yaml", ".toml", ".json", ".csv")}
    return [
        path
        for folder in PRODUCT
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in kinds
        and path.relative_to(ROOT).as_posix() not in DEFAULTS
        and not {"vendor", "target", "__pycache__"} & {*path.parts}
    ]


def test_a_state_stands_in_no_product_file_but_where_defaults_are() -> None:
    files = product_files()
    assert {path.suffix for path in files} >= {".py", ".sql", ".js", ".html", ".css", ".yml"}
    assert len(files) > 400
    found = {
        f"{path.relative_to(ROOT)}: {state}"
        for path in files
        for state in states_in(path.read_text("utf-8"), path.suffix)
    }
    assert found == set()
