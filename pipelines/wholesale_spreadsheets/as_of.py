"""As of: how far to trust what is in a spreadsheet, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import NO_CURRENCY
from wholesale_elt.publish import Build


@dataclass(frozen=True, slots=True)
class AsOf:
    """The build that the figures are of, the first and the last whole day that they know of, and
    the moment in ISO 8601 to which the orders were read."""

    build: Build
    figures_from: date | None
    figures_up_to: date | None
    orders_up_to: str | None
    software: str

    @property
    def built_at(self) -> datetime:
        return datetime.fromisoformat(self.build.built_at).astimezone(UTC).replace(tzinfo=None)

    @property
    def in_short(self) -> str:
        return f"{self.build.verdict} as of {time_text(self.build.as_of)}"

    @property
    def lines(self) -> Sequence[tuple[str, str]]:
        """What to know of all figures, each with its name."""
        build = self.build
        currency = "not set" if build.currency == NO_CURRENCY else build.currency
        found = [
            ("Verdict", build.verdict),
            *(("Reason", reason) for reason in build.reasons),
            *(("The build warns", str(finding)) for finding in build.findings),
            ("As of", time_text(build.as_of)),
            ("Figures from", str(self.figures_from or "no order yet")),
            ("Figures up to", str(self.figures_up_to or "no order yet")),
            ("All time has orders up to", time_text(self.orders_up_to)),
            ("Currency", currency),
            ("Days are those of", build.time_zone),
            ("Built at", time_text(build.built_at)),
            ("Published by", self.software),
        ]
        return found
