"""Runs the steps of a scenario and prints the outcome of each as one line of JSON: scenario.py STEPS OPTIONS [async].

It judges nothing; the test that runs it compares what all languages print.
"""

from __future__ import annotations

import asyncio
import json
import keyword
import re
import sys
from collections.abc import Awaitable
from typing import Any

import skua


def snake(words: str) -> str:
    name = re.sub("[ -]", "_", words)
    return name + "_" if keyword.iskeyword(name) else name


class Steps:
    """The steps, and what they remember of each other."""

    def __init__(self, file: str) -> None:
        with open(file, encoding="utf-8") as text:
            self.steps: list[dict[str, Any]] = json.load(text)
        self.refs: dict[str, dict[str, str]] = {}

    def filled(self, arg: Any) -> Any:
        wanted = re.fullmatch(r"\{ref:(.*?):(.*)\}", arg) if isinstance(arg, str) else None
        if not wanted:
            return arg
        for ref, about in self.refs.items():
            if (about["role"], about["name"]) == wanted.groups():
                return "@" + ref
        raise LookupError(f"no snapshot had {arg}")

    def call(self, page: skua.Session | skua.AsyncSession, step: dict[str, Any]) -> Any:
        options = {snake(flag): value for flag, value in step.get("flags", {}).items()}
        return getattr(page, snake(step["command"]))(*map(self.filled, step.get("args", [])), **options)

    def tell(self, data: Any) -> None:
        if isinstance(data, dict) and "refs" in data:
            self.refs = data["refs"]
        self.show({"data": data})

    def fail(self, error: skua.SkuaError) -> None:
        self.show({"code": error.code, "message": str(error), "hint": error.hint})

    def show(self, came: dict[str, Any]) -> None:
        print(json.dumps(came), flush=True)


def run(steps: Steps, options: dict[str, Any]) -> None:
    with skua.Session("scenario", keep=True, **options) as page:
        for step in steps.steps:
            try:
                steps.tell(steps.call(page, step))
            except skua.SkuaError as error:
                steps.fail(error)


async def run_async(steps: Steps, options: dict[str, Any]) -> None:
    async with skua.AsyncSession("scenario", keep=True, **options) as page:
        for step in steps.steps:
            try:
                call: Awaitable[Any] = steps.call(page, step)
                steps.tell(await call)
            except skua.SkuaError as error:
                steps.fail(error)


if __name__ == "__main__":
    given: dict[str, Any] = json.loads(sys.argv[2])
    if sys.argv[3:] == ["async"]:
        asyncio.run(run_async(Steps(sys.argv[1]), given))
    else:
        run(Steps(sys.argv[1]), given)
