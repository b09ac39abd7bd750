"""Api: what is known of the service: its endpoints, resources and records, and what we assume.

In:  nothing; it stands first.
Out: the registries that everything else reads: `ENDPOINTS`, `RESOURCES`, `RECORDS`, `ASSUMPTIONS`.
Knows nothing of how anything is asked for, stored or computed.
Begin with `endpoints`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale.api.assumptions import FIELD_NAMES_MEAN_THE_SAME, FIELD_TYPES
    from wholesale.api.endpoints import ENDPOINT, ENDPOINTS, PATH_PREFIX, Endpoint
    from wholesale.api.facts import Assumption, Fact, Statement
    from wholesale.api.field_docs import field_docs
    from wholesale.api.guids import (
        DIGITS_WITH_DASHES,
        GUID,
        plain_guid,
        plain_id,
        spelled_like,
        typed_id,
    )
    from wholesale.api.personal import CLASS_OF_FIELD, CLASSES, PERSONAL_FIELDS, class_of
    from wholesale.api.profile import (
        SERVICE_SECTION,
        ServiceFacts,
        ServiceProfile,
        ground_of,
        names_a_fact,
        set_to,
        setting_of,
    )
    from wholesale.api.records import RECORDS, Child, ColumnType, PersonalClass, RawColumn, Record
    from wholesale.api.resources import RESOURCE, RESOURCES, UPDATED_AT, Parent, Resource
    from wholesale.api.time_zones import known_time_zone
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "CLASSES",
    "CLASS_OF_FIELD",
    "DIGITS_WITH_DASHES",
    "ENDPOINT",
    "ENDPOINTS",
    "FIELD_NAMES_MEAN_THE_SAME",
    "FIELD_TYPES",
    "GUID",
    "PATH_PREFIX",
    "PERSONAL_FIELDS",
    "RECORDS",
    "RESOURCE",
    "RESOURCES",
    "SERVICE_SECTION",
    "UPDATED_AT",
    "Assumption",
    "Child",
    "ColumnType",
    "Endpoint",
    "Fact",
    "Parent",
    "PersonalClass",
    "RawColumn",
    "Record",
    "Resource",
    "ServiceFacts",
    "ServiceProfile",
    "Statement",
    "class_of",
    "field_docs",
    "ground_of",
    "known_time_zone",
    "names_a_fact",
    "plain_guid",
    "plain_id",
    "set_to",
    "setting_of",
    "spelled_like",
    "typed_id",
]
