"""An answer that refuses carries the error object, with what §7 shows of its status."""

import json

import pytest

from wholesale_sandbox.answers.answer import Answer, Refused, error, not_found, unprocessable
from wholesale_sandbox.answers.delivery import whole


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
    answer = error(status)

    assert json.loads(answer.body) == {"error": name, "details": details}
    assert answer == Answer(status, answer.body, "application/json", {}, whole)


def test_an_error_may_say_more_and_carry_headers() -> None:
    answer = error(429, "wait", {"Retry-After": "7"})

    assert json.loads(answer.body) == {"error": "Too Many Requests", "details": "wait"}
    assert answer.headers == {"Retry-After": "7"}


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
    assert refused.answer == error(status, details)
    assert str(refused) == refused.answer.body.decode()
