"""Sessions for programs with asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ._async_commands import AsyncCommands
from ._line import command_line
from ._session import SessionBase
from ._specs import SPECS, VALUES


class AsyncSession(SessionBase, AsyncCommands):
    """A named browser session for programs with asyncio. A command whose task is canceled ends in the browser, too.

    `async with AsyncSession("shop") as page:` closes it at the end, unless it is kept.
    """

    async def _call(self, method: str, given: dict[str, Any]) -> Any:
        return self._read(await self._transport.run_async(command_line(SPECS[method], given, self._options)))

    async def _value(self, method: str, given: dict[str, Any]) -> Any:
        value = VALUES[method]
        self._before_value(value)
        return self._member(value, await self._call(value.of, given), given)

    async def __aenter__(self) -> AsyncSession:
        await self._transport.ready_async()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._keep:
            await self.close()
