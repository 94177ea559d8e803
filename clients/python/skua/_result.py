"""The results of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class Result(dict[str, Any]):
    """An object of a result. Its members are attributes with names as Python has them, `result.tab_id`, and keys as the host writes them, `result["tabId"]`.

    A member that this result does not have is None as an attribute.
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            from ._specs import MEMBERS

            keys = MEMBERS.get(name)
            if keys is None:
                raise AttributeError(f"a result has no member {name!r}")
            return next((self[key] for key in keys if key in self), None)
