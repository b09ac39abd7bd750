"""The log keeps the latest requests and counts them all."""

from wholesale_sandbox.service.request_log import LoggedRequest, RequestLog


def entry(endpoint: str, status: int = 200) -> LoggedRequest:
    return LoggedRequest("GET", "/path", "", endpoint, status, 10)


def test_the_latest_entries_are_kept_and_all_are_counted() -> None:
    log = RequestLog(keep=2)
    for logged in (entry("a"), entry("b"), entry("a", 404)):
        log.add(logged)

    assert log.entries() == [entry("b"), entry("a", 404)]
    assert log.counts() == {"a": 2, "b": 1}
    assert log.statuses() == {200: 2, 404: 1}


def test_a_cleared_log_is_empty() -> None:
    log = RequestLog()
    log.add(entry("a"))

    log.clear()

    assert (log.entries(), log.counts(), log.statuses()) == ([], {}, {})
