"""Report: what is done after a command: inspect, record, notify. It never fails the command."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from wholesale.errors import ConfigurationError
from wholesale_elt.inspect import Overview, keep_overview, read_overview
from wholesale_elt.monitoring.alerts import Alert, is_of_rule, news, open_alerts
from wholesale_elt.monitoring.changes import changes_since
from wholesale_elt.monitoring.mail import WORKBOOK, alert_message, send, text_of_alerts
from wholesale_elt.monitoring.rules import broken_rules
from wholesale_elt.monitoring.settings import (
    SECTION,
    MonitoringSettings,
    read_settings,
    sinks_set,
)
from wholesale_elt.monitoring.summary import Sink, Summary
from wholesale_elt.monitoring.textfile import write_textfile
from wholesale_elt.monitoring.webhook import NotTaken, body_of, post
from wholesale_elt.process import plugins, private, replace
from wholesale_elt.warehouse import Warehouse

log = logging.getLogger("wholesale.monitoring")


def report(warehouse: Warehouse, summary: Summary) -> None:
    """Report a command that has ended; what cannot be reported is an error in the log, which
    `--quiet` shows too: an alarm that is not connected must not be silent."""
    try:
        _report(warehouse, summary)
    except ConfigurationError as error:
        log.error("%s", error)
    except Exception as error:  # no error here may fail the command
        reason = getattr(error, "strerror", None) or type(error).__name__
        log.error("how the command ended could not be reported: %s", reason)


def follow(warehouse: Warehouse, summary: Summary) -> None:
    """Let each sink that is set watch a command; one that cannot is an error in the log."""
    with suppress(ConfigurationError):  # of the section, which `report` tells
        for name in sinks_set():
            try:
                sinks: Iterable[Sink] = plugins("sinks", name)
                for sink in sinks:
                    summary.tell(sink(warehouse, summary))
            except ConfigurationError as error:
                log.error("%s", error)


def report_state(warehouse: Warehouse) -> Overview:
    """Send news of the present state to the webhook; for `status --alert`.

    Raises: ConfigurationError, also where no webhook is set, as then nobody is told.
    """
    settings = read_settings()
    if not settings.tells_somebody:
        raise ConfigurationError(
            f"setting {SECTION}.webhook_url is missing, and so is mail_to, so nobody is told: set"
            f" it in .dlt/secrets.toml, or {SECTION.upper()}__WEBHOOK_URL in the environment"
        )
    overview = read_overview(warehouse)
    _send_news(warehouse, overview, None, settings)
    return overview


def _report(warehouse: Warehouse, summary: Summary) -> None:
    settings = read_settings()
    if warehouse.may_exist and not warehouse.port.is_here():
        return  # what an engine has built of a lake; to count its records would copy all of them
    overview = keep_overview(warehouse)
    if settings.textfile:
        write_textfile(settings.textfile, overview, summary)
    summary = summary.for_others()
    changes = summary.sync.changes if summary.sync else ()
    events = [Alert("schema changed", change.resource, str(change)) for change in changes]
    _send_news(warehouse, overview, summary, settings, events)


def _send_news(
    warehouse: Warehouse,
    overview: Overview,
    summary: Summary | None,
    settings: MonitoringSettings,
    events: Sequence[Alert] = (),
) -> None:
    """Send one message if there is news; it is recorded as sent only if it was accepted.

    Rules are looked at, and the sales compared with those told of last, where something was
    published; else rules that were broken still are.
    """
    if not settings.tells_somebody:
        return
    sent = _SentMessages(warehouse.state_folder / "told.json")
    before, now = sent.read(), datetime.now(UTC)
    found = open_alerts(overview, settings.stale_after_hours)
    published = summary.publish if summary else None
    unseen = {} if published else {key: text for key, text in before.items() if is_of_rule(key)}
    if published and settings.rules:
        found += broken_rules(Path(published.place), settings.rules)
    seen = {key: text for key, text in before.items() if key not in unseen}
    alerts = [*news(found, seen, now), *events]
    told = _SentMessages(warehouse.state_folder / "told_version.json")
    version = published.version if published else None
    if published and version and (last := told.read().get(published.place, version)) != version:
        alerts += _news_since(Path(published.place), last, settings)
    if alerts and not _are_sent(alerts, overview.warehouse, summary, settings, now):
        return
    sent.write(unseen | {alert.key: alert.message for alert in found})
    if published and version:
        told.write(told.read() | {published.place: version})


def _news_since(published: Path, version: str, settings: MonitoringSettings) -> Iterator[Alert]:
    """What moved since the version told of last; of an entry point of the group `wholesale.news`,
    a function of the same kind as `changes_since`, what it tells of that."""
    if settings.news:
        yield from changes_since(published, version)
    for news_since in plugins("news"):
        yield from news_since(published, version)


def _are_sent(
    alerts: Sequence[Alert],
    warehouse: str,
    summary: Summary | None,
    settings: MonitoringSettings,
    now: datetime,
) -> bool:
    """Whether everybody who is to be told was."""
    seconds, failures = settings.webhook_seconds, 0
    if settings.webhook_url:
        body = body_of(alerts, warehouse, summary, now)
        try:
            post(settings.webhook_url.get_secret_value(), body, seconds)
        except NotTaken as error:
            log.error("the webhook did not take the alert: %s", error)
            failures += 1
    if settings.mail_server and settings.mail_from and settings.mail_to:
        text = text_of_alerts(alerts, warehouse, settings.page)
        attached = _workbook(alerts, summary) if settings.mail_workbook else {}
        message = alert_message(settings.mail_from, settings.mail_to, text, attached)
        try:
            send(settings.mail_server.get_secret_value(), message, seconds)
        except NotTaken as error:
            log.error("the mail server did not take the alert: %s", error)
            failures += 1
    return not failures


def _workbook(alerts: Sequence[Alert], summary: Summary | None) -> Mapping[str, bytes]:
    """The workbook of the version of which these alerts tell, if they do and it has one."""
    if not (summary and summary.publish) or all(each.to is None for each in alerts):
        return {}
    from wholesale_elt.publish import NotPublished, find_site

    with suppress(NotPublished, OSError):
        database = find_site(Path(summary.publish.place)).database
        return {WORKBOOK: database.with_name(WORKBOOK).read_bytes()}
    return {}


class _SentMessages:
    """The messages that were sent and are not over, by key, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}

    def write(self, messages: dict[str, str]) -> None:
        if messages != self.read():
            with private():
                self._path.parent.mkdir(parents=True, exist_ok=True)
                replace(self._path, partial(Path.write_bytes, data=msgspec.json.encode(messages)))
