"""What the library does around commands: python3 -m unittest test_behavior, with SKUA_PATH and a SKUA_SOCKET_DIR of its own."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import skua
from skua._host import forwarded
from skua._wire import Frames


def quiet(_: str) -> None:
    """Leave notes alone."""


def session(name: str, **options: Any) -> skua.Session:
    options.setdefault("on_warning", quiet)
    return skua.Session(name, **options)


def stop(pid: int) -> None:
    """Stops a process, and waits until all of its threads have stopped: on a busy machine they go on for a while."""

    def stopped() -> bool:
        if not os.path.isdir(f"/proc/{pid}/task"):
            return subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout.startswith("T")
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as stat:
                if not stat.read().rpartition(") ")[2].startswith("T"):
                    return False
        return True

    os.kill(pid, signal.SIGSTOP)
    while not stopped():
        pass


class Behavior(unittest.TestCase):
    """What the library does around commands."""

    def failure(self, call: Callable[[], object]) -> skua.SkuaError:
        with self.assertRaises(skua.SkuaError) as caught:
            call()
        return caught.exception

    def test_a_reply_that_comes_in_many_pieces_is_whole(self) -> None:
        with session("large") as page:
            self.assertEqual(len(page.eval("'🙂'.repeat(500000) + 'end'")["result"]), 500003)

    def test_sessions_that_begin_at_once_share_one_host(self) -> None:
        names = ["a", "b", "c", "d"]

        def title(name: str) -> str:
            page = session("beside-" + name)
            page.open(f"data:text/html,<title>{name}</title>")
            return page.get_title()["title"]

        with ThreadPoolExecutor() as threads:
            self.assertEqual(list(threads.map(title, names)), names)
        listed = session("other").session_list()["sessions"]
        for name in names:
            self.assertIn("beside-" + name, listed)
            session("beside-" + name).close()

    def test_a_canceled_call_ends_in_the_browser_too(self) -> None:
        async def run() -> None:
            async with skua.AsyncSession("canceled", on_warning=quiet) as page:
                await page.open("data:text/html,<title>still here</title>")
                with self.assertRaises(TimeoutError):
                    await asyncio.wait_for(page.wait("#never", timeout="1m"), 0.2)
                # Which waits for the session's turn.
                self.assertEqual((await page.get_title(timeout=5000))["title"], "still here")

        asyncio.run(run())

    def test_calls_run_beside_each_other(self) -> None:
        async def run() -> list[str]:
            async with skua.AsyncSession("one", on_warning=quiet) as one, skua.AsyncSession("two", on_warning=quiet) as two:
                await asyncio.gather(one.open("data:text/html,<title>1</title>"), two.open("data:text/html,<title>2</title>"))
                return [found["title"] for found in await asyncio.gather(one.get_title(), two.get_title())]

        self.assertEqual(asyncio.run(run()), ["1", "2"])

    def test_a_host_that_has_ended_is_started_again(self) -> None:
        with session("again") as page:
            page.open("data:text/html,<title>before</title>")
            subprocess.run([os.path.join(os.environ["SKUA_PATH"], "skuad"), "stop"], check=True, capture_output=True)
            page.open("data:text/html,<title>after</title>")
            self.assertEqual(page.get_title()["title"], "after")

    def test_a_session_is_closed_at_the_end_of_its_block_unless_it_is_kept(self) -> None:
        with session("other") as other:
            for keep in (False, True):
                with session("block", keep=keep) as page:
                    page.open("about:blank")
                self.assertEqual("block" in other.session_list()["sessions"], keep)
            session("block").close()

    def test_notes_are_warnings_or_handed_out(self) -> None:
        notes: list[str] = []
        with session("notes", on_warning=notes.append) as page:
            page.open("data:text/html,<p id=x>x")
            self.assertIsNone(page.get_attr("#x", "nothing")["value"])
            self.assertIn('has no attribute "nothing"', "".join(notes))
        with skua.Session("notes") as page, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            page.open("data:text/html,<p id=x>x")
            page.get_attr("#x", "nothing")
            note = next(w for w in caught if "nothing" in str(w.message))
            self.assertIs(note.category, skua.SkuaWarning)
            self.assertEqual(os.path.basename(note.filename), os.path.basename(__file__))

    def test_a_command_that_waits_for_a_person_is_an_error(self) -> None:
        with session("held", confirm_actions=["click"]) as page:
            page.open('data:text/html,<button onclick="document.title=1">Go</button>')
            held = self.failure(lambda: page.click("button"))
            self.assertEqual(held.code, "confirmation-required")
            self.assertTrue(held.facts["confirmation_id"])
            self.assertEqual(page.get_title()["title"], "")

    def test_what_cannot_be_meant_is_refused_before_anything_is_sent(self) -> None:
        page = cast("Any", session("refused"))
        with self.assertRaises(TypeError):
            page.open("about:blank", wrong=1)
        with self.assertRaises(TypeError):
            session("x", wrong=1)
        with self.assertRaises(TypeError):
            skua.Session("x", task="shop")
        self.assertIn("selector is missing", str(self.failure(lambda: page.get_attr(None, "x"))))

    def test_what_keeps_a_host_from_being_reached_is_said(self) -> None:
        folder = tempfile.mkdtemp(prefix="sk", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder)
        env = {"HOME": folder, "PATH": folder, "SKUA_SOCKET_DIR": folder}

        def said(**options: Any) -> str:
            error = self.failure(lambda: session("x", env=env, **options).get_title())
            self.assertIn(error.code, ("host-unreachable", "usage"))
            return str(error)

        self.assertIn("SKUA_PATH", said())
        self.assertIn("there is no program skuad", said(skuad=folder))
        self.assertIn('namespace "a b"', said(namespace="a b"))
        self.assertIn("too long", said(socket_dir=folder + "/x" * 60))
        for answer, want in ((b"HTTP/1.1 400 Bad Request\r\n\r\n", "not a skua host"), (b"", "may or may not have run")):
            with socket.socket(socket.AF_UNIX) as server:
                path = os.path.join(folder, "skua.socket")
                server.bind(path)
                server.listen()

                def serve(answer: bytes = answer, server: socket.socket = server) -> None:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(1 << 16)
                        connection.sendall(answer)

                thread = threading.Thread(target=serve)
                thread.start()
                self.assertIn(want, said())
                thread.join()
                os.remove(path)

    @unittest.skipUnless(os.environ.get("SKUA_TEST_DEEP"), "it takes a minute, and belongs to the deep tier")
    def test_a_host_that_hangs_is_told_from_one_that_works_for_long(self) -> None:
        with session("long") as page:
            page.open("data:text/html,<title>long</title>")
            page.wait(12_000)
            asyncio.run(skua.AsyncSession("long", on_warning=quiet).wait(12_000))
            with open(os.path.join(os.environ["SKUA_SOCKET_DIR"], "skua.log"), encoding="utf-8") as log:
                pid = int(re.findall(r"host started.*pid=(\d+)", log.read())[-1])
            stop(pid)
            try:
                for call in (page.get_title, lambda: asyncio.run(skua.AsyncSession("long").get_title())):
                    hung = self.failure(call)
                    self.assertEqual(hung.code, "host-unreachable")
                    self.assertIn("does not answer", str(hung))
            finally:
                os.kill(pid, signal.SIGCONT)

    def test_secrets_of_the_environment_stay_here(self) -> None:
        env = {"HOME": "/h", "SKUA_X": "1", "SECRET": "s", "AWS_KEY": "k", "OPENAI_API_KEY": "o", "SHOP_PASSWORD": "p"}
        self.assertEqual(forwarded(env, ["click", "#x=env:SECRET"], False), ["HOME=/h", "SKUA_X=1"])
        self.assertEqual(forwarded(env, ["--provider=browserbase", "open"], False), ["HOME=/h", "SKUA_X=1", "AWS_KEY=k"])
        granted = forwarded(env, ["--grant=pw=env:SHOP_PASSWORD@shop.example"], True)
        self.assertEqual(granted, ["HOME=/h", "SKUA_X=1", "OPENAI_API_KEY=o", "SHOP_PASSWORD=p"])

    def test_frames_are_put_together_from_pieces_of_any_size(self) -> None:
        reply = b"\1\x82\1" + b"x" * 130 + b"\2\1!" + b"\3\1\7"
        for size in range(1, len(reply)):
            frames = Frames()
            got = [frame for at in range(0, len(reply), size) for frame in frames.take(reply[at : at + size])]
            self.assertEqual(got, [(1, b"x" * 130), (2, b"!"), (3, b"\7")])
        with self.assertRaises(ValueError):
            list(Frames().take(b"HTTP/1.1"))


if __name__ == "__main__":
    unittest.main()
