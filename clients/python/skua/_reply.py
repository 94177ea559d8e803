"""The reply of a command."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, cast

from . import _protocol as protocol
from ._errors import SkuaError
from ._result import Result
from ._speech import speak


class Output(NamedTuple):
    """What a command line printed."""

    stdout: str
    stderr: str
    exit_code: int


def read_reply(output: Output) -> tuple[Any, list[str]]:
    """Return the data and the notices of a reply.

    A failure is raised, and so is a command that waits for a person: it has done nothing yet.
    """
    try:
        printed: Any = json.loads(output.stdout, object_hook=Result)
    except ValueError as cause:
        said = (output.stderr or output.stdout).strip() or f"the command ended with code {output.exit_code} and said nothing"
        raise SkuaError(protocol.INTERNAL, said) from cause
    if not isinstance(printed, dict):
        return printed, []
    reply = cast("dict[str, Any]", printed)
    if not isinstance(reply.get("success"), bool):
        return reply, []
    notices: list[str] = [speak(text) for text in reply.get("warnings", [])]
    if isinstance(reply.get("data"), dict) and reply["data"].get("notices"):
        reply["data"]["notices"] = notices
    if not reply["success"] and isinstance(reply.get("error"), str):
        raise SkuaError(
            reply.get("code", protocol.USAGE),
            speak(reply["error"]),
            hint=speak(reply.get("hint", "")),
            facts=reply.get("facts"),
            notices=notices,
            outcome=reply.get("outcome"),
        )
    if "data" not in reply:
        return reply, notices
    data: object = reply["data"]
    if isinstance(data, dict) and cast("dict[str, Any]", data).get("confirmation_required") is True:
        held = cast("dict[str, Any]", data)
        raise SkuaError(
            protocol.CONFIRMATION_REQUIRED,
            f"{held.get('command')} waits to be confirmed.",
            hint=f"A person confirms it with `skua confirm {held.get('confirmation_id')}`.",
            facts=held,
            notices=notices,
            outcome=reply.get("outcome"),
        )
    return cast(Any, data), notices
