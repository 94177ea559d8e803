"""Where the host of this user is, and how it is started."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from . import _protocol as protocol
from ._errors import SkuaError, unreachable
from ._wire import UNKNOWN, Stamp

WINDOWS = sys.platform == "win32"

# The size in bytes at which the next host begins a new log.
_MAX_LOG = 1 << 20


class Place(NamedTuple):
    """Where the host of an environment is."""

    base: str
    directory: str
    socket: str
    namespace: str


def find_place(env: Mapping[str, str], cwd: str, socket_dir: str | None, namespace: str | None) -> Place:
    """Return where the host of an environment is."""
    base = socket_dir or env.get("SKUA_SOCKET_DIR") or env.get("AGENT_BROWSER_SOCKET_DIR") or _usual_base(env)
    base = os.path.normpath(os.path.join(cwd, base))
    namespace = namespace or env.get("SKUA_NAMESPACE") or env.get("AGENT_BROWSER_NAMESPACE") or ""
    if namespace and (not re.fullmatch("[-_a-zA-Z0-9\u0080-\U0010ffff]+", namespace) or len(namespace.encode()) > 64):
        raise SkuaError(protocol.USAGE, f'namespace "{namespace}": only letters, digits, - and _ are allowed, at most 64')
    directory = os.path.join(base, "namespaces", namespace) if namespace else base
    path = os.path.join(directory, protocol.SOCKET)
    size = len(os.fsencode(path))
    if not WINDOWS and size > protocol.MAX_SOCKET_PATH:
        raise unreachable(
            f"The socket path {path} is too long ({size} bytes, the systems take {protocol.MAX_SOCKET_PATH}). Set SKUA_SOCKET_DIR to a shorter directory."
        )
    return Place(base, directory, path, namespace)


def _usual_base(env: Mapping[str, str]) -> str:
    if sys.platform == "win32":
        if env.get("LOCALAPPDATA"):
            return os.path.join(env["LOCALAPPDATA"], "skua", "run")
        return os.path.join(env.get("USERPROFILE", ""), ".skua", "run")
    user = f"skua-{os.geteuid()}"
    for name, below, owned in (("XDG_RUNTIME_DIR", "skua", True), ("HOME", ".skua/run", False), ("TMPDIR", user, False)):
        folder = env.get(name, "")
        if folder.startswith("/") and _usable(folder, below, owned):
            return os.path.join(folder, below)
    return os.path.join("/tmp", user)


class _Kind(NamedTuple):
    """What is at a path."""

    missing: bool
    folder: bool
    uid: int


def _usable(folder: str, below: str, owned: bool) -> bool:
    """Return whether there is a folder of this user at below in a folder of the system, which must be there, or one can be made.

    It says the same as the program's client does, or they would not find each other's hosts. With owned, the folder must be the user's.
    """
    if sys.platform == "win32":
        return True
    last = os.path.normpath(folder)
    path = os.path.join(last, below)
    if len(os.fsencode(os.path.join(path, protocol.SOCKET))) > protocol.MAX_SOCKET_PATH:
        return False
    found = _look(path)
    if found.folder:
        inhabited = any(not _look(os.path.join(path, name)).missing for name in ("namespaces", protocol.SOCKET))
        return found.uid == os.geteuid() and (os.access(path, os.W_OK | os.X_OK) or inhabited)
    while found.missing and path != last:
        path = os.path.dirname(path)
        found = _look(path)
    return found.folder and (found.uid == os.geteuid() or not owned) and os.access(path, os.W_OK | os.X_OK)


def _look(path: str) -> _Kind:
    try:
        info = os.stat(path)
    except FileNotFoundError:
        return _Kind(missing=True, folder=False, uid=-1)
    except OSError:
        return _Kind(missing=False, folder=False, uid=-1)
    return _Kind(missing=False, folder=stat.S_ISDIR(info.st_mode), uid=info.st_uid)


def _runs(file: str) -> bool:
    return os.path.isfile(file) and os.access(file, os.X_OK)


def find_program(env: Mapping[str, str], given: str | None) -> str:
    """Return the host program; empty: there is none.

    It is the one that is given or SKUA_PATH names (the program, or a folder that has it), else the one on the PATH, by itself or beside the client skua.
    """
    suffix = ".exe" if WINDOWS else ""
    named = given or env.get("SKUA_PATH")
    if named:
        for file in (named, os.path.join(named, "skuad" + suffix), os.path.join(os.path.dirname(named), "skuad" + suffix)):
            if os.path.basename(file) == "skuad" + suffix and _runs(file):
                return os.path.abspath(file)
        raise unreachable(f"SKUA_PATH {named}: there is no program skuad; name its folder or the program itself")
    for folder in (env.get("PATH") or env.get("Path") or "").split(os.pathsep):
        if not os.path.isabs(folder):
            continue
        host = os.path.join(folder, "skuad" + suffix)
        if _runs(host):
            return host
        client = os.path.join(folder, "skua" + suffix)
        if _runs(client):
            beside = os.path.join(os.path.dirname(os.path.realpath(client)), "skuad" + suffix)
            if _runs(beside):
                return beside
    return ""


def stamp_of(program: str) -> Stamp:
    """Return the build of a host program."""
    if not program:
        return UNKNOWN
    info = os.stat(program)
    return Stamp(info.st_mtime_ns, info.st_size)


def forwarded(env: Mapping[str, str], words: list[str], model: bool) -> list[str]:
    """Return the variables that the host is told. Others stay here, since environments contain secrets."""
    begins = list(protocol.ENV_BEGINNINGS)
    if any(env.get(name) for name in protocol.PROVIDER_NAMES) or any(word.startswith("--provider") for word in words):
        begins += protocol.PROVIDER_BEGINNINGS
    granted: set[str] = set()
    if model:
        begins += protocol.MODEL_BEGINNINGS
        mark = protocol.GRANT_MARK
        granted = {word.split(mark)[1].split("@")[0] for word in words if mark in word}
    return [
        f"{name}={value}"
        for name, value in env.items()
        if name in protocol.ENV_NAMES or name in granted or name.startswith(tuple(begins))
    ]


def address_of(place: Place) -> tuple[str | tuple[str, int], str] | None:
    """Return where to connect, and with which token. On Windows the socket's file says so; None: there is none."""
    if not WINDOWS:
        return place.socket, ""
    try:
        with open(place.socket, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except OSError:
        return None
    host, _, port = lines[0].partition(":")
    if host != "127.0.0.1" or len(lines) < 2:
        raise unreachable(f"{place.socket} is in the way: no host wrote it. Remove it, or set SKUA_SOCKET_DIR to another directory.")
    return (host, int(port)), lines[1]


def start_host(place: Place, program: str, env: Mapping[str, str]) -> None:
    """Start a host that outlives this process, and wait until it listens. Of several that start at once, one stays."""
    if not program:
        raise unreachable("No host is running, and its program skuad is not on the PATH. Install skua, or set SKUA_PATH to the folder that has it.")
    os.makedirs(place.directory, mode=0o700, exist_ok=True)
    owner = os.stat(place.directory).st_uid
    if sys.platform != "win32" and owner != os.getuid():
        raise unreachable(
            f"The socket directory {place.directory} belongs to another user (uid {owner}). Set SKUA_SOCKET_DIR to a directory of your own."
        )
    log_file = os.path.join(place.directory, protocol.LOG)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    try:
        info = os.lstat(log_file)
        if stat.S_ISREG(info.st_mode) and info.st_size > _MAX_LOG:
            flags |= os.O_TRUNC
    except OSError:
        pass
    words = [program, "daemon", "--socket-dir", place.base]
    if place.namespace:
        words += ["--namespace", place.namespace]
    stamp = stamp_of(program)
    log = os.open(log_file, flags, 0o600)
    try:
        host = subprocess.Popen(
            words,
            cwd=env.get("SYSTEMROOT") if WINDOWS else "/",
            env={**env, protocol.HOST_STAMP_VARIABLE: f"{stamp.mtime}:{stamp.size}"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=not WINDOWS,
            creationflags=0x8 | 0x200 if WINDOWS else 0,  # without a console, and in a group of its own
        )
    except OSError as cause:
        raise unreachable(f"The host {program} cannot be started: {cause.strerror}.") from cause
    finally:
        os.close(log)
    assert host.stdout is not None
    ready = protocol.READY.encode()
    said = b""
    with host.stdout:
        while said != ready:
            piece = os.read(host.stdout.fileno(), 4096)
            if not piece:
                break
            said += piece
    if said != ready:
        host.wait()
        raise unreachable(said.decode(errors="replace").strip() or f"The host {program} ended while it was starting. See its log {log_file}.")
    host.returncode = 0  # it goes on: nothing here waits for it
