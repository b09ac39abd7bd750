"""Summary: the result of a fleet's publication, as one document for programs."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel, Field

from wholesale_elt.publish import Pruned
from wholesale_fleet.consolidation.manifest import FleetManifest


class Consolidation(BaseModel):
    """A version of the fleet that is in force."""

    place: str = Field(description="its folder")
    result: str = Field(description="`published` or `already published`")
    version: str = Field(description="the version in force")
    as_of: str | None = Field(
        description="the moment as of which all that is in it is complete, UTC"
    )
    accounts: int = Field(description="how many accounts there are")
    changed: Sequence[str] = Field(
        description="accounts whose numbers are new, or of another version"
    )
    same: Sequence[str] = Field(description="accounts whose files are those of the last version")
    gone: Sequence[str] = Field(description="accounts whose numbers were in the last version only")
    reasons: Sequence[str] = Field(
        description="why an account is not certified complete, or not in it"
    )
    removed: Sequence[str] = Field(description="older versions that were removed")

    @classmethod
    def of(
        cls, place: str, before: FleetManifest | None, now: FleetManifest, pruned: Pruned
    ) -> Self:
        earlier, versions = before.versions if before else {}, now.versions
        same = [name for name, version in versions.items() if earlier.get(name) == version]
        return cls(
            place=place,
            result="already published" if now == before else "published",
            version=now.version,
            as_of=now.as_of,
            accounts=len(now.accounts),
            changed=sorted(versions.keys() - set(same)),
            same=same,
            gone=sorted(earlier.keys() - versions.keys()),
            reasons=now.reasons,
            removed=pruned.removed,
        )
