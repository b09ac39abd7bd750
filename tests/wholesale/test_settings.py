"""A setting that cannot be right is refused by name, before anything is sent."""

from typing import Any

import pytest
from pydantic import ValidationError

from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings

BASE = "https://service.test/api/external/v1"


def assert_named(error: Exception, *names: str) -> None:
    assert [name for name in names if name not in str(error)] == []


@pytest.mark.parametrize(
    "address",
    [
        BASE,
        BASE + "/",
        f" {BASE}// \n",
        "http://127.0.0.1:8765/api/external/v1",
        "http://[::1]:80/staging/api/external/v1/",
    ],
)
def test_a_service_address_is_taken_without_its_last_slash(address: str) -> None:
    found = ApiSettings.of(base_url=address, api_key="k").base_url

    assert found == address.strip().rstrip("/")


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("", "http(s)"),
        ("service.test/api/external/v1", "http(s)"),
        ("ftp://service.test/api/external/v1", "http(s)"),
        ("https:///api/external/v1", "http(s)"),
        ("https://service.test", "/api/external/v1"),
        ("https://service.test/api/external/v2", "/api/external/v1"),
        ("https://user:word@service.test/api/external/v1", "credentials"),
        (BASE + "?page=1", "query"),
        (BASE + "#top", "fragment"),
    ],
)
def test_any_other_address_is_refused(address: str, named: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        ApiSettings.of(base_url=address, api_key="k")

    assert_named(refusal.value, "setting base_url", named, "SOURCES__WHOLESALE__BASE_URL")


@pytest.mark.parametrize("host", ["service.test", "10.0.0.1", "127.0.0.1.service.test"])
def test_an_address_that_others_on_the_way_can_read_is_refused_unless_that_is_wanted(
    host: str,
) -> None:
    address = f"http://{host}/api/external/v1"
    with pytest.raises(ConfigurationError, match="must begin with https://"):
        ApiSettings.of(base_url=address, api_key="k")

    assert ApiSettings.of(base_url=address, api_key="k", plain_http=True).base_url == address


def test_a_key_is_taken_without_the_white_space_around_it() -> None:
    settings = ApiSettings.of(base_url=BASE, api_key=" secret\n")

    assert settings.api_key.get_secret_value() == "secret"


@pytest.mark.parametrize("key", ["", "  ", "a\nb", "a\x00b", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        ApiSettings.of(base_url=BASE, api_key=key)

    said = "sources.wholesale.api_key in .dlt/secrets.toml", "SOURCES__WHOLESALE__API_KEY"
    assert_named(refusal.value, "setting api_key", *said)
    assert len(key.strip()) < 2 or key not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("page_size", 0),
        ("page_size", 10_001),
        ("page_size", "many"),
        ("concurrency", 0),
        ("concurrency", 129),
        ("timeout_seconds", 0),
        ("timeout_seconds", 1e300),
        ("deadline_seconds", -1),
        ("deadline_seconds", float("inf")),
        ("child_lists_every_hours", 1e300),
        ("attempts", 0),
        ("max_body_bytes", 100),
        ("api_key", None),
        ("base_url", None),
    ],
)
def test_a_value_out_of_its_range_is_refused_by_name(name: str, value: Any) -> None:
    values = {"base_url": BASE, "api_key": "k"} | {name: value}

    with pytest.raises(ConfigurationError, match=f"^setting {name} .*{name.upper()}"):
        ApiSettings.of(**values)


@pytest.mark.parametrize("name", ["base_url", "api_key"])
def test_a_missing_setting_is_named(name: str) -> None:
    values = {"base_url": BASE, "api_key": "k"}
    del values[name]

    with pytest.raises(ConfigurationError, match=f"^setting {name} is missing: set .*demo"):
        ApiSettings.of(**values)


def test_all_settings_that_are_missing_are_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as refused:
        ApiSettings.of()

    for name in ("base_url", "api_key"):
        assert_named(refused.value, f"sources.wholesale.{name}", f"WHOLESALE__{name.upper()}")
    assert_named(refused.value, "`wholesale demo`")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("base_ulr", "did you mean base_url?"),
        ("page_sise", "did you mean page_size?"),
        ("colour", ""),
    ],
)
def test_an_unknown_setting_is_refused_with_the_nearest_name_before_any_other_fault(
    name: str, meant: str
) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        ApiSettings.of(**{"api_key": "", name: BASE})

    assert_named(refusal.value, f"setting {name}", meant, ", ".join(ApiSettings.model_fields))


def test_settings_show_no_key_and_cannot_be_changed() -> None:
    settings = ApiSettings.of(base_url=BASE, api_key="a-very-secret-key")

    assert "a-very-secret-key" not in f"{settings!r} {settings} {settings.model_dump()}"
    with pytest.raises(ValidationError):
        settings.page_size = 5
