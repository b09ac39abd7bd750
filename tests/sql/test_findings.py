"""What is wrong with a build is one short line: what the database says, and what to do."""

import pytest

from wholesale_elt.models.findings import error_text

LOST = """server closed the connection unexpectedly
\tThis probably means the server terminated abnormally
\tbefore or while processing the request."""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('relation "a" does not exist', 'relation "a" does not exist'),
        (LOST, "lost its connection: build again (server closed the connection unexpectedly)"),
        (
            "canceling statement due to lock timeout",
            "waited for a table that another session holds: end that session, and build again"
            " (canceling statement due to lock timeout)",
        ),
    ],
)
def test_an_error_of_the_database_is_told_in_a_line(said: str, told: str) -> None:
    assert error_text(said) == told
