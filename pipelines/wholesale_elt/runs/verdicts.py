"""Verdicts: what a certificate says of a resource, and a publication of all of them."""

from typing import Literal

Verdict = Literal["complete", "incomplete"]
