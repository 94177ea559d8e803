"""Command lines that are run by the host of this user, which is started if there is none."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from . import _protocol as protocol
from ._errors import SkuaError, unreachable
from ._host import Place, address_of, find_place, find_program, forwarded, stamp_of, start_host
from ._line import Line
from ._reply import Output
from ._wire import NO_ANSWER, UNKNOWN, Frames, Request, encode

if TYPE_CHECKING:
    import asyncio

# How often a call starts a host, and how often it sends its request, each time but the last of which ran nothing.
_MAX_STARTS = 3
_MAX_REQUESTS = 2 * _MAX_STARTS

# After how many seconds of silence the host is asked whether it is there, and how many it has to answer.
_QUIET_LIMIT = 10.0
_PING_LIMIT = 5.0


class _Attempts:
    """Where a request is sent, how often, and what is sent."""

    def __init__(self, place: Place, program: str, request: Request) -> None:
        self._place = place
        self.program = program
        self._request = request
        self._stamp = stamp_of(program)
        self._starts = self._requests = 0

    def next(self) -> tuple[str | tuple[str, int], bytes] | None:
        """Return where to connect and what to send there; None: there is no host."""
        at = address_of(self._place)
        if at is None:
            return None
        message = encode(self._request, self._stamp, at[1])
        if len(message) > protocol.MAX_REQUEST:
            raise SkuaError(protocol.USAGE, "The request is larger than 64 MiB. Pass large input as a file.")
        return at[0], message

    def start(self) -> None:
        """Count a host that is started."""
        self._starts += 1
        self._check(self._starts > _MAX_STARTS)

    def again(self) -> None:
        """Count a host that ran nothing. Any next one will do, whatever its file says."""
        self._requests += 1
        self._check(self._requests >= _MAX_REQUESTS)
        self._stamp = UNKNOWN

    def _check(self, too_often: bool) -> None:
        if too_often:
            raise unreachable(f"The host behind {self._place.socket} closes every connection. End its process and try again.")


class _Conversation:
    """What a host says to one request."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._frames = Frames()
        self._out = bytearray()
        self._err = bytearray()
        self.began = False
        self.again = False  # nothing was run: another host has to be asked
        self.output: Output | None = None

    def take(self, piece: bytes) -> bytes:
        """Take a piece of the reply, and return what to answer."""
        self.began = True
        answer = b""
        try:
            for kind, payload in self._frames.take(piece):
                if kind == protocol.STDOUT:
                    self._out += payload
                elif kind == protocol.STDERR:
                    self._err += payload
                elif kind == protocol.ASK:
                    answer += NO_ANSWER
                elif kind == protocol.RETRY:
                    self.again = True
                elif kind == protocol.REFUSED:
                    raise unreachable(payload.decode(errors="replace"))
                else:
                    code = payload[0] if kind == protocol.EXIT else 0
                    self.output = Output(self._out.decode(), self._err.decode(errors="replace"), code)
        except ValueError as cause:
            raise unreachable(
                f"What listens on {self._path} is not a skua host. Remove that file, or set SKUA_SOCKET_DIR to another directory."
            ) from cause
        return answer

    @property
    def over(self) -> bool:
        """Whether the reply is complete."""
        return self.again or self.output is not None

    def ended(self, reset: bool) -> None:
        """Say that the host has closed the connection, which is an error unless it ran nothing."""
        if self.over:
            return
        if reset and not self.began:
            self.again = True
            return
        if self.began:
            raise unreachable("The host ended before the command was done. Look at the page before going on.")
        raise unreachable("The host ended without an answer: the command may or may not have run. Look at the page before trying again.")


