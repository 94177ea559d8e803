"""What the host says of command lines, in the words of this library."""

from __future__ import annotations

import re

from ._specs import CALL_FLAGS, SESSION_FLAGS, SPECS

_METHODS = {" ".join(spec.words): name for name, spec in SPECS.items()}
_OPTIONS = {
    f"--{flag}": name for flags in (*(spec.flags for spec in SPECS.values()), SESSION_FLAGS, CALL_FLAGS) for name, (flag, _) in flags.items()
}


def speak(text: str) -> str:
    """Return a text in which commands are methods and flags are options, without how a line is written.

    What is quoted is left as it is, since a page may have said it.
    """
    lines = [line for line in text.split("\n") if not line.startswith(("Usage: ", "If it is not a flag, "))]
    parts = re.split(r'("(?:[^"\\]|\\.)*")', "\n".join(lines))
    return "".join(part if i % 2 else _unquoted(part) for i, part in enumerate(parts))


def _unquoted(text: str) -> str:
    parts = re.split(r"`([^`]+)`", text)
    return "".join(f"`{_method(part)}`" if i % 2 else _with_options(part) for i, part in enumerate(parts))


def _with_options(text: str) -> str:
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", lambda flag: _OPTIONS.get(flag[0], flag[0]), text)


def _method(line: str) -> str:
    """Return a command line as the method that it is, with what is given to it; another text stays."""
    words = [word for word in line.split() if word != "skua"]
    for n in range(len(words), 0, -1):
        if name := _METHODS.get(" ".join(words[:n])):
            return f"{name}({', '.join(map(_with_options, words[n:]))})"
    return _with_options(line)
