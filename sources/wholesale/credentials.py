"""Credentials: reads the API key from where it is kept: a file, a variable, a command, a keyring.

There is no command line option for it, as other users of a machine can see those.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from wholesale.errors import ConfigurationError, installing

COMMAND_SECONDS = 60.0
"""How long a command may take: it may ask a person for a fingerprint or a password."""


def _from_file(path: str) -> str:
    try:
        return Path(path).expanduser().read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise ConfigurationError(
            f"setting api_key_file: {path} cannot be read: {why}; name the file that holds the key"
        ) from None


def _from_variable(name: str) -> str:
    if key := os.environ.get(name):
        return key
    raise ConfigurationError(
        f"setting api_key_variable: the environment has no {name}: set it to the key"
    )


def _from_command(command: str) -> str:
    """What the command prints, run without a shell; its standard error is not captured."""
    words = json.loads(command) if command.startswith("[") else shlex.split(command)
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except OSError as error:
        raise ConfigurationError(
            f"setting api_key_command: {words[0]} cannot be run: {error.strerror}"
        ) from None
    except subprocess.TimeoutExpired:
        raise ConfigurationError(
            f"setting api_key_command: {words[0]} gave no key within {COMMAND_SECONDS:g} s"
        ) from None
    if done.returncode or not done.stdout.strip():
        raise ConfigurationError(
            f"setting api_key_command: {words[0]} gave no key, and ended with {done.returncode}:"
            " run it yourself, it must print the key and nothing else"
        )
    return done.stdout.decode("utf-8", "replace")


def _from_keyring(entry: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError:
        raise ConfigurationError(
            "setting api_key_keyring needs keyring, which is not installed: install its extra,"
            f" {installing('keyring')}"
        ) from None
    service, _, user = entry.partition("/")
    try:
        key = keyring.get_password(service, user)
    except KeyringError as error:
        why = type(error).__name__
        raise ConfigurationError(
            f"setting api_key_keyring: the keyring cannot be read: {why}; unlock it"
        ) from None
    if not key:
        raise ConfigurationError(
            f"setting api_key_keyring: the keyring has no {entry}: `keyring set {service} {user}`"
        )
    return key


KEPT_IN: Mapping[str, tuple[Callable[[str], str], str]] = {
    "api_key_file": (_from_file, "a file that holds the key, as Docker and Kubernetes mount them"),
    "api_key_variable": (_from_variable, "a variable of the environment that holds the key"),
    "api_key_command": (
        _from_command,
        "a command that prints the key, as those of password managers do; run without a shell",
    ),
    "api_key_keyring": (_from_keyring, "`service/user` in the system's keyring (extra `keyring`)"),
}
"""The settings that lead to the key, in place of `api_key` itself: how each is read, and what it
means."""


def read_key(found: Mapping[str, str]) -> str | None:
    """The key that one of these settings leads to; None where none is set.

    Raises: ConfigurationError naming the setting that leads nowhere, or two that are set at once.
    """
    places = [name for name in ("api_key", *KEPT_IN) if name in found]
    if len(places) > 1:
        raise ConfigurationError(f"settings {' and '.join(places)} are both set: keep one of them")
    for name in places:
        if name in KEPT_IN:
            read, _ = KEPT_IN[name]
            key = read(found[name]).strip()
            if not key or not key.isascii() or not key.isprintable():
                raise ConfigurationError(
                    f"setting {name}: what it leads to is empty, or holds characters that no header"
                    " may carry: it must be the key and nothing else"
                )
            return key
    return None
