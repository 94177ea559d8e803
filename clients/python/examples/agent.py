"""An agent: it shows a model the page, does what the model says, and shows it what that led to. python3 agent.py ADDRESS TASK"""

from __future__ import annotations

import re
import sys
from typing import Any

import skua


def tools(page: skua.Session) -> dict[str, Any]:
    """Return what a model may ask for, as most of them take tools. Their answers are calls: ("click", {"ref": "@e3"})."""
    return {
        "click": lambda ref: page.click(ref, observe=True),
        "fill": lambda ref, text: page.fill(ref, text, observe=True),
        "open": lambda url: page.open(url, observe=True),
        "look": lambda: page.snapshot(interactive=True, max_chars=12_000),
    }


def model(conversation: list[str]) -> tuple[str, Any]:
    """Stand for a model, so that this runs without a network: it clicks the first button whose name has words of the task.

    Put the call of yours here. It gets the conversation, and returns a call of a tool, or ("answer", a text).
    """
    words = set(re.findall(r"\w+", conversation[0].lower()))
    last = conversation[-1]
    if last.startswith("✓"):
        return "answer", last.split("\n")[0]
    for line in re.findall(r"^ *- buttons?\b.*", last, re.MULTILINE):
        for name, ref in re.findall(r'"([^"]+)" (@e\d+)', line):
            if set(name.lower().split()) <= words:
                return "click", {"ref": ref}
    return "answer", "There is nothing to click."


def main(address: str, task: str) -> None:
    with skua.Session("agent") as page:
        page.open(address)
        can = tools(page)
        conversation = [task, can["look"]().text]
        for _ in range(20):
            name, given = model(conversation)
            if name == "answer":
                print(given)
                return
            try:
                result = can[name](**given)
                conversation.append("\n".join([result.text, *(result.notices or [])]))
            except skua.SkuaError as error:  # which says what to do next
                conversation.append(f"{error.code}: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
