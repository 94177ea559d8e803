"""Requests to the host, and the frames of its replies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import _protocol as protocol


class Stamp(NamedTuple):
    """The build of a host program: when its file was written, and its size. Zeros say nothing."""

    mtime: int
    size: int


UNKNOWN = Stamp(0, 0)


class Request(NamedTuple):
    """A request to the host."""

    kind: int
    cwd: str = ""
    args: list[str] = []
    env: list[str] = []
    stdin: bytes | None = None


def _uvarint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes(value: str | bytes) -> bytes:
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return _uvarint(len(data)) + data


def _strings(values: list[str]) -> bytes:
    return _uvarint(len(values)) + b"".join(map(_bytes, values))


def encode(request: Request, stamp: Stamp, token: str) -> bytes:
    """Return a request as the host reads it."""
    body = b"".join(
        [
            _uvarint(protocol.WIRE_VERSION),
            _uvarint(request.kind),
            _uvarint(stamp.mtime),
            _uvarint(stamp.size),
            _bytes(token),
            _bytes("skua"),
            _bytes(request.cwd),
            _uvarint(0),
            _strings(request.args),
            _strings(request.env),
            b"\0" if request.stdin is None else b"\1",
            _bytes(request.stdin or b""),
        ]
    )
    return b"skua" + _uvarint(len(body)) + body


# What a client answers to a question when no person is there.
NO_ANSWER = b"\0\0"

_KINDS = {
    protocol.STDOUT,
    protocol.STDERR,
    protocol.EXIT,
    protocol.PONG,
    protocol.RETRY,
    protocol.REFUSED,
    protocol.ASK,
}


class Frames:
    """Collects the frames of a reply from the pieces in which they arrive."""

    def __init__(self) -> None:
        self._data = bytearray()

    def take(self, piece: bytes) -> Iterator[tuple[int, bytes]]:
        """Return the frames that a piece completes: their kinds and contents. Data that is not of the protocol is a ValueError."""
        self._data += piece
        while True:
            head = self._head()
            if head is None or len(self._data) < head[0] + head[1]:
                return
            start, length = head
            kind, payload = self._data[0], bytes(self._data[start : start + length])
            del self._data[: start + length]
            yield kind, payload

    def _head(self) -> tuple[int, int] | None:
        if not self._data:
            return None
        if self._data[0] not in _KINDS:
            raise ValueError(f"a frame of kind {self._data[0]}")
        length = 0
        for i, byte in enumerate(self._data[1:11]):
            length |= (byte & 0x7F) << 7 * i
            if byte < 0x80:
                return i + 2, length
        if len(self._data) > 10:
            raise ValueError("a frame without end")
        return None
