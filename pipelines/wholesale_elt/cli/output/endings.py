"""Endings: the ways in which a command ends, each with its exit code."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from wholesale_elt.process import how_it_stopped


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    FAILED = 1
    CONFIGURATION = 2
    INCOMPLETE = 3


@dataclass(frozen=True, slots=True)
class Failure:
    """The line to print, and the exit code."""

    message: str
    exit: Exit
    is_in_use: bool = False
    """Whether another run is at work, so that nothing is wrong."""


def stopped() -> Failure:
    """A command that was stopped, by what it was. It may have been in the midst of an import."""
    return Failure(how_it_stopped(), Exit.FAILED)


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which a command ends: its exit code, what happened, and what to do about it."""

    exit: Exit
    when: str
    then: str


ENDINGS: Mapping[str, Ending] = {
    "complete": Ending(Exit.DONE, "All was done, and is certified complete", "nothing"),
    "service down": Ending(
        Exit.FAILED, "The service gives no usable response", "run again when it is up"
    ),
    "resource unread": Ending(
        Exit.FAILED,
        "A resource could not be read; the others were loaded",
        "read why in `status`, run again",
    ),
    "full disk": Ending(Exit.FAILED, "The disk is full", "free some space, run again"),
    "no permission": Ending(
        Exit.FAILED, "There is no permission to write a file", "the line names it"
    ),
    "in use": Ending(
        Exit.FAILED, "Another run, or another program, has the warehouse", "wait for it to end"
    ),
    "corrupt": Ending(Exit.FAILED, "The file of the warehouse is damaged", "restore a copy"),
    "server down": Ending(Exit.FAILED, "PostgreSQL cannot be reached", "run again when it is up"),
    "connection lost": Ending(
        Exit.FAILED, "The connection to PostgreSQL was lost", "run again when it is up"
    ),
    "table held": Ending(
        Exit.FAILED,
        "Another session in PostgreSQL holds a table for more than five minutes",
        "end it, run again",
    ),
    "right refused": Ending(
        Exit.FAILED, "The role in PostgreSQL lacks a right", "grant it; the line names it"
    ),
    "catalogue down": Ending(
        Exit.FAILED, "The catalogue of the lake cannot be reached", "run again when it is up"
    ),
    "bucket refused": Ending(
        Exit.FAILED,
        "The bucket of a DuckLake refuses, is not there, or cannot be reached",
        "the line says which",
    ),
    "build failed": Ending(
        Exit.FAILED, "A model or a test failed; the last good build stays", "read its name"
    ),
    "nothing loaded": Ending(Exit.FAILED, "There is nothing to build or publish", "sync first"),
    "stopped": Ending(Exit.FAILED, "Somebody pressed Ctrl-C, or sent SIGTERM", "run again"),
    "output closed": Ending(
        Exit.FAILED, "The program that read the output of a job has gone", "run again"
    ),
    "setting missing": Ending(Exit.CONFIGURATION, "A setting is missing", "set it"),
    "setting unknown": Ending(
        Exit.CONFIGURATION, "A setting has a name that does not exist", "the nearest one is named"
    ),
    "setting wrong": Ending(
        Exit.CONFIGURATION, "A setting has a value that cannot be right", "the rule is named"
    ),
    "file broken": Ending(
        Exit.CONFIGURATION, "`config.toml` or `secrets.toml` cannot be read", "the line is named"
    ),
    "key refused": Ending(
        Exit.CONFIGURATION, "The service refuses the key (401)", "correct the key"
    ),
    "secret astray": Ending(
        Exit.CONFIGURATION,
        "A secret is in a file where it is not read",
        "move it to `.dlt/secrets.toml`",
    ),
    "section misspelt": Ending(
        Exit.CONFIGURATION, "The name of a section is misspelt", "the right one is named"
    ),
    "section valued": Ending(
        Exit.CONFIGURATION, "A section has a value instead of settings", "write it as a section"
    ),
    "destination unknown": Ending(
        Exit.CONFIGURATION, "The destination does not exist, or is not exact", "name another one"
    ),
    "destination not set": Ending(
        Exit.CONFIGURATION, "The destination has no credentials", "set them"
    ),
    "other service": Ending(
        Exit.CONFIGURATION, "The warehouse holds data of another service", "name another one"
    ),
    "newer version": Ending(
        Exit.CONFIGURATION, "A newer version wrote the warehouse", "install that version"
    ),
    "option unknown": Ending(
        Exit.CONFIGURATION,
        "An option, command, resource or metric does not exist",
        "see `--help`",
    ),
    "incomplete": Ending(
        Exit.INCOMPLETE,
        "Loaded, but not certified complete; so nothing new is published",
        "read why in `status`, run again",
    ),
    "stale": Ending(
        Exit.INCOMPLETE, "`status --max-age`: a resource is older than that", "see why no run ended"
    ),
}
"""Endings by name; the README of this package shows them, and each has a test."""
