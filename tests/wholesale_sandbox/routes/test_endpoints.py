"""Each of the 56 endpoints: one success with its whole answer, and every documented error."""

from collections.abc import Iterator

import httpx
import pytest

from support.records.cases import IDS, Ask, Case, as_told, cases, id_of, refused
from support.services.trust import NOBODY
from wholesale.api.endpoints import ENDPOINTS, Endpoint
from wholesale_sandbox.server import Sandbox

CASES = cases()
SUCCESSES = [case for case in CASES if not case.is_refused]

UNAUTHORIZED = {
    "error": "Invalid Credentials",
    "details": "the credentials presented are not valid to access this resource",
}
NOT_FOUND = refused(404, "")

INSIDE = "the fields must stand inside an object under the key "
PAGES = "must be an integer from 1 to 2147483647"

OF_EVERY_LIST = [
    Case(endpoint.name, 422, refused(422, f"{name} {PAGES}"), query={name: value})
    for endpoint in ENDPOINTS
    if endpoint.name.startswith("list_")
    for name, value in (("page", "0"), ("page", "two"), ("limit", "-1"), ("limit", "1.0"))
]
OF_EVERY_BODY = [
    Case(endpoint.name, 422, refused(422, INSIDE + endpoint.wrapper.value), {"title": "flat"})
    for endpoint in ENDPOINTS
    if endpoint.wrapper
]
OF_EVERY_ID = [
    Case(
        endpoint.name,
        404,
        NOT_FOUND,
        {endpoint.wrapper.value: {}} if endpoint.wrapper else None,
        ids={name: unknown},
    )
    for endpoint in ENDPOINTS
    for name in endpoint.parameters
    for unknown in (id_of("unknown"), "no-guid")
]
REFUSALS = [
    *(case for case in CASES if case.is_refused),
    *OF_EVERY_LIST,
    *OF_EVERY_BODY,
    *OF_EVERY_ID,
]

# Nothing that is sent makes this one: a dial does.
DIALLED = {("list_categories", 404)}


@pytest.fixture(scope="module")
def stranger(sandbox: Sandbox) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sandbox.base_url, verify=NOBODY, timeout=None) as connected:
        yield connected


def answer(response: httpx.Response) -> object:
    """What came, with generated ids and times made alike."""
    if not response.content:
        return None
    body = response.json()
    return as_told(body) if isinstance(body, dict) else body


def test_every_endpoint_has_a_success() -> None:
    succeeded = {(case.endpoint, case.status) for case in SUCCESSES}

    assert succeeded == {(endpoint.name, endpoint.success.value) for endpoint in ENDPOINTS}


def test_every_documented_error_has_a_case() -> None:
    documented = {
        (endpoint.name, status)
        for endpoint in ENDPOINTS
        for status in endpoint.errors
        if status != 401
    }
    provoked = {(case.endpoint, case.status) for case in REFUSALS}

    assert documented - provoked == DIALLED


@pytest.mark.parametrize("case", SUCCESSES, ids=lambda case: case.endpoint)
def test_an_endpoint_answers_with_its_whole_shape(ask: Ask, case: Case) -> None:
    response = ask(case)

    assert (response.status_code, answer(response)) == (case.status, case.answer)


@pytest.mark.parametrize(
    "case", [case for case in SUCCESSES if case.answer], ids=lambda case: case.endpoint
)
def test_fields_come_in_the_order_of_the_description(ask: Ask, case: Case) -> None:
    """§2 lists them so; a client may not rely on it, a reader likes it."""
    assert isinstance(case.answer, dict)
    assert list(ask(case).json()) == list(case.answer)


@pytest.mark.parametrize("case", REFUSALS, ids=lambda case: f"{case.endpoint}-{case.status}")
def test_an_endpoint_refuses_with_the_error_object(ask: Ask, case: Case) -> None:
    response = ask(case)

    assert (response.status_code, response.json()) == (case.status, case.answer)


@pytest.mark.parametrize("headers", [{"X-API-Key": "wrong"}, {"X-API-Key": ""}, {}], ids=str)
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_every_endpoint_wants_the_key(
    stranger: httpx.Client, endpoint: Endpoint, headers: dict[str, str]
) -> None:
    response = stranger.request(endpoint.method, endpoint.path_for(**IDS), headers=headers)

    assert (response.status_code, response.json()) == (401, UNAUTHORIZED)


@pytest.mark.parametrize(("name", "status"), sorted(DIALLED))
def test_a_documented_error_without_a_known_cause_can_be_dialled_in(
    sandbox: Sandbox, ask: Ask, name: str, status: int
) -> None:
    sandbox.dials.fail_next(1, status, endpoint=name)

    responses = [ask(Case(name, status)) for _ in range(2)]

    assert [response.status_code for response in responses] == [status, 200]
    assert responses[0].json() == NOT_FOUND


@pytest.mark.parametrize(
    "body", [b"", b"{", b'{"item": NaN}', b"\xff", b'{"item":' + b"[" * 5_000], ids=repr
)
def test_a_body_that_is_no_json_is_refused(client: httpx.Client, body: bytes) -> None:
    response = client.post("/items", content=body)

    assert (response.status_code, response.json()) == (422, refused(422, "the body must be JSON"))


@pytest.mark.parametrize("body", [b"[]", b"5", b'"item"', b"null"])
def test_a_body_that_is_no_object_is_refused(client: httpx.Client, body: bytes) -> None:
    response = client.post("/items", content=body)

    assert response.status_code == 422
    assert response.json() == refused(422, "the body must be an object with the key item")
