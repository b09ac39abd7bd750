"""A collector of OpenTelemetry is told what a command came to, and nobody is unless it is set."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from conftest import Loader
from support.records.samples import order
from support.services.receiver import taking
from wholesale_elt.monitoring.reporting import follow
from wholesale_elt.monitoring.summary import Summary, SyncSummary
from wholesale_lineage.telemetry import COUNTERS
from wholesale_sandbox.server import Sandbox

pytest.importorskip("opentelemetry.sdk")
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)


@dataclass
class Collector:
    """A real one in this process, that keeps what it is sent; `status` is what it answers."""

    url: str = ""
    status: int = 200
    spans: list[Any] = field(default_factory=list)
    metrics: list[Any] = field(default_factory=list)

    def take(self, path: str, body: bytes) -> int:
        if path == "/v1/traces":
            for told in ExportTraceServiceRequest.FromString(body).resource_spans:
                self.spans += [span for scope in told.scope_spans for span in scope.spans]
        elif path == "/v1/metrics":
            for found in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                self.metrics += [
                    metric for scope in found.scope_metrics for metric in scope.metrics
                ]
        return self.status


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    running = Collector()

    with taking(running.take) as running.url:
        monkeypatch.setenv("MONITORING__OTLP_ENDPOINT", f"{running.url}/")
        yield running


def sync(loader: Loader) -> Summary:
    summary = Summary(command="run")
    follow(loader.warehouse, summary)
    with summary.phase("sync"):
        summary.sync = SyncSummary.of(loader.load("orders", "vendors"))
    with summary.phase("build"):
        pass
    summary.end(3, "not certified")
    return summary


def test_a_run_is_a_trace_and_what_it_took_is_counted(
    sandbox: Sandbox, loader: Loader, collector: Collector
) -> None:
    sandbox.put("orders", order("A"))
    sandbox.dials.fail_next(1, 429)
    summary = sync(loader)

    by_id = {span.span_id: span for span in collector.spans}
    tree = {
        (by_id[s.parent_span_id].name if s.parent_span_id else "", s.name) for s in by_id.values()
    }
    assert tree == {
        ("", "run"),
        ("run", "sync"),
        ("run", "build"),
        *(("sync", name) for name in ("orders", "vendors")),
    }
    assert len({span.trace_id for span in by_id.values()}) == 1
    (run,) = (span for span in by_id.values() if span.name == "run")
    assert run.start_time_unix_nano == round(summary.started_at.timestamp() * 1e6) * 1000
    assert {
        (told.key, told.value.string_value or told.value.int_value) for told in run.attributes
    } == {
        ("exit_code", 3),
        ("result", "incomplete"),
        ("error", "not certified"),
    }

    counts = {
        (metric.name, *sorted(told.value.string_value for told in point.attributes)): point.as_int
        for metric in collector.metrics
        for point in metric.sum.data_points
    }
    assert {name for name, *_ in counts} == set(COUNTERS)
    assert summary.sync
    requests = {row.resource: row.requests for row in summary.sync.resources}
    assert counts["wholesale.requests", "orders"] == requests["orders"]
    assert counts["wholesale.rows", "new", "orders"] == 1
    assert counts["wholesale.verdicts", "complete", "orders"] == 1
    for name in ("retries", "throttled"):
        assert sum(counts[f"wholesale.{name}", of] for of in ("orders", "vendors")) == 1


def test_a_command_without_a_sync_is_a_trace_alone(
    loader: Loader,
    collector: Collector,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    summary = Summary(command="build")
    follow(loader.warehouse, summary)
    with summary.phase("build"):
        pass
    summary.end(0, None)

    assert [span.name for span in collector.spans] == ["build", "build"]
    assert collector.metrics == []
    assert caplog.records == []


def test_a_collector_that_refuses_is_a_warning(
    sandbox: Sandbox,
    loader: Loader,
    collector: Collector,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    collector.status = 400
    sync(loader)

    assert "the collector of OpenTelemetry did not take what was sent to it" in caplog.text


def test_nothing_is_sent_unless_that_is_set(
    sandbox: Sandbox, loader: Loader, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MONITORING__OTLP_ENDPOINT")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    sync(loader)

    assert (collector.spans, collector.metrics) == ([], [])
