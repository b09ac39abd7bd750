"""Textfile: a file of metrics for Prometheus' node exporter, replaced as a whole."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wholesale_elt.inspect import Overview, Status
from wholesale_elt.monitoring.summary import Summary
from wholesale_elt.process import JournalEntry, replace
from wholesale_elt.runs import Certificate

READABLE = 0o644
"""Readable for the node exporter, another user; no metric is personal."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A gauge: what it means, and its value; None leaves it out."""

    meaning: str
    value: Callable[..., float | None]


OF_A_COMMAND: Mapping[str, Metric] = {
    "last_exit_code": Metric("Exit code of the command.", lambda entry: entry.exit_code),
    "last_start_timestamp_seconds": Metric(
        "When the command began, Unix time.", lambda entry: entry.started_at.timestamp()
    ),
    "last_duration_seconds": Metric(
        "How long the command took.",
        lambda entry: (entry.ended_at - entry.started_at).total_seconds(),
    ),
}
OF_A_RESOURCE: Mapping[str, Metric] = {
    "rows": Metric("Records that are alive.", lambda status: status.rows),
    "is_complete": Metric(
        "1 if the last sync of it was certified complete, else 0.",
        lambda status: None if status.verdict is None else status.verdict == "complete",
    ),
    "complete_as_of_timestamp_seconds": Metric(
        "The last moment at which it was proved complete, Unix time.",
        lambda status: status.complete_as_of and status.complete_as_of.timestamp(),
    ),
    "open_suspects": Metric(
        "Stored records whose absence is not settled.", lambda status: status.open_suspects
    ),
}
OF_A_CERTIFICATE: Mapping[str, Metric] = {
    "requests": Metric("Requests of the last sync, retries too.", lambda row: row.requests),
    "bytes": Metric("Bytes read by the last sync, decoded.", lambda row: row.bytes),
    "new": Metric("Records that the last sync found new.", lambda row: row.new),
    "changed": Metric("Records that the last sync found changed.", lambda row: row.changed),
    "deleted": Metric("Records that the last sync found gone.", lambda row: row.deleted),
    "unreadable": Metric("Values kept in _extra by the last sync.", lambda row: row.unreadable),
}
PREFIX = "wholesale_"


def write_textfile(path: Path, overview: Overview, summary: Summary) -> None:
    """Replace the file of metrics atomically."""

    def write(partial: Path) -> None:
        partial.write_text(text_of(overview, summary), "utf-8")
        os.chmod(partial, READABLE)

    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, write)


def text_of(overview: Overview, summary: Summary) -> str:
    """The metrics in the exposition format of Prometheus (version 0.0.4)."""
    certificates = summary.sync.resources if summary.sync else ()
    return "".join(
        [
            *_samples(OF_A_COMMAND, _last_of_each(overview.runs), overview),
            *_samples(OF_A_RESOURCE, list(map(_labelled, overview.resources)), overview),
            *_samples(OF_A_CERTIFICATE, list(map(_labelled, certificates)), overview),
        ]
    )


def _last_of_each(entries: Sequence[JournalEntry]) -> list[tuple[object, Mapping[str, str]]]:
    """The last end of each command."""
    last = {entry.command: entry for entry in reversed(entries) if entry.ended_at}
    return [(entry, {"command": command}) for command, entry in sorted(last.items())]


def _labelled(row: Status | Certificate) -> tuple[object, Mapping[str, str]]:
    return row, {"resource": row.resource}


def _samples(
    metrics: Mapping[str, Metric],
    rows: list[tuple[object, Mapping[str, str]]],
    overview: Overview,
) -> Iterator[str]:
    for name, metric in metrics.items():
        values = [
            ({**labels, "warehouse": overview.warehouse}, value)
            for row, labels in rows
            if (value := metric.value(row)) is not None
        ]
        if values:
            yield f"# HELP {PREFIX}{name} {metric.meaning}\n# TYPE {PREFIX}{name} gauge\n"
        for labels, value in values:
            pairs = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
            yield f"{PREFIX}{name}{{{pairs}}} {float(value):.17g}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
