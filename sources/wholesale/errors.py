"""Errors: what can go wrong between us and the service.

WholesaleError
  ConfigurationError      a setting is missing or cannot be right
  Unanswerable            a question names something unknown, or what does not go together
  ServiceError            the service was asked, and the response cannot be used
    Unauthorized          401: the key is missing or wrong (§5)
    Forbidden             403: the key may not read this
    NotFound              404 (§7), or 410
    TooLarge              413, or more than is accepted: fewer records a page are needed
    Unprocessable         422 (§7), or 400
    Unavailable           no usable response after all attempts
      Failing             an error of the service at the last of them
    ContentError          a response came, and its body is not what the description allows
      NoContent           the body is empty
        NoBody            204: the service says that there is none
        NoRecords         a list shows none, and is no empty list as it is known to be written

A message is one line: what was asked, what came, which rule, what to do next.
It never holds the API key or a payload.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

LONGEST_NAME = 80
"""Characters of a field's name that are shown."""
MOST_NAMED = 4
"""Ids or fields that a sentence names."""


class WholesaleError(Exception):
    """Root of everything this project raises on purpose.

    `code` says what is wrong in a word that stays, however the sentence is put; where there is but
    one thing that an error can mean, that is the name of its class.
    """

    def __init__(self, message: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or type(self).__name__


class ConfigurationError(WholesaleError):
    """A setting is missing or cannot be right; nothing was sent."""


class Unanswerable(WholesaleError):
    """The question names something unknown, or what does not go together."""


class ServiceError(WholesaleError):
    """The service answered in a way that the run cannot go on from."""


class Unauthorized(ServiceError):
    """401 (§5): the key is missing or wrong."""


class Forbidden(ServiceError):
    """403: the key may not read this; it may read other resources."""


class NotFound(ServiceError):
    """404 (§7), or 410: the service knows no such record or path, or not any more."""


class Unprocessable(ServiceError):
    """422 (§7), or 400, which many services answer instead: a parameter is refused."""


class TooLarge(ServiceError):
    """413, or a body of more bytes than the settings accept."""


class Unavailable(ServiceError):
    """No usable response after all attempts: network, 429, 5xx, or broken bodies."""


class Failing(Unavailable):
    """500 or alike to the last: the service is there, and fails at what it was asked for."""


class ContentError(ServiceError):
    """The body is not what the description allows: no JSON, no list, a key twice."""


class NoContent(ContentError):
    """The body is empty."""


class NoBody(NoContent):
    """204: there is nothing to send."""


class NoRecords(NoContent):
    """A list without records that is not written as an empty list is: nobody knows if it is one."""


BY_STATUS: Mapping[int, type[ServiceError]] = {
    400: Unprocessable,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    410: NotFound,
    413: TooLarge,
    422: Unprocessable,
}
NEXT_STEP: Mapping[type[ServiceError], str] = {
    Unauthorized: "check the API key and that it belongs to this base URL",
    Forbidden: "ask for a key that may read it",
    NotFound: "check that the base URL is that of the service",
}
NEXT_STEP_OF_PAGES: Mapping[type[ServiceError], str] = {
    TooLarge: "try a smaller page size",
    Unprocessable: "the service refuses a parameter: try another page size",
}
"""What to do besides where a page was asked for."""


def refusal(asked: str, status: int, text: str) -> ServiceError:
    """The error for a response with this status, which another attempt would not change; `text` is
    what it says, of a redirect where it leads."""
    if 300 <= status < 400:
        place = f" to {text}" if text else ""
        return ServiceError(
            f"{asked} answered {status}, a redirect{place}, which is not followed: set the base URL"
            " to the address that the service really has"
        )
    error = BY_STATUS.get(status, ServiceError)
    steps = {**NEXT_STEP, **NEXT_STEP_OF_PAGES} if "page=" in asked else NEXT_STEP
    step = steps.get(error, "see the documentation of the service")
    return error(f"{asked} answered {status} {text}: {step}")


def cause_of(error: BaseException) -> str:
    """The innermost cause of an error, on one line."""
    seen = {id(error)}
    while inner := error.__cause__ if error.__suppress_context__ else error.__context__:
        error = inner
        if id(error) in seen:  # a chain may lead back to its start
            break
        seen.add(id(error))
    text = one_line(error, None)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def counted(number: int, noun: str) -> str:
    """`1 record`, `2,000 records`: a noun whose plural ends in s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str]) -> str:
    """`a, b, c, d and 1,234 more`."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def installing(extra: str) -> str:
    """The command for what only some installations have; pip asks no index for the project, as it
    is installed already, whether from a clone or a wheel."""
    return f'`pip install "wholesale-elt[{extra}]"`'


def decimal_text(value: Decimal) -> str:
    """All its digits, without zeros after the last one."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def one_line(text: object, most: int | None = 300) -> str:
    """An error or a text on one line, of which … tells that it is cut to `most` characters; what
    cannot be shown is escaped."""
    line = " ".join(str(text).split())
    if most is not None and len(line) > most:
        line = f"{line[:most]}…"
    if line.isprintable():
        return line
    return "".join(part if part.isprintable() else ascii(part)[1:-1] for part in line)


def legible(name: str) -> str:
    """A field's name as the service gives it, on one line, cut where it is long."""
    return one_line(name, LONGEST_NAME)
