"""The command line of a call."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple, cast

from . import _protocol as protocol
from ._errors import SkuaError
from ._specs import CALL_FLAGS, SESSION_FLAGS, Spec

SESSION_WORDS = {**SESSION_FLAGS, "session": ("session", "value")}


class Line(NamedTuple):
    """What a call runs."""

    words: list[str]
    stdin: bytes | None
    model: bool


def flag_words(flag: tuple[str, str], value: Any) -> list[str]:
    """Return the words of a flag."""
    name, manner = flag
    if value is None:
        return []
    if manner == "bool":
        return [f"--{name}"] if value else []
    if manner == "switch":
        return [f"--{name}={'true' if value else 'false'}"]
    if manner == "list":
        return [f"--{name}={one}" for one in ([value] if isinstance(value, str) else value)]
    if manner == "optional" and value is True:
        return [f"--{name}"]
    return [f"--{name}={value}"]


def session_words(options: dict[str, Any], but: Collection[str] = ()) -> list[str]:
    """Return the words of a session's options, without those that a call sets itself."""
    words: list[str] = []
    for name, value in options.items():
        if name not in SESSION_WORDS:
            raise TypeError(f"a session has no option {name!r}")
        if name not in but:
            words += flag_words(SESSION_WORDS[name], value)
    return words


def command_line(spec: Spec, given: dict[str, Any], options: dict[str, Any]) -> Line:
    """Return the command line of a call: flags of all commands, the command, its flags, and after -- its arguments."""
    name = " ".join(spec.words)
    args = [given.get(arg) for arg in spec.args]
    while args and args[-1] is None:
        args.pop()
    if None in args:
        raise SkuaError(protocol.USAGE, f"{name}: {spec.args[args.index(None)]} is missing")
    of_call = {key: given[key] for key in CALL_FLAGS if key not in spec.flags and given.get(key) is not None}
    words = ["--json", *session_words(options, set(of_call))]
    for key, value in of_call.items():
        words += flag_words(CALL_FLAGS[key], value)
    words += spec.words
    for key, flag in spec.flags.items():
        words += flag_words(flag, given.get(key))
    if args:
        words.append("--")
        for arg in args:
            words += [str(arg)] if isinstance(arg, (str, int, float)) else map(str, cast("list[Any]", arg))
    stdin = given.get("input")
    return Line(words, stdin.encode() if isinstance(stdin, str) else stdin, spec.model)
