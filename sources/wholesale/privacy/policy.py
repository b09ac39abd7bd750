"""Policy: whether each field of each raw table is kept, hashed or dropped, by class or by name."""

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from wholesale.api import CLASS_OF_FIELD, CLASSES, PersonalClass, class_of
from wholesale.errors import ConfigurationError
from wholesale.settings import PRIVACY

SECTION = PRIVACY
Treatment = Literal["keep", "hash", "drop"]
PROFILES: Mapping[str, Mapping[PersonalClass, Treatment]] = MappingProxyType(
    {
        "development": MappingProxyType(
            {
                "name": "hash",
                "contact": "hash",
                "reference": "hash",
                "company": "hash",
                "address": "drop",
                "tax_number": "drop",
                "payment": "drop",
                "free_text": "drop",
                "undocumented": "drop",
            }
        )
    }
)
"""Treatments by the name of a profile; a class that a profile does not name is kept."""
LEAST_KEY_BYTES = 16
"""128 bits cannot be guessed (NIST SP 800-107, 5.3.4)."""
HASH_BYTES = 16
"""Of the 32 of SHA-256: the probability that two of a billion values collide is below 10**-20."""
KEY_MARK = b"wholesale key"


class PrivacySettings(BaseModel):
    """The section `privacy` of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    profile: Literal["development"] | None = Field(
        default=None,
        description="A named set of treatments: `development`, for copies to work with.",
    )
    keep: tuple[str, ...] = Field(
        default=(), description="Classes, or columns as `table.column`, whose values are stored."
    )
    hash: tuple[str, ...] = Field(
        default=(),
        description="The same, of which keyed hashes are stored: equal values have equal hashes in"
        " all tables.",
    )
    drop: tuple[str, ...] = Field(default=(), description="The same, of which nothing is stored.")
    hash_key: SecretStr | None = Field(
        default=None,
        description="The secret key of the hashes, at least 16 characters; it is stored nowhere.",
    )
    published: Any = Field(
        default=None, description="Columns that may be published: `none`, `all`, or a list."
    )

    @field_validator("keep", "hash", "drop")
    @classmethod
    def _are_known(cls, names: tuple[str, ...], info: Any) -> tuple[str, ...]:
        for name in names:
            if fault := _fault_of(name, may_be_undocumented=info.field_name == "keep"):
                raise ValueError(fault)
        return names

    @field_validator("hash_key")
    @classmethod
    def _is_long(cls, key: SecretStr | None) -> SecretStr | None:
        if key and len(key.get_secret_value().encode()) < LEAST_KEY_BYTES:
            raise ValueError(f"has fewer than {LEAST_KEY_BYTES} characters")
        return key


def _fault_of(name: str, *, may_be_undocumented: bool) -> str | None:
    """What is wrong with the name of a class or column.

    Only `keep` may name undocumented columns: a misspelt name in `hash` or `drop` would otherwise
    leave the value that was meant.
    """
    table, dot, column = name.partition(".")
    if not dot:
        return None if name in CLASSES else f"{name} is no class{_nearest(name, CLASSES)}"
    if table not in CLASS_OF_FIELD:
        return f"{name}: there is no table {table}{_nearest(table, CLASS_OF_FIELD)}"
    if column == "id" or column.endswith(("_id", "_at")):
        return f"{name} is a key or a time, which are always kept"
    if column not in CLASS_OF_FIELD[table] and not may_be_undocumented:
        return (
            f"{name} is not documented{_nearest(column, CLASS_OF_FIELD[table])}; undocumented"
            " columns have the class undocumented"
        )
    return None


def _nearest(name: str, names: Mapping[Any, object]) -> str:
    found = get_close_matches(name, map(str, names), 1)
    return f": did you mean {found[0]}?" if found else f"; there are {', '.join(map(str, names))}"


@dataclass(frozen=True)
class Policy:
    """Treatments by class and by `table.column`, which takes precedence; all else is kept.

    `key` is the key of the hashes. `mark` identifies the key without revealing it.
    """

    by_class: Mapping[PersonalClass, Treatment] = field(default_factory=dict)
    by_column: Mapping[str, Treatment] = field(default_factory=dict)
    key: bytes = field(default=b"", repr=False, compare=False)
    mark: str = ""

    @classmethod
    def of(cls, settings: PrivacySettings) -> Self:
        """Raises: ConfigurationError for a name with two treatments, and for hashes without key."""
        by_class: dict[PersonalClass, Treatment] = dict(PROFILES.get(settings.profile or "", {}))
        by_column: dict[str, Treatment] = {}
        seen: dict[str, Treatment] = {}
        named: Mapping[Treatment, Sequence[str]] = {
            "keep": settings.keep,
            "hash": settings.hash,
            "drop": settings.drop,
        }
        for treatment, names in named.items():
            for name in names:
                if seen.setdefault(name, treatment) != treatment:
                    raise ConfigurationError(
                        f"setting {SECTION}.{treatment} names {name}, as {SECTION}.{seen[name]}"
                        " does: name it once"
                    )
                if "." in name:
                    by_column[name] = treatment
                else:
                    by_class[cast(PersonalClass, name)] = treatment
        by_class = {name: treatment for name, treatment in by_class.items() if treatment != "keep"}
        key = settings.hash_key.get_secret_value().encode() if settings.hash_key else b""
        has_hashes = "hash" in by_class.values() or "hash" in by_column.values()
        if has_hashes and not key:
            raise ConfigurationError(
                f"setting {SECTION}.hash_key is missing: values are to be hashed, and a hash"
                f" without a key can be guessed; set {SECTION}.hash_key in .dlt/secrets.toml or"
                f" {SECTION.upper()}__HASH_KEY in the environment"
            )
        mark = hmac.digest(key, KEY_MARK, "sha256")[:4].hex() if has_hashes else ""
        return cls(by_class, by_column, key, mark)

    @classmethod
    def read(cls, text: str) -> Self:
        """The policy that `text` describes; its key is not known."""
        found = json.loads(text)
        return cls(found["classes"], found["columns"], mark=found["key"])

    @property
    def text(self) -> str:
        """The policy as it can be stored: without the key."""
        fields = {"classes": self.by_class, "columns": self.by_column, "key": self.mark}
        return json.dumps(fields, sort_keys=True)

    @property
    def keeps_all(self) -> bool:
        return not self.by_class and set(self.by_column.values()) <= {"keep"}

    def treatment(self, table: str, column: str) -> Treatment:
        """The treatment of a column of a raw table."""
        named = self.by_column.get(f"{table}.{column}")
        return named or self._of_class(class_of(table, column))

    def treatment_in_extra(self, table: str, field: str) -> Treatment:
        """The treatment of a field in the `_extra` of a raw table, where it may hold anything: one
        that tells of no person by its name is undocumented."""
        named = self.by_column.get(f"{table}.{field}")
        return named or self._of_class(class_of(table, field) or "undocumented")

    @property
    def of_bodies(self) -> Treatment:
        """The treatment of quarantined bodies, which may have any field: kept only if all is."""
        if self.keeps_all:
            return "keep"
        treatment = self._of_class("undocumented")
        return "drop" if treatment == "keep" else treatment

    def differs(self, other: "Policy", table: str, column: str) -> bool:
        """Whether the column is stored in another way under the other policy."""
        mine, theirs = self.treatment(table, column), other.treatment(table, column)
        return mine != theirs or (mine == "hash" and self.mark != other.mark)

    def hash(self, text: str) -> str:
        """HMAC-SHA-256 (RFC 2104) of a value, cut to 32 hexadecimal digits."""
        return hmac.digest(self.key, text.encode(), "sha256")[:HASH_BYTES].hex()

    def _of_class(self, class_: PersonalClass | None) -> Treatment:
        return self.by_class.get(class_, "keep") if class_ else "keep"


KEEP_ALL = Policy()
"""The policy if none is set."""
