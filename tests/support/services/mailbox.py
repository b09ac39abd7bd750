"""A mail server that keeps what it is sent, or does as it is told at a step."""

import asyncio
import email
import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default as modern

from aiosmtpd.smtp import SMTP, Envelope, Session

SENDER = "elt@example.org"
BOSS, ANN = "boss@example.org", "ann@example.org"
Told = Callable[[SMTP, str], "str | None"]
"""What a server does at a step for a receiver: an answer of its own, or None to go on."""


@dataclass
class Mailbox:
    """What arrived by receiver. At each step `told` is asked what to do."""

    told: Told = lambda server, to: None
    step: str = ""
    got: list[tuple[str, EmailMessage]] = field(default_factory=list)
    pid: int | None = None
    has_pid: threading.Event = field(default_factory=threading.Event)

    def of(self, to: str) -> list[EmailMessage]:
        return [message for receiver, message in self.got if receiver == to]

    def _at(self, step: str, server: SMTP, to: str = "") -> str | None:
        return self.told(server, to) if step == self.step else None

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, host: str, answers: list[str]
    ) -> list[str]:
        session.host_name = host
        refused = self._at("EHLO", server)
        return [refused] if refused else answers

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, sender: str, options: list[str]
    ) -> str:
        envelope.mail_from = sender
        return self._at("MAIL", server) or "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, to: str, options: list[str]
    ) -> str:
        if refused := self._at("RCPT", server, to):
            return refused
        envelope.rcpt_tos.append(to)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        [to] = envelope.rcpt_tos
        if self.step == "DATA" and (refused := self.told(server, to)):
            return refused
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=modern)
        assert isinstance(message, EmailMessage)
        self.got.append((to, message))
        return self._at("TAKEN", server, to) or "250 OK"

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return self._at("QUIT", server) or "221 Bye"

    def kill(self, server: SMTP, to: str) -> str:
        """Kill the command that talks to it, once."""
        assert self.has_pid.wait(60)
        assert self.pid
        os.kill(self.pid, signal.SIGKILL)
        self.step = ""
        return "421 too late"

    def close(self, server: SMTP, to: str) -> str:
        """Break the connection, once."""
        self.step = ""
        transport = server.transport
        assert isinstance(transport, asyncio.Transport)
        transport.abort()
        return "421 too late"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port
