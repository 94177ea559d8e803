"""The command line of a call."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
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


# A script that begins so is a function, if there is nothing behind that.
_FUNCTION = re.compile(r"\s*(async\s+)?(\([^()]*\)|[\w$]+)\s*=>|\s*(async\s+)?function\b[^;]*\{.*\}\s*$", re.DOTALL)


def word(value: Any) -> str:
    """Return a value as a word of the command line."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, (str, int, float)):
        return str(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError) as cause:
        raise SkuaError(protocol.USAGE, f"{value!r} has no form in JSON") from cause


def list_of(value: Any) -> list[Any]:
    """Return a list of values, which may be one alone, or headers by their names."""
    if isinstance(value, Mapping):
        return [f"{name}: {one}" for name, one in cast("Mapping[str, Any]", value).items()]
    return [value] if isinstance(value, str) else list(value)


def with_call(spec: Spec, given: dict[str, Any]) -> dict[str, Any]:
    """Return what is given to a command whose script may be a function, with the arguments of that as an option."""
    script: Any = given.get(spec.args[-1]) if spec.calls else None
    if not script or given.get(spec.calls) is not None or not (given.get("values") or _FUNCTION.match(script)):
        return given
    return {**given, spec.calls: json.dumps(list(given["values"]))}


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
        return [f"--{name}={word(one)}" for one in list_of(value)]
    if manner == "optional" and value is True:
        return [f"--{name}"]
    return [f"--{name}={word(value)}"]


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
    given = with_call(spec, given)
    name = "_".join(spec.words).replace("-", "_")
    args = [given.get(arg) for arg in spec.args]
    while args and args[-1] is None:
        args.pop()
    if None in args:
        raise SkuaError(protocol.USAGE, f"{name}: {spec.args[args.index(None)]} is missing")
    of_call = {key: given[key] for key in CALL_FLAGS if key not in spec.flags and given.get(key) is not None}
    words = ["--json", "--short", *session_words(options, set(of_call))]
    for key, value in of_call.items():
        words += flag_words(CALL_FLAGS[key], value)
    words += spec.words
    for key, flag in spec.flags.items():
        words += flag_words(flag, given.get(key))
    if args:
        words.append("--")
        for place, arg in enumerate(args):
            several = isinstance(arg, (list, tuple)) and place not in spec.json
            words += map(word, cast("list[Any]", arg) if several else [arg])
    stdin = given.get("input")
    return Line(words, stdin.encode() if isinstance(stdin, str) else stdin, spec.model)
