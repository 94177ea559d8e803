"""Command lines that are run by `skua serve`, in the pages of a task."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import socket
import ssl
from typing import cast
from urllib.parse import quote, urlsplit

from . import _protocol as protocol
from ._errors import SkuaError, unreachable
from ._line import Line
from ._reply import Output


class ServeTransport:
    """Runs command lines at a service."""

    def __init__(self, url: str, task: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SkuaError(protocol.USAGE, f"serve {url}: not the address of a service, such as http://127.0.0.1:9224")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.hostname
        self._netloc = parts.netloc
        self._tls = parts.scheme == "https"
        self._port = parts.port or (443 if self._tls else 80)
        self._path = parts.path.rstrip("/") + f"/tasks/{quote(task, safe='')}/run"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def _body(self, line: Line) -> bytes:
        return json.dumps({"args": line.words, "stdin": (line.stdin or b"").decode()}).encode()

    def _output(self, status: int, body: bytes) -> Output:
        text = body.decode(errors="replace")
        if status == 400:
            raise SkuaError(protocol.USAGE, text.strip())
        if status != 200:
            raise unreachable(f"The service at {self._origin} refused ({status}): {text.strip()}")
        reply = json.loads(text)
        return Output(reply["stdout"], reply["stderr"], reply["exitCode"])

    def _failed(self, cause: Exception) -> SkuaError:
        return unreachable(f"The service at {self._origin} cannot be reached: {cause}.")

    def ready(self) -> None:
        """Do nothing: a service is not started from here."""

    async def ready_async(self) -> None:
        """Do nothing: a service is not started from here."""

    def run(self, line: Line) -> Output:
        """Run a command line."""
        make = http.client.HTTPSConnection if self._tls else http.client.HTTPConnection
        connection = make(self._host, self._port)
        try:
            connection.request("POST", self._path, self._body(line), self._headers)
            response = connection.getresponse()
            return self._output(response.status, response.read())
        except (OSError, http.client.HTTPException) as cause:
            raise self._failed(cause) from cause
        finally:
            connection.close()

    async def run_async(self, line: Line) -> Output:
        """Run a command line. It ends when the task is canceled."""
        body = self._body(line)
        head = "".join(f"{name}: {value}\r\n" for name, value in self._headers.items())
        message = (
            f"POST {self._path} HTTP/1.1\r\nHost: {self._netloc}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body
        )
        try:
            reader, writer = await asyncio.open_connection(
                self._host, self._port, ssl=ssl.create_default_context() if self._tls else None
            )
            try:
                writer.write(message)
                received = await reader.read()
            finally:
                writer.close()
            response = http.client.HTTPResponse(cast("socket.socket", _Received(received)))
            response.begin()
            return self._output(response.status, response.read())
        except (OSError, http.client.HTTPException) as cause:
            raise self._failed(cause) from cause


class _Received:
    """A response that has arrived, as http.client reads it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        """Return it as a file."""
        return io.BytesIO(self._data)
