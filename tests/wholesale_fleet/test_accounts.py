"""`accounts.toml`: what it says of each account, and the one line that tells of a mistake in it."""

from pathlib import Path

import pytest

from wholesale.errors import ConfigurationError
from wholesale_fleet.accounts import Account, Fleet, read_fleet, without_shared_key
from wholesale_fleet.shards import Shard

BASE = "https://service.test/api/external/v1"
WHOLE = f"""
destination = "ducklake"
folder = "lakes"
published = "s3://bucket/marts/"

[defaults]
api_key_command = "pass show wholesale/{{account}}"
every_hours = 6
concurrency = 8

[hosts]
"service.test" = 3

[accounts.acme]
base_url = "{BASE}"

[accounts.bolt_eu]
base_url = "https://{{account}}.test:444/api/external/v1"
api_key_file = "keys/bolt"
every_hours = 1
most_minutes = 30
resources = ["orders", "vendors"]
plain_http = true
"""
ACME = Account(
    name="acme",
    service={
        "api_key_command": "pass show wholesale/acme",
        "concurrency": "8",
        "base_url": BASE,
    },
    every_hours=6,
)
BOLT = Account(
    name="bolt_eu",
    service={
        "concurrency": "8",
        "base_url": "https://bolt_eu.test:444/api/external/v1",
        "api_key_file": "keys/bolt",
        "plain_http": "true",
    },
    every_hours=1,
    most_minutes=30,
    resources=("orders", "vendors"),
)


def read(folder: Path, text: str) -> Fleet:
    (folder / "accounts.toml").write_text(text)
    return read_fleet(folder / "accounts.toml")


def mistake(folder: Path, text: str) -> str:
    with pytest.raises(ConfigurationError) as refused:
        read(folder, text)
    return str(refused.value).replace(f"{folder}/", "")


