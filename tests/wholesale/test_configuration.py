"""Settings come from section `sources.wholesale` of dlt's configuration, and from nowhere else."""

import json
from pathlib import Path
from typing import Self

import pytest
from dlt.common.configuration.container import Container
from dlt.common.configuration.providers.toml import TomlProviderReadException
from dlt.common.configuration.specs.pluggable_run_context import PluggableRunContext
from pydantic import BaseModel, model_validator

from wholesale.api.profile import ServiceFacts
from wholesale.configuration import broken_file, read_model, read_settings
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings

BASE = "https://service.test/api/external/v1"
VALUES = {
    "base_url": BASE,
    "plain_http": True,
    "api_key": "0123",
    "page_size": 7,
    "concurrency": 8,
    "timeout_seconds": 9.5,
    "deadline_seconds": 10.0,
    "attempts": 11,
    "child_lists_every_hours": 12.0,
    "absent_share": 0.5,
    "max_body_bytes": 1313,
}


@pytest.fixture
def in_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VALUES.items():
        monkeypatch.setenv(f"SOURCES__WHOLESALE__{name.upper()}", str(value))


@pytest.mark.usefixtures("in_environment")
def test_every_setting_can_be_set_in_the_environment() -> None:
    assert VALUES.keys() == set(ApiSettings.model_fields) - {"service"}
    assert read_settings() == ApiSettings.of(**VALUES)


@pytest.mark.usefixtures("in_environment")
def test_what_is_given_comes_first() -> None:
    assert read_settings(attempts=1) == ApiSettings.of(**VALUES | {"attempts": 1})


def test_what_is_blank_or_set_for_others_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "another service's")
    monkeypatch.setenv("SOURCES__API_KEY", "another service's")
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", " ")

    with pytest.raises(ConfigurationError, match=r"^setting api_key is missing: set .*secrets"):
        read_settings(base_url=BASE)


def test_a_name_that_is_no_setting_is_refused_and_sections_of_dlt_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__SCHEMA__NAMING", "direct")
    assert read_settings(base_url=BASE, api_key="k").page_size == 100

    monkeypatch.setenv("SOURCES__WHOLESALE__TIMEOUT", "3")
    with pytest.raises(ConfigurationError, match=r"timeout \(SOURCES__.* did you mean timeout_sec"):
        read_settings(base_url=BASE, api_key="k")


def test_a_file_of_settings_that_is_nested_too_deeply_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "config.toml"
    file.write_text("a = " + "[" * 3000)
    error = TomlProviderReadException("toml", file.name, [str(file)], "")

    assert broken_file(error).startswith("config.toml is nested too deeply")


def test_a_table_of_settings_that_is_misspelt_is_refused_and_those_of_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".dlt").mkdir()
    file = tmp_path / ".dlt" / "config.toml"
    monkeypatch.chdir(tmp_path)
    for table, is_ours in (("schema", False), ("page_sizes", True)):
        file.write_text(f"[sources.wholesale.{table}]\nnaming = 3\n")
        with Container().injectable_context(PluggableRunContext()):
            if not is_ours:
                assert read_settings(base_url=BASE, api_key="k").page_size == 100
                continue
            with pytest.raises(ConfigurationError) as error:
                read_settings(base_url=BASE, api_key="k")
        assert f"section sources.wholesale.{table} (.dlt/config.toml)" in str(error.value)
        assert "did you mean sources.wholesale.page_size?" in str(error.value)


def test_a_section_that_is_ours_misspelt_is_refused_and_those_of_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE_EU__BASE_URL", BASE)
    monkeypatch.setenv("SOURCES__ANOTHER__API_KEY", "another service's")
    monkeypatch.setenv("SOURCE__WHOLESALE__TITLE", "none of our names")
    assert read_settings(base_url=BASE, api_key="k").page_size == 100

    monkeypatch.setenv("SOURCE__WHOLESALE__PAGE_SIZE", "3")
    with pytest.raises(ConfigurationError) as error:
        read_settings(base_url=BASE, api_key="k")
    assert "section source.wholesale (SOURCE__WHOLESALE__PAGE_SIZE " in str(error.value)
    assert "did you mean sources.wholesale?" in str(error.value)


FACTS = {
    "first_page": 0,
    "page_size": 50,
    "lists_not_paged": ["brands", "vendors"],
    "list_only_fields": [],
    "variants_are_counted": False,
}


def test_facts_of_the_service_can_be_set_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in FACTS.items():
        monkeypatch.setenv(f"SOURCES__WHOLESALE__SERVICE__{name.upper()}", json.dumps(value))

    facts = read_settings(base_url=BASE, api_key="k").service

    assert facts == ServiceFacts.model_validate(FACTS)
    assert facts.model_fields_set == FACTS.keys()


def test_facts_of_the_service_can_be_set_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".dlt").mkdir()
    (tmp_path / ".dlt" / "config.toml").write_text(
        "[sources.wholesale.service]\n"
        + "".join(f"{name} = {json.dumps(value)}\n" for name, value in FACTS.items())
    )
    monkeypatch.chdir(tmp_path)
    with Container().injectable_context(PluggableRunContext()):
        facts = read_settings(base_url=BASE, api_key="k").service

    assert facts == ServiceFacts.model_validate(FACTS)
    assert facts.model_fields_set == FACTS.keys()


def test_facts_that_are_given_come_before_those_that_are_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__SERVICE__FIRST_PAGE", "0")
    given = ServiceFacts(page_size=3)

    assert read_settings(base_url=BASE, api_key="k", service=given).service == given


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PAGESIZE", "3", r"pagesize \(SOURCES__.*\) .* page_size\?"),
        ("FIELDS", "3", r"service\.fields \(SOURCES__.*\) .*first_page, "),
        ("FIRST_PAGE", "2", r"service\.first_page \(SOURCES__.*\) is '2'"),
        ("LISTS_IN_SHORT", "[items", r"lists_in_short \(SOURCES__.*\) is .*: write a list"),
        ("LISTS_IN_SHORT", "[1]", r"lists_in_short \(SOURCES__.*\) is '\[1\]': write a list"),
        ("LISTS_IN_SHORT", '{"a":1}', r"lists_in_short \(SOURCES__.*\) is .*: write a list"),
    ],
)
def test_a_fact_that_is_none_or_cannot_be_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"SOURCES__WHOLESALE__SERVICE__{name}", value)

    with pytest.raises(ConfigurationError, match=message):
        read_settings(base_url=BASE, api_key="k")


def test_settings_that_contradict_each_other_are_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Settings(BaseModel):
        most: int = 3
        least: int = 1

        @model_validator(mode="after")
        def _in_order(self) -> Self:
            if self.least > self.most:
                raise ValueError("least is above most")
            return self

    monkeypatch.setenv("SHELVES__LEAST", "4")
    with pytest.raises(ConfigurationError) as caught:
        read_model(Settings, "shelves")
    assert "shelves" in str(caught.value)
    assert "least is above most" in str(caught.value)
