"""Telemetry: a command as spans and counters of OpenTelemetry, sent once when it has ended.

They are made from the summary, so nothing is measured twice, and no work waits for a collector.
"""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from wholesale.errors import ConfigurationError
from wholesale_elt.monitoring import Phase, PhaseName, Summary, read_sink_settings
from wholesale_elt.process import import_extra
from wholesale_elt.runs import this_release
from wholesale_elt.warehouse import Warehouse
from wholesale_lineage.settings import TelemetrySettings

log = logging.getLogger("wholesale.monitoring")

EXTRA = "otel"
COUNTERS: Mapping[str, str] = {
    "wholesale.requests": "Requests, retries too.",
    "wholesale.retries": "Requests that were sent once more.",
    "wholesale.throttled": "Responses with 429.",
    "wholesale.bytes": "Bytes read, decoded.",
    "wholesale.rows": "Records found `new`, `changed` or `deleted`, by `change`.",
    "wholesale.verdicts": "Certificates, by `verdict`.",
}
"""Counters with their meanings; each has the attribute `resource`."""

Count = tuple[str, int, Mapping[str, str]]


def follow(warehouse: Warehouse, summary: Summary) -> "Telemetry":
    """The sink `otlp`."""
    return Telemetry(read_sink_settings(TelemetrySettings, "otlp"))


class Telemetry:
    """Sends a command that has ended."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._address, self._seconds = settings.otlp_endpoint, settings.webhook_seconds

    def begins(self, phase: PhaseName, at: datetime) -> None:
        """Nothing."""

    def ends(self, phase: Phase, summary: Summary, error: BaseException | None) -> None:
        """Nothing, too."""

    def ended(self, summary: Summary) -> None:
        if not self._address:
            return
        try:
            send(self._address, summary, self._seconds)
        except NotSent:
            log.warning("the collector of OpenTelemetry did not take what was sent to it")
        except ConfigurationError as error:
            log.warning("%s", error)
        except Exception as error:  # no error here may fail the command
            log.warning("OpenTelemetry could not be told: %s", type(error).__name__)


class NotSent(Exception):
    """The collector did not accept it."""


def send(address: str, summary: Summary, seconds: float) -> None:
    """Send spans and counters to a collector by OTLP over HTTP, within so many seconds each.

    Raises: NotSent; ConfigurationError if the extra is not installed.
    """
    extra = partial(import_extra, extra=EXTRA)
    http = "opentelemetry.exporter.otlp.proto.http"
    traces, metrics = extra(f"{http}.trace_exporter"), extra(f"{http}.metric_exporter")
    spans = traces.OTLPSpanExporter(endpoint=f"{address}/v1/traces", timeout=seconds)
    counters = metrics.OTLPMetricExporter(endpoint=f"{address}/v1/metrics", timeout=seconds)
    for exporter, data in ((spans, _spans(summary, extra)), (counters, _metrics(summary, extra))):
        # A command without a sync counts nothing, which no exporter takes.
        if data is not None and exporter.export(data).name != "SUCCESS":
            raise NotSent
        exporter.shutdown()


def _spans(summary: Summary, extra: Any) -> Any:
    """A span for the command, below it one for each phase, below the sync one for each resource."""
    sdk = extra("opentelemetry.sdk.trace")
    memory = extra("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    provider = sdk.TracerProvider(resource=_origin(summary, extra), shutdown_on_exit=False)
    provider.add_span_processor(extra("opentelemetry.sdk.trace.export").SimpleSpanProcessor(memory))
    trace = extra("opentelemetry.trace")
    tracer = provider.get_tracer("wholesale-elt")

    def span(name: str, begun: datetime, ended: datetime, above: Any, **attributes: Any) -> Any:
        present = {key: value for key, value in attributes.items() if value is not None}
        made = tracer.start_span(name, above, start_time=_nanoseconds(begun), attributes=present)
        made.end(_nanoseconds(ended))
        return trace.set_span_in_context(made)

    ended_at = summary.ended_at or summary.started_at
    outcome = {"exit_code": summary.exit_code, "result": summary.result, "error": summary.error}
    command = span(summary.command, summary.started_at, ended_at, None, **outcome)
    for phase in summary.phases:
        below = span(phase.name, phase.started_at, phase.ended_at, command)
        if phase.name == "sync" and summary.sync:
            for row in summary.sync.resources:
                outcome = {
                    "strategy": row.strategy,
                    "verdict": row.verdict,
                    "requests": row.requests,
                }
                span(row.resource, row.started_at, row.ended_at, below, **outcome)
    return memory.get_finished_spans()


def _metrics(summary: Summary, extra: Any) -> Any:
    sdk, export = extra("opentelemetry.sdk.metrics"), extra("opentelemetry.sdk.metrics.export")
    reader = export.InMemoryMetricReader(
        # Each process counts from 0, so collectors must add up what they receive.
        preferred_temporality={sdk.Counter: export.AggregationTemporality.DELTA}
    )
    provider = sdk.MeterProvider([reader], resource=_origin(summary, extra), shutdown_on_exit=False)
    meter = provider.get_meter("wholesale-elt")
    counters = {
        name: meter.create_counter(name, description=meaning) for name, meaning in COUNTERS.items()
    }
    for name, count, attributes in counts_of(summary):
        counters[name].add(count, attributes)
    data = reader.get_metrics_data()
    provider.shutdown()
    return data


def counts_of(summary: Summary) -> Iterator[Count]:
    """The counts of a sync; none if there was no sync."""
    if not summary.sync:
        return
    for row in summary.sync.resources:
        of = {"resource": row.resource}
        traffic = summary.sync.traffic[row.resource]
        yield "wholesale.requests", row.requests, of
        yield "wholesale.retries", traffic.retries, of
        yield "wholesale.throttled", traffic.throttled, of
        yield "wholesale.bytes", row.bytes, of
        for change in ("new", "changed", "deleted"):
            yield "wholesale.rows", getattr(row, change) or 0, {**of, "change": change}
        yield "wholesale.verdicts", 1, {**of, "verdict": row.verdict}


def _origin(summary: Summary, extra: Any) -> Any:
    attributes = {"service.name": "wholesale-elt", "service.version": this_release()}
    resource = extra("opentelemetry.sdk.resources").Resource
    return resource(attributes | {"wholesale.warehouse": summary.warehouse or ""})


def _nanoseconds(at: datetime) -> int:
    return round(at.timestamp() * 1e6) * 1000
