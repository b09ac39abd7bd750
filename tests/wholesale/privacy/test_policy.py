"""Policies: what the settings of privacy come to."""

import pytest

from wholesale.api import CLASSES
from wholesale.configuration import read_policy
from wholesale.errors import ConfigurationError
from wholesale.privacy.policy import KEEP_ALL, PROFILES, Policy, PrivacySettings

KEY = "a key of sixteen characters"


def policy(**settings: object) -> Policy:
    return Policy.of(PrivacySettings.model_validate(settings))


def test_without_settings_all_is_kept() -> None:
    assert policy() == KEEP_ALL
    assert KEEP_ALL.keeps_all
    assert KEEP_ALL.treatment("orders", "shipping_name") == "keep"


def test_a_column_goes_before_its_class_and_a_class_before_the_profile() -> None:
    found = policy(
        profile="development", hash=["address"], keep=["buyers.email"], hash_key=KEY, drop=["name"]
    )

    assert [
        found.treatment(*place)
        for place in (
            ("buyers", "email"),
            ("orders", "shipping_email"),
            ("orders", "shipping_zip"),
            ("buyer_users", "full_name"),
            ("orders__order_comments", "body"),
            ("orders", "total"),
        )
    ] == ["keep", "hash", "hash", "drop", "drop", "keep"]


def test_what_is_not_documented_has_the_class_of_its_name_or_none_that_is_known() -> None:
    found = policy(drop=["undocumented"], hash=["contact"], hash_key=KEY)

    assert [
        found.treatment(*place)
        for place in (
            ("orders", "sales_channel"),
            ("prices", "email"),
            ("prices", "variant_id"),
            ("orders", "currency"),
            ("orders__order_line_items", "line_number"),
        )
    ] == ["drop", "hash", "keep", "keep", "keep"]


def test_the_same_value_has_the_same_hash_with_one_key_and_another_with_another() -> None:
    one, other = (policy(hash=["name"], hash_key=key) for key in (KEY, KEY * 2))

    assert one.hash("Ann") == "3477687f4f13a405141779e2bcc9fc27"
    assert other.hash("Ann") != one.hash("Ann")
    assert one.differs(other, "buyer_users", "full_name")
    assert not one.differs(other, "buyer_users", "email")


def test_a_policy_is_told_without_its_key() -> None:
    said = policy(profile="development", hash_key=KEY)

    assert KEY not in said.text + repr(said)
    assert Policy.read(said.text) == said


def test_a_profile_names_known_classes() -> None:
    assert all(profile.keys() <= CLASSES.keys() for profile in PROFILES.values())


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PROFILE", "test", r"privacy.profile \(.*\) is 'test': .*'development'"),
        ("DROP", "contcat", "contcat .* did you mean contact"),
        ("HASH", '["order.total"]', "table order: did you mean orders"),
        ("DROP", "buyers.emial", "buyers.emial .* did you mean email"),
        ("HASH", "orders.buyer_id", "orders.buyer_id is a key"),
        ("HASH_KEY", "short", r"privacy.hash_key \(.*\) .* 16 "),
        ("HSAH", "name", "did you mean hash"),
        ("HASH", "name", "privacy.hash_key is missing"),
    ],
)
def test_a_setting_that_cannot_be_right_is_named_with_its_rule(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"PRIVACY__{name}", value)

    with pytest.raises(ConfigurationError, match=message) as refused:
        read_policy()
    assert "short" not in str(refused.value)


def test_a_name_with_two_treatments_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"privacy\.drop .* privacy\.keep"):
        policy(keep=["name"], drop=["name"])