def test_an_account_is_what_its_table_says_and_else_what_the_defaults_say(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == Fleet(
        destination="ducklake",
        folder=Path("lakes"),
        published="s3://bucket/marts/",
        accounts=(ACME, BOLT),
        host_limits={"service.test": 3},
    )
    assert (ACME.host, BOLT.host) == ("service.test", "bolt_eu.test:444")


def test_a_command_leads_to_the_place_of_its_account(tmp_path: Path) -> None:
    fleet = read(tmp_path, WHOLE)
    on_server = fleet.model_copy(update={"destination": "postgres"})

    assert fleet.words(ACME, ["run", "--json"]) == [
        *("run", "--json", "--destination", "ducklake", "--database", "lakes/acme.ducklake"),
        *("--to", "s3://bucket/marts/acme"),
    ]
    assert on_server.words(BOLT, ["sync"]) == [
        *("sync", "orders", "vendors", "--destination", "postgres", "--database", "bolt_eu"),
    ]


def test_what_leads_all_accounts_to_one_place_leads_each_to_its_own_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESTINATION__DUCKLAKE__CATALOG", "postgresql://me@db.test/lake")
    monkeypatch.setenv("DESTINATION__DUCKLAKE__STORAGE", "s3://bucket/lake/")
    monkeypatch.setenv("DESTINATION__LAKE__CATALOG", "rest")
    monkeypatch.setenv("MONITORING__TEXTFILE", "/var/lib/metrics/wholesale.prom")

    assert read(tmp_path, WHOLE).environment(ACME) == {
        "SOURCES__WHOLESALE__API_KEY_COMMAND": "pass show wholesale/acme",
        "SOURCES__WHOLESALE__CONCURRENCY": "8",
        "SOURCES__WHOLESALE__BASE_URL": BASE,
        "DESTINATION__DUCKLAKE__CATALOG": "user=me dbname=acme host=db.test",
        "DESTINATION__DUCKLAKE__STORAGE": "s3://bucket/lake/acme",
        "MONITORING__TEXTFILE": "/var/lib/metrics/wholesale.acme.prom",
    }
    in_lake = read(tmp_path, WHOLE.replace("ducklake", "lake")).environment(ACME)
    assert {name: value for name, value in in_lake.items() if name.startswith("DESTINATION")} == {
        "DESTINATION__LAKE__CATALOG": "rest/acme"
    }


def test_an_account_is_built_with_settings_of_its_own(tmp_path: Path) -> None:
    text = """
        [defaults.build]
        currency = "EUR"
        is_discount_in_amounts = true
        [accounts.acme]
        base_url = "https://service.test/api/external/v1"
        [accounts.bolt]
        base_url = "https://service.test/api/external/v1"
        build = { currency = "USD", cancelled_order_statuses = ["void", "lost"] }
    """
    fleet = read(tmp_path, text)
    acme, bolt = (fleet.environment(account) for account in fleet.accounts)
    service = {"SOURCES__WHOLESALE__BASE_URL": "https://service.test/api/external/v1"}

    assert acme == {
        **service,
        "BUILD__CURRENCY": "EUR",
        "BUILD__IS_DISCOUNT_IN_AMOUNTS": "true",
    }
    assert bolt == {
        **service,
        "BUILD__CURRENCY": "USD",
        "BUILD__IS_DISCOUNT_IN_AMOUNTS": "true",
        "BUILD__CANCELLED_ORDER_STATUSES": '["void", "lost"]',
    }


def test_a_key_for_all_is_kept_from_an_account_that_has_its_own() -> None:
    shared = {"SOURCES__WHOLESALE__API_KEY": "k", "SOURCES__WHOLESALE__API_KEY_FILE": "f", "A": "b"}
    keyless = Account(name="a", service={"base_url": BASE})

    assert without_shared_key(ACME, shared) == {"A": "b"}
    assert without_shared_key(keyless, shared) == shared


def test_accounts_are_chosen_by_name_and_by_share(tmp_path: Path) -> None:
    fleet = read(tmp_path, WHOLE)

    assert fleet.chosen((), None) == (ACME, BOLT)
    assert fleet.chosen(("bolt_eu", "bolt_eu"), None) == (BOLT,)
    assert fleet.chosen((), Shard(1, 2)) + fleet.chosen((), Shard(2, 2)) in (
        (ACME, BOLT),
        (BOLT, ACME),
    )
    with pytest.raises(ConfigurationError, match=r"acm: did you mean acme"):
        fleet.chosen(("acm",), None)


ONE = f'[accounts.acme]\nbase_url = "{BASE}"\n'


@pytest.mark.parametrize(
    ("text", "setting", "named"),
    [
        ("x", "", "TOML"),
        ("a = " + "[" * 3000, "", "accounts.toml"),
        ("", "accounts", "[accounts.NAME]"),
        ("accounts = 3", "accounts", "[accounts]"),
        (f'destinaton = "duckdb"\n{ONE}', "destinaton", "did you mean destination?"),
        (f'destination = "duckbd"\n{ONE}', "", "did you mean duckdb?"),
        (f"{ONE}every_hour = 1", "accounts.acme.every_hour", "did you mean every_hours?"),
        (f"{ONE}[defaults]\npagesize = 1", "defaults.pagesize", "did you mean page_size?"),
        (f"{ONE}every_hours = 0", "accounts.acme.every_hours", "greater than 0"),
        (f"{ONE}every_hours = inf", "accounts.acme.every_hours", "less than"),
        (f'{ONE}resources = ["order"]', "accounts.acme.resources", "did you mean orders?"),
        (f'{ONE}api_key = "k-secret"', "accounts.acme.api_key", "api_key_file"),
        ("[accounts.acme]\n", "accounts.acme.base_url", "missing"),
        ("[accounts.acme]\nbase_url = 5", "accounts.acme.base_url", "http(s)"),
        (ONE.replace("acme", "Acme"), "accounts.Acme", "small letters"),
        (ONE.replace("acme", '"ac\\nme"'), "accounts.ac me", "small letters"),
        (f'{ONE}page_size = "many"', "accounts.acme.page_size", "integer"),
        (f"{ONE}[defaults]\nconcurrency = 0", "defaults.concurrency", "1"),
        (f"{ONE}build = {{curency = 'EUR'}}", "accounts.acme.build.curency", "did you mean"),
        (f"{ONE}build = {{currency = 'euro'}}", "accounts.acme.build.currency", "currency"),
        (f'{ONE}[hosts]\n"a.test" = 0', 'hosts."a.test"', "at once"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(
    tmp_path: Path, text: str, setting: str, named: str
) -> None:
    found = mistake(tmp_path, text)

    assert found.startswith(f"setting {setting} (accounts.toml) " if setting else "")
    assert named in found
    assert "k-secret" not in found
    assert "\n" not in found


def test_a_file_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"/accounts\.toml: "):
        read_fleet(tmp_path / "accounts.toml")
