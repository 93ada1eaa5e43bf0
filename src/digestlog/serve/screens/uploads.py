"""A file that a form has brought, byte for byte."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import HTTP

from digestlog.serve.messages import Request


def file_of(request: Request, name: str) -> bytes:
    """The bytes of a file; empty if the form has none of this name. The gatekeeper has bounded the form."""
    kind = (request.header("content-type") or "").encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + kind + b"\r\n\r\n" + request.body)
    for part in message.iter_parts() if message.is_multipart() else ():
        if part.get_param("name", header="content-disposition") == name:
            payload = part.get_payload(decode=True)
            return payload if isinstance(payload, bytes) else b""
    return b""
