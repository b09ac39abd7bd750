"""An response that refuses carries the error object, with what §7 shows of its status."""

import json

import pytest

from wholesale_sandbox.responses.delivery import whole
from wholesale_sandbox.responses.response import Refused, Response, error, not_found, unprocessable


@pytest.mark.parametrize(
    ("status", "name", "details"),
    [
        (
            401,
            "Invalid Credentials",
            "the credentials presented are not valid to access this resource",
        ),
        (404, "Resource not found", ""),
        (422, "Unprocessable Entity", "the request cannot be carried out"),
        (418, "Error", "the service answered 418"),
    ],
)
def test_an_error_has_the_name_and_details_of_its_status(
    status: int, name: str, details: str
) -> None:
    response = error(status)

    assert json.loads(response.body) == {"error": name, "details": details}
    assert response == Response(status, response.body, "application/json", {}, whole)


def test_an_error_may_say_more_and_carry_headers() -> None:
    response = error(429, "wait", {"Retry-After": "7"})

    assert json.loads(response.body) == {"error": "Too Many Requests", "details": "wait"}
    assert response.headers == {"Retry-After": "7"}


def test_empty_details_are_said_and_not_replaced() -> None:
    assert json.loads(error(422, "").body)["details"] == ""


@pytest.mark.parametrize(
    ("refused", "status", "details"),
    [
        (not_found(), 404, ""),
        (not_found(422), 422, "the request cannot be carried out"),
        (unprocessable("moq must be an integer"), 422, "moq must be an integer"),
    ],
)
def test_a_refusal_is_an_error_with_its_answer(refused: Refused, status: int, details: str) -> None:
    assert refused.response == error(status, details)
    assert str(refused) == refused.response.body.decode()
