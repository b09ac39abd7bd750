"""Vendors, buyers and their users are named as people and places are."""

from support.records.seeded import CATALOGUE


def test_names_have_accents_and_postcodes_leading_zeros() -> None:
    buyers = CATALOGUE["buyers"].values()
    assert any(buyer["zip"].startswith("0") for buyer in buyers)
    assert any(not user["full_name"].isascii() for user in CATALOGUE["buyer_users"].values())
    assert all(user["email"].isascii() for user in CATALOGUE["buyer_users"].values())
    # §2.7: numeric in the sample, so that a leading zero is lost before anybody can read it.
    assert any(vendor["zip"] < 10_000 for vendor in CATALOGUE["vendors"].values())
