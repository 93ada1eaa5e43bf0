"""A mail server on the loopback address that keeps what it was told."""

from __future__ import annotations

import base64
import socket
import ssl
import threading
from dataclasses import dataclass, field
from typing import Self


@dataclass
class PostOffice:
    """Takes mail while its context is open. `tls`: for STARTTLS, or from the start if `wrapped`."""

    tls: ssl.SSLContext | None = None
    wrapped: bool = False
    login: tuple[str, str] | None = None
    refused: tuple[str, ...] = ()
    answers: dict[str, str] = field(default_factory=dict)
    commands: list[str] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)
    encrypted: bool = False
    port: int = 0

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        # Wakes a server that nobody called.
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            pass
        self._thread.join(10)
        self._listener.close()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        self._listener.close()
        connection.settimeout(10)
        try:
            if self.wrapped and self.tls:
                connection = self._encrypt(connection)
            self._talk(connection)
        except (OSError, ValueError):
            pass  # the caller hung up
        finally:
            connection.close()

    def _encrypt(self, connection: socket.socket) -> socket.socket:
        assert self.tls is not None
        secure = self.tls.wrap_socket(connection, server_side=True)
        self.encrypted = True
        return secure

    def _talk(self, connection: socket.socket) -> None:
        lines = connection.makefile("rb")
        connection.sendall(self._said("HELLO", "220 here").encode())
        while command := lines.readline().decode().strip():
            verb = command.split()[0].upper()
            self.commands.append(command)
            connection.sendall(self._answer(verb, command).encode())
            if verb == "DATA" and "DATA" not in self.answers:
                self._take(connection, lines)
            elif verb == "STARTTLS":
                lines.close()
                connection = self._encrypt(connection)
                lines = connection.makefile("rb")
            elif verb == "QUIT":
                break
        lines.close()
        connection.close()

    def _take(self, connection: socket.socket, lines: object) -> None:
        body = b""
        while (line := lines.readline()) != b".\r\n":  # type: ignore[attr-defined]
            body += line
        self.mails.append(body)
        connection.sendall(b"250 taken\r\n")

    def _answer(self, verb: str, command: str) -> str:
        if verb == "EHLO":
            return self._extensions()
        if verb == "AUTH":
            told = base64.b64decode(command.split()[-1]).decode()
            good = self.login is not None and told == "\0" + "\0".join(self.login)
            return self._said(verb, "235 welcome" if good else "535 no")
        if verb == "RCPT" and any(name in command for name in self.refused):
            return "550 nobody here\r\n"
        usual = {"DATA": "354 go on", "STARTTLS": "220 go on", "QUIT": "221 bye"}
        return self._said(verb, usual.get(verb, "250 well"))

    def _extensions(self) -> str:
        offered = ["here", "AUTH PLAIN"]
        if self.tls and not self.encrypted:
            offered.append("STARTTLS")
        return "".join(f"250-{name}\r\n" for name in offered) + "250 8BITMIME\r\n"

    def _said(self, verb: str, usual: str) -> str:
        return self.answers.get(verb, usual) + "\r\n"
