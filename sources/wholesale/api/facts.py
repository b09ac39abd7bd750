"""Facts, assumptions and statements: what is known of the service, each with its §."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """A value with its ground.

    Where `is_documented` is false the § is the place that leaves the matter open,
    and the value is what this project assumes until a real service shows otherwise.
    """

    value: T
    section: str
    is_documented: bool


def documented(value: T, section: str) -> Fact[T]:
    """What the API description says in `section`."""
    return Fact(value, section, True)


def assumed(value: T, section: str) -> Fact[T]:
    """What we take for true where `section` of the API description leaves it open."""
    return Fact(value, section, False)


@dataclass(frozen=True, slots=True)
class Assumption(Generic[T]):
    """A value that code reads and that we had to choose.

    `section` is the § of the description that leaves it open.
    """

    name: str
    value: T
    section: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that code rests on where `section` of the description leaves it open, in words."""

    name: str
    section: str
    meaning: str
