"""Sessions."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _protocol as protocol
from ._commands import Commands
from ._errors import SkuaError, SkuaWarning
from ._line import command_line, session_words
from ._reply import Output, read_reply
from ._socket import HostTransport
from ._specs import SPECS

if TYPE_CHECKING:
    from typing import Unpack

    from ._serve import ServeTransport
    from .types import SessionFlags


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
        on_warning: Callable[[str], None] | None = None,
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
            on_warning: Gets each note of a reply that the caller must not miss. Without it, they are warnings of the category SkuaWarning.
            keep: Leave the session open at the end of `with`.
            **flags: The options of the session's browser, and those of all its calls.
        """
        environment = dict(os.environ if env is None else env)
        self.name = name
        self._options: dict[str, Any] = {"session": name, **flags}
        self._warn = on_warning
        self._keep = keep
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

    def _read(self, output: Output) -> Any:
        data, notes = read_reply(output)
        for note in notes:
            if self._warn:
                self._warn(note)
            else:
                warnings.warn(note, SkuaWarning, stacklevel=4)
        return data


class Session(SessionBase, Commands):
    """A named browser session. Its browser starts with the first command that needs one.

    `with Session("shop") as page:` closes it at the end, unless it is kept.
    """

    def _call(self, method: str, given: dict[str, Any]) -> Any:
        return self._read(self._transport.run(command_line(SPECS[method], given, self._options)))

    def __enter__(self) -> Session:
        self._transport.ready()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._keep:
            self.close()
