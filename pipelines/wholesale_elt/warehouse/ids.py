"""Ids in SQL, in words of all destinations: a GUID is the same however it is spelled."""

from functools import reduce

from wholesale.api import plain_guid
from wholesale_elt.warehouse.ports.files import quoted

BESIDE_DIGITS = ("urn:uuid:", "{", "}", "-")
GUID_DIGITS = 32


def same_id(column: str, key: str) -> str:
    """The condition for rows whose column has this id, in any spelling of a GUID."""
    plain = plain_guid(key)
    if plain is None:
        return f"{column} = {quoted(key)}"
    return f"{digits_of(column)} = {quoted(plain.replace('-', ''))}"


def digits_of(column: str) -> str:
    """The digits of a GUID, the same in each of its spellings; any other id loses its dashes."""
    return reduce(_without, BESIDE_DIGITS, f"lower({column})")


def one_spelling(column: str) -> str:
    """The digits of a GUID; any other id as it is, so that two are equal only if they are the same,
    or spellings of one GUID."""
    digits = digits_of(column)
    return f"case when length({digits}) = {GUID_DIGITS} then {digits} else {column} end"


def _without(expression: str, part: str) -> str:
    return f"replace({expression}, '{part}', '')"