class HostTransport:
    """Runs command lines at the host."""

    def __init__(
        self, env: Mapping[str, str], cwd: str | None, skuad: str | None, socket_dir: str | None, namespace: str | None
    ) -> None:
        self._env = dict(env)
        self._cwd = os.path.abspath(cwd or os.getcwd())
        self._skuad = skuad
        self._place = find_place(env, self._cwd, socket_dir, namespace)

    def _request(self, line: Line) -> Request:
        return Request(protocol.RUN, self._cwd, line.words, forwarded(self._env, line.words, line.model), line.stdin)

    def _unreachable(self, cause: OSError) -> SkuaError:
        return unreachable(f"The host behind {self._place.socket} cannot be used: {cause.strerror or cause}.")

    def _hangs(self) -> SkuaError:
        return unreachable(
            f"The host behind {self._place.socket} takes connections and does not answer: its process is stopped or hangs. "
            "The command may or may not have run."
        )

    # For programs that wait.

    def ready(self) -> None:
        """Make sure that a host is running."""
        self._exchange(Request(protocol.PING))

    def run(self, line: Line) -> Output:
        """Run a command line."""
        return self._exchange(self._request(line))

    def _exchange(self, request: Request) -> Output:
        attempts = _Attempts(self._place, find_program(self._env, self._skuad), request)
        while True:
            to = attempts.next()
            connection = self._connect(to[0]) if to else None
            if to is None or connection is None:
                attempts.start()
                start_host(self._place, attempts.program, self._env)
                continue
            with connection:
                output = self._converse(connection, *to)
            if output is not None:
                return output
            attempts.again()

    def _connect(self, address: str | tuple[str, int], limit: float = _QUIET_LIMIT) -> socket.socket | None:
        connection = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
        connection.settimeout(limit)
        try:
            connection.connect(address)
        except OSError as cause:
            connection.close()
            if isinstance(cause, (FileNotFoundError, ConnectionRefusedError)):
                return None
            raise self._unreachable(cause) from cause
        return connection

    def _converse(self, connection: socket.socket, address: str | tuple[str, int], message: bytes) -> Output | None:
        talk = _Conversation(self._place.socket)
        try:
            connection.sendall(message)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the host may have said why
        while not talk.over:
            try:
                piece = connection.recv(1 << 16)
            except TimeoutError:
                if not self._alive(address):
                    raise self._hangs() from None
                continue
            except (ConnectionResetError, BrokenPipeError):
                talk.ended(reset=True)
                continue
            if not piece:
                talk.ended(reset=False)
                continue
            answer = talk.take(piece)
            if answer:
                connection.sendall(answer)
        return talk.output

    def _alive(self, address: str | tuple[str, int]) -> bool:
        found = address_of(self._place)
        try:
            connection = self._connect(address, _PING_LIMIT)
            if connection is None or found is None:
                return False
            with connection:
                connection.sendall(encode(Request(protocol.PING), UNKNOWN, found[1]))
                return bool(connection.recv(1))
        except (OSError, SkuaError):
            return False

    # For programs with asyncio.

    async def ready_async(self) -> None:
        """Make sure that a host is running."""
        await self._exchange_async(Request(protocol.PING))

    async def run_async(self, line: Line) -> Output:
        """Run a command line. It ends when the task is canceled."""
        return await self._exchange_async(self._request(line))

    async def _exchange_async(self, request: Request) -> Output:
        import asyncio

        attempts = _Attempts(self._place, find_program(self._env, self._skuad), request)
        while True:
            to = attempts.next()
            streams = await self._connect_async(to[0]) if to else None
            if to is None or streams is None:
                attempts.start()
                await asyncio.to_thread(start_host, self._place, attempts.program, self._env)
                continue
            reader, writer = streams
            try:
                output = await self._converse_async(reader, writer, *to)
            finally:
                writer.close()
            if output is not None:
                return output
            attempts.again()

    async def _connect_async(self, address: str | tuple[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        import asyncio

        try:
            if sys.platform != "win32" and isinstance(address, str):
                return await asyncio.open_unix_connection(address)
            return await asyncio.open_connection(address[0], int(address[1]))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except OSError as cause:
            raise self._unreachable(cause) from cause

    async def _converse_async(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str | tuple[str, int], message: bytes
    ) -> Output | None:
        import asyncio

        talk = _Conversation(self._place.socket)
        writer.write(message)
        while not talk.over:
            try:
                piece = await asyncio.wait_for(reader.read(1 << 16), _QUIET_LIMIT)
            except TimeoutError:
                if not await asyncio.to_thread(self._alive, address):
                    raise self._hangs() from None
                continue
            except (ConnectionResetError, BrokenPipeError):
                talk.ended(reset=True)
                continue
            if not piece:
                talk.ended(reset=False)
                continue
            answer = talk.take(piece)
            if answer:
                writer.write(answer)
        return talk.output
