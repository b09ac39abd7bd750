"""Service profile: how one service does what the description leaves open, a fact at a time.

The defaults are what the description says, or what is assumed where it is silent. The package
`wholesale.discover` looks at a service and replaces what it finds to be otherwise; a user may set
any fact. What comes after takes the profile as given, and notes single facts (`Service.observe`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from wholesale.api.time_zones import known_time_zone

Origin = Literal["documented", "assumed", "observed", "set"]
"""Where a fact comes from: the description, our assumption, the service itself, or the user."""
Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Ground:
    """The § that says what the default of a fact is, or, if not `is_documented`, leaves it open."""

    section: str
    is_documented: bool = False


class ServiceFacts(BaseModel):
    """What may be set in section `sources.wholesale.service`; §§ of the description beside each."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    first_page: Annotated[int, Field(ge=0, le=1), Ground("2.3")] = 1
    """Number of the first page of a list."""
    page_size: Annotated[int | None, Field(ge=1), Ground("8")] = None
    """Most records that a page of full records has; none: as many as are asked for."""
    summary_page_size: Annotated[int | None, Field(ge=1), Ground("8")] = None
    """Most rows that a page of the order list has without `verbose`; none: as `page_size`."""
    lists_not_paged: Annotated[Names, Ground("4.12")] = frozenset()
    """Lists that take neither `page` nor `limit`: one response has all records."""
    lists_not_counted: Annotated[Names, Ground("2.3", is_documented=True)] = frozenset()
    """Lists whose `total_count` is missing or wrong: two full scans that agree prove them."""
    lists_in_short: Annotated[Names, Ground("4.12")] = frozenset()
    """Lists that do not show all fields of a record: each record is asked for by its id."""
    list_only_fields: Annotated[Names | None, Ground("2.4")] = None
    """Fields that rows of the order list have and full orders lack; none: not looked at yet."""
    unlike_fields: Annotated[Names, Ground("2.4")] = frozenset()
    """Fields that the order list shows otherwise than full orders do."""
    basic_form_fields: Annotated[Names, Ground("2.4")] = frozenset()
    """Fields of an order that its basic form has and its verbose form lacks: both are asked for."""
    empty_lists_left_out: Annotated[Names, Ground("2.4")] = frozenset()
    """Child tables whose list is null or missing in records that have no entries."""
    empty_lists: Annotated[Names, Ground("2.3", is_documented=True)] = frozenset()
    """What an empty list may have besides `data` and a `pagination` that counts 0, or lack of it:
    `categories: no pagination`."""
    most_records: Annotated[int, Field(ge=1), Ground("8")] = 250_000
    """Most records of a list, of one parent's list a tenth of them; it may have ten times as many
    as it counts at first, too."""
    unreadable_fields: Annotated[Names, Ground("2")] = frozenset()
    """Fields (`orders.total`) whose values fit their column in few records or none: they are kept
    in `_extra` alone."""
    nested_records: Annotated[Names, Ground("4.12")] = frozenset()
    """Columns (`categories.children`) with records that the list does not show by themselves."""
    variants_are_counted: Annotated[bool, Ground("2.1", is_documented=True)] = True
    """Whether an item's `variants_count` is the number of records in its list of variants."""
    newest_change_first: Annotated[bool, Ground("4.2")] = False
    """Whether an edit moves an order to the head of the order list, so that its head may do."""
    time_zone: Annotated[str, AfterValidator(known_time_zone), Ground("2")] = "UTC"
    """Zone of times that come without an offset."""
    requests_a_minute: Annotated[int | None, Field(ge=1), Ground("8")] = None
    """Requests a minute that the service accepts; none: it refused no rate."""


class ServiceProfile(ServiceFacts):
    """The facts of one service, and where they come from."""

    fields: Mapping[str, Names] = Field(default_factory=dict)
    """By resource, the columns in almost all full records, and the child tables whose list was ever
    sent empty."""
    members: Mapping[str, Names] = Field(default_factory=dict)
    """By resource, what a response with records had besides `data` and `pagination`, in any look at
    its list."""
    lists_seen: Names = frozenset()
    """Resources whose list and full records were compared."""
    local_times: Names = frozenset()
    """Columns (`orders.created_at`) of which a time came without an offset."""
    spellings: Mapping[str, str] = Field(default_factory=dict)
    """By resource, how its list writes GUIDs, if not in small letters with dashes: by one that is
    made up, as the profile outlives any record."""
    unread: Names = frozenset()
    """Columns that at most a few records could be read in when they came last."""
    observed: Names = frozenset()
    """Names of facts that the service was looked at for."""
    pinned: Names = frozenset()
    """Names of facts that the user has set; nothing observed replaces them."""

    @classmethod
    def of(cls, pins: ServiceFacts, known: Self | None = None) -> Self:
        """What is known of a service, with the facts that the user has set; where other ones were
        set before, all is looked at anew, but for what was seen of its data."""
        names = frozenset(pins.model_fields_set)
        if known and known.pinned != names:
            known = cls(**known._of_data())
        values = known.model_dump(exclude={"pinned"}) if known else {}
        set_by_user = {name: getattr(pins, name) for name in names}
        return cls(**{**values, **set_by_user, "pinned": names})

    def observing(self, **facts: Any) -> Self:
        """The same with these facts as the service showed them, but for those that are pinned."""
        free = {name: value for name, value in facts.items() if name not in self.pinned}
        names = frozenset(name for name in free if name in ServiceFacts.model_fields)
        return self.model_copy(update={**free, "observed": self.observed | names})

    def forgotten(self) -> "ServiceProfile":
        """The same without what a look at the service tells, so that it is looked at anew; what was
        seen of its data stays, so that a field that vanished is noted."""
        seen = self.observed & {"newest_change_first", "requests_a_minute"}
        kept = {name: getattr(self, name) for name in seen | self.pinned}
        kept |= self._of_data()
        return ServiceProfile(**kept, observed=seen, pinned=self.pinned)

    def _of_data(self) -> Mapping[str, Any]:
        """What data showed, and not a look at the service."""
        names = ("fields", "members", "spellings", "local_times", "unread")
        return {name: getattr(self, name) for name in names}

    def counts(self, resource: str) -> bool:
        """Whether the list of this resource counts its records as they come."""
        return resource not in self.lists_not_counted

    def origin_of(self, name: str) -> Origin:
        """Where the value of a fact comes from."""
        if name in self.pinned:
            return "set"
        if name in self.observed:
            return "observed"
        return "documented" if ground_of(name).is_documented else "assumed"


def ground_of(name: str) -> Ground:
    """The § of a fact."""
    (ground,) = (
        mark for mark in ServiceFacts.model_fields[name].metadata if isinstance(mark, Ground)
    )
    return ground


SERVICE_SECTION = "sources.wholesale.service"
"""The section of dlt's configuration in which a user sets facts."""


def setting_of(name: str) -> str:
    """How a message names the setting of a fact."""
    assert name in ServiceFacts.model_fields, name
    return f"{SERVICE_SECTION}.{name}"


def set_to(name: str, value: object) -> str:
    """How a message says what to set a fact to: its whole value, as it stands in TOML, or as JSON
    in a variable of the environment."""
    value = sorted(value) if isinstance(value, (set, frozenset)) else value
    assert name in ServiceFacts.model_fields, name
    return f"set {name} = {json.dumps(value, ensure_ascii=False)} in [{SERVICE_SECTION}]"


def names_a_fact(sentence: str) -> bool:
    """Whether a message names the setting of a fact, which the service contradicts."""
    return SERVICE_SECTION in sentence
