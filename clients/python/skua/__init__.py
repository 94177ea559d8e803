"""Drive a browser with skua: typed commands, results and errors.

    import skua

    with skua.Session("shop") as page:
        page.open("https://example.com")
        print(page.snapshot(interactive=True).text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import SkuaError
from ._protocol import VERSION as __version__
from ._session import Session

if TYPE_CHECKING:
    from ._async_session import AsyncSession
    from ._codes import ErrorCode

__all__ = ["AsyncSession", "ErrorCode", "Session", "SkuaError", "__version__"]


def __getattr__(name: str) -> Any:
    """Import what most programs do not use when it is asked for."""
    if name == "AsyncSession":
        from ._async_session import AsyncSession

        return AsyncSession
    if name == "ErrorCode":
        from ._codes import ErrorCode

        return ErrorCode
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
