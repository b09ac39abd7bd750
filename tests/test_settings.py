"""Every setting that is a list can be set in the environment, as `SETTINGS.md` says."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from wholesale.api.profile import SERVICE_SECTION, ServiceFacts
from wholesale.configuration import names_in, read_model
from wholesale.errors import ConfigurationError
from wholesale.privacy.policy import PrivacySettings
from wholesale_agents.settings import AgentSettings
from wholesale_books.settings import BookSettings
from wholesale_elt.dashboard.settings import DashboardSettings
from wholesale_elt.models.settings import ModelSettings
from wholesale_elt.monitoring.settings import MonitoringSettings
from wholesale_elt.past.keeping import HistorySettings
from wholesale_elt.process.memory import MemorySettings
from wholesale_letters.settings import LetterSettings
from wholesale_lineage.settings import OpenLineageSettings, TelemetrySettings
from wholesale_spreadsheets.settings import SpreadsheetSettings

MODELS: dict[str, tuple[type[BaseModel], ...]] = {
    SERVICE_SECTION: (ServiceFacts,),
    "privacy": (PrivacySettings,),
    "build": (ModelSettings,),
    "monitoring": (MonitoringSettings, OpenLineageSettings, TelemetrySettings),
    "agents": (AgentSettings,),
    "dashboard": (DashboardSettings,),
    "history": (HistorySettings,),
    "memory": (MemorySettings,),
    "spreadsheets": (SpreadsheetSettings,),
    "books": (BookSettings,),
    "letters": (LetterSettings,),
}
OF_TABLES: dict[str, dict[str, object]] = {
    "monitoring.rules": {"metric": "sales", "below": 100},
    "letters.recipients": {"address": "desk@example.org"},
}
"""Lists of tables, each with an entry."""
NAMES = {
    "privacy.keep": ["contact", "orders.total"],
    "privacy.drop": ["contact", "address"],
    "privacy.hash": ["contact", "address"],
    "build.extra_fields": ["buyers.a", "orders.b"],
}
"""Names that a setting takes, where it does not take any."""
BESIDE = {"monitoring.mail_to": {"MAIL_SERVER": "smtps://a:b@c.test", "MAIL_FROM": "a@b.test"}}


def has_list(schema: object) -> bool:
    """Whether a value of this schema may be an array."""
    if isinstance(schema, dict):
        return schema.get("type") == "array" or any(map(has_list, schema.get("anyOf", ())))
    return False


LISTS = [
    (f"{section}.{name}", model)
    for section, models in MODELS.items()
    for model in models
    for name, schema in model.model_json_schema()["properties"].items()
    if has_list(schema)
]


def test_the_lists_are_those_of_every_model_that_is_read() -> None:
    sources = [*Path("sources").rglob("*.py"), *Path("pipelines").rglob("*.py")]
    read = {
        name
        for path in sources
        for name in re.findall(r"read_(?:model|sink_settings)\(\s*([A-Z]\w+)", path.read_text())
    }

    assert read <= {model.__name__ for models in MODELS.values() for model in models}
    assert len(LISTS) > 15


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, type[BaseModel], str], Any]:
    """Reads a setting that has this text in the environment."""

    def read(setting: str, model: type[BaseModel], text: str) -> Any:
        section, _, name = setting.rpartition(".")
        prefix = section.replace(".", "__").upper()
        for other, value in ({name: text} | BESIDE.get(setting, {})).items():
            monkeypatch.setenv(f"{prefix}__{other.upper()}", value)
        return getattr(read_model(model, section), name)

    return read


@pytest.mark.parametrize(("setting", "model"), LISTS)
def test_a_list_is_names_separated_by_commas_or_json(
    setting: str, model: type[BaseModel], reads: Callable[[str, type[BaseModel], str], Any]
) -> None:
    if setting in OF_TABLES:
        (entry,) = reads(setting, model, json.dumps([OF_TABLES[setting]]))
        assert {name: getattr(entry, name) for name in OF_TABLES[setting]} == OF_TABLES[setting]
        return
    names = NAMES.get(setting, ["draft", "quote"])

    found = [
        reads(setting, model, text)
        for text in (",".join(names), f" {' , '.join(names)}, ", json.dumps(names))
    ]

    assert [sorted(each) for each in found] == [sorted(names)] * 3
    assert [*reads(setting, model, names[0])] == names[:1]
    assert [*reads(setting, model, "[]")] == []


@pytest.mark.parametrize(("setting", "model"), LISTS)
@pytest.mark.parametrize("text", ["[draft", '{"a": 1}', "[1, 2]", "[[]]", "[null]"])
def test_what_is_no_list_is_told_with_what_to_write(
    setting: str,
    model: type[BaseModel],
    text: str,
    reads: Callable[[str, type[BaseModel], str], Any],
) -> None:
    with pytest.raises(ConfigurationError) as error:
        reads(setting, model, text)

    assert str(error.value).startswith(f"setting {setting} (")
    assert "write a list" in str(error.value)
    assert not re.search("tuple|frozen|instance|dictionary", str(error.value))


def test_rules_that_are_no_tables_are_told_with_what_to_write(
    reads: Callable[[str, type[BaseModel], str], Any],
) -> None:
    with pytest.raises(
        ConfigurationError, match=r"write a list of tables in JSON, .* with metric, "
    ):
        reads("monitoring.rules", MonitoringSettings, "sales, total")


def test_what_is_no_text_is_no_list_of_names() -> None:
    assert [names_in(value) for value in (None, 3, ["a,b"])] == [None, 3, ["a,b"]]
