"""Sessions."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _protocol as protocol
from ._commands import Commands
from ._errors import SkuaError
from ._line import command_line, session_words
from ._reply import Output, read_reply
from ._result import Result
from ._socket import HostTransport
from ._specs import SPECS, VALUES, Value

if TYPE_CHECKING:
    from typing import Unpack

    from ._serve import ServeTransport
    from .types import SessionFlags


# How many notices are kept for a caller who has not asked for them.
_MOST_NOTICES = 200


class SessionBase:
    """What both kinds of sessions have."""

    def __init__(
        self,
        name: str = "default",
        *,
        serve: str | None = None,
        task: str | None = None,
        token: str | None = None,
        skuad: str | None = None,
        socket_dir: str | None = None,
        namespace: str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        on_notice: Callable[[str], None] | None = None,
        keep: bool = False,
        **flags: Unpack[SessionFlags],
    ) -> None:
        """Name a session.

        Args:
            name: The session's name.
            serve: The address of a `skua serve` that runs the commands in place of this machine's host: http://127.0.0.1:9224
            task: With serve: the task whose pages these are.
            token: With serve: its token (default: SKUA_MCP_TOKEN).
            skuad: The host program, or the folder that has it (default: SKUA_PATH, else the one on the PATH).
            socket_dir: The folder of the host's socket.
            namespace: A host, sessions and files of their own under this name.
            env: The environment to use in place of the process's. Of it, the host is told what concerns it.
            cwd: The folder that relative paths start from.
            on_notice: Gets each notice of a reply as it comes: late effects of earlier actions, and what the caller must not miss.
                `notices()` has them, too.
            keep: Leave the session open at the end of `with`.
            **flags: The options of the session's browser, and those of all its calls.
        """
        environment = dict(os.environ if env is None else env)
        self.name = name
        self._options: dict[str, Any] = {"session": name, **flags}
        self._on_notice = on_notice
        self._notices: deque[str] = deque(maxlen=_MOST_NOTICES)
        self._keep = keep
        self._cwd = cwd or os.getcwd()
        session_words(self._options)
        self._transport: HostTransport | ServeTransport
        if serve is None:
            if task is not None or token is not None:
                raise TypeError("task and token are for a session at a service; give serve, too")
            self._transport = HostTransport(environment, cwd, skuad, socket_dir, namespace)
            return
        if skuad or socket_dir or namespace:
            raise TypeError("a service has its own host; leave out skuad, socket_dir and namespace")
        if not task:
            raise SkuaError(protocol.USAGE, "serve: name the task whose pages these are")
        from ._serve import ServeTransport

        self._transport = ServeTransport(serve, task, token or environment.get("SKUA_MCP_TOKEN", ""))

    def notices(self) -> list[str]:
        """Return what replies have said besides their results since the last call, and forget it.

        These are late effects of earlier actions, and what the caller must not miss. Each result has its own as `notices`, too. The last 200 are kept.
        """
        told = list(self._notices)
        self._notices.clear()
        return told

    def _read(self, output: Output) -> Any:
        notices: list[str] = []
        try:
            data, notices = read_reply(output)
            return data
        except SkuaError as error:
            notices = error.notices
            raise
        finally:
            self._notices.extend(notices)
            if self._on_notice:
                for text in notices:
                    self._on_notice(text)

    def _before_value(self, value: Value) -> None:
        if value.file and not isinstance(self._transport, HostTransport):
            raise SkuaError(protocol.USAGE, f"the file is on the service's machine; {value.of} returns its path there")

    def _member(self, value: Value, data: Result, given: dict[str, Any]) -> Any:
        """Return what a method is for: a member of the result, or the content of its file, which is removed unless the caller chose its path."""
        if not value.file:
            return special(data["unserializable"]) if "unserializable" in data else data[value.member]
        path: str | None = data.get(value.member)
        if path is None:
            raise SkuaError(protocol.USAGE, "no file was written")
        with open(path, "rb") as file:
            content = file.read()
        chosen = [os.path.abspath(os.path.join(self._cwd, one)) for one in given.values() if isinstance(one, str)]
        if path not in chosen:
            os.remove(path)
        return content


def special(text: str) -> Any:
    """Return a value that JSON has no word for."""
    if text == "undefined":
        return None
    return int(text[:-1]) if text.endswith("n") else float(text.replace("Infinity", "inf"))


class Session(SessionBase, Commands):
    """A named browser session. Its browser starts with the first command that needs one.

    `with Session("shop") as page:` closes it at the end, unless it is kept.
    """

    def _call(self, method: str, given: dict[str, Any]) -> Any:
        return self._read(self._transport.run(command_line(SPECS[method], given, self._options)))

    def _value(self, method: str, given: dict[str, Any]) -> Any:
        value = VALUES[method]
        self._before_value(value)
        return self._member(value, self._call(value.of, given), given)

    def __enter__(self) -> Session:
        self._transport.ready()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._keep:
            self.close()
