"""Figures: asks the version in force for any metric by any dimension."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import (
    NO_CURRENCY,
    Explained,
    Figures,
    Progress,
    Question,
    Span,
    Writer,
    ask,
    compact_in,
    document_of,
    explain,
    in_our_words,
    line_of,
    progress_of,
)
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.site import site_as_of
from wholesale_elt.warehouse import open_file


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """An answer, and the version that gave it: how far to trust it, and as of when; and why what
    is compared changed, if that was asked and can be told, and how far goals of it are."""

    question: Question
    figures: Figures
    manifest: Manifest
    explained: Sequence[Explained] = ()
    goals: Sequence[Progress] = ()

    def as_document(self) -> Mapping[str, Any]:
        """What `--json` prints; amounts are decimals."""
        names = ("verdict", "reasons", "as_of", "version", "currency")
        about = {name: getattr(self.manifest, name) for name in names}
        about["findings"] = [asdict(each) for each in self.manifest.findings]
        why = [document_of(each, self._write) for each in self.explained]
        told = {**describe_figures(self.figures), "why": why, **about}
        goals = [each.as_document(self._write) for each in self.goals]
        return {**told, "goals": goals} if goals else told

    def why(self) -> Sequence[str]:
        """A line for each metric of which it can be told why it changed."""
        return [
            f"{each.metric}{_growth(self.figures, each.metric)}: {line_of(each, self._write)}"
            for each in self.explained
        ]

    def reached(self) -> Sequence[str]:
        """A line for each goal of what is asked for."""
        return [f"{each.metric} {each.line(self._write)}" for each in self.goals]

    @property
    def _write(self) -> Writer:
        return compact_in(self.manifest.currency)

    def summary(self) -> str:
        """Which days these are, in what currency, as of when, and how far to trust them."""
        found, manifest = self.figures, self.manifest
        days = f"all time, to {time_text(found.known.read_at)}"
        if found.span:
            days = f"{found.span.first} to {found.span.last}"
        unfinished = " (not over)" if found.is_unfinished else ""
        before = found.span_before
        against = ""
        if before and before.is_known:
            against = f", compared with {before.first} to {before.last}"
        currency = manifest.currency
        if currency == NO_CURRENCY:
            currency = "currency not set"
        told = "".join(f"; {each}" for each in (*found.notes, *manifest.doubts))
        return (
            f"{days}{unfinished}{against}; {currency}; {manifest.verdict} as of"
            f" {time_text(manifest.as_of)}{told}"
        )


def ask_published(
    published: Path, question: Question, *, as_of: str | None = None, with_why: bool = False
) -> PublishedFigures:
    """Answer a question from the version in force, or that of a name or a moment; with why what is
    compared changed, if wanted.
    What people call a metric or a dimension is answered by its own name, and a note says so.

    Raises: NotPublished if the folder holds none; Unanswerable as `ask` does.
    """
    site = site_as_of(published, as_of)
    with open_file(site.database) as connection:
        question, called = in_our_words(question)
        answer = ask(connection, question)
        answer = replace(answer, notes=[*called, *answer.notes])
        why = explain(connection, question) if with_why else ()
        goals = progress_of(connection, question, answer.span)
        return PublishedFigures(question, answer, site.manifest, why, goals)


def describe_figures(found: Figures) -> Mapping[str, Any]:
    """An answer as an object: which days it is of, its rows and total, and the SQL of the rows."""
    before = found.span_before
    return {
        "rows": found.rows,
        "total": found.total,
        "period": _days(found.span) | {"is_unfinished": found.is_unfinished},
        "compared_with": before and _days(before) | {"is_known": before.is_known},
        "statement": found.statement,
        "notes": found.notes,
        "figures_from": found.known.figures_from,
        "figures_up_to": found.known.figures_up_to,
        "orders_up_to": found.known.read_at,
    }


def _days(span: Span | None) -> dict[str, Any]:
    return {
        "first_day": span.first if span else None,
        "last_day": span.last if span else None,
    }


def _growth(found: Figures, metric: str) -> str:
    growth = found.total[f"{metric}_growth"]
    return "" if growth is None else f" {growth:+.1%}"
