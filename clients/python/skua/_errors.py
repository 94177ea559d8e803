"""The errors of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _protocol as protocol

if TYPE_CHECKING:
    from ._codes import ErrorCode


class SkuaError(Exception):
    """A command that failed. Commands raise nothing else.

    Attributes:
        code: What kind of failure it is. Codes are never renamed.
        hint: What to do next; the message ends with it. May be empty.
        facts: Details, by their names.
        notices: What the caller should know besides.
        outcome: Whether a command that changes something may be sent again: "none" was changed, or it is "unknown". None for others.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        hint: str = "",
        facts: dict[str, Any] | None = None,
        notices: list[str] | None = None,
        outcome: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.hint = hint
        self.facts: dict[str, Any] = facts or {}
        self.notices: list[str] = notices or []
        self.outcome = outcome


def unreachable(message: str) -> SkuaError:
    """Return the error of a host that cannot be used."""
    return SkuaError(protocol.HOST_UNREACHABLE, message)
