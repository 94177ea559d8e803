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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast
from urllib.parse import quote

import skua
from skua._host import forwarded
from skua._speech import speak
from skua._wire import Frames


def session(name: str, **options: Any) -> skua.Session:
    return skua.Session(name, **options)


SHOP = "data:text/html," + quote(
    "<title>Shop</title><h1>Tea</h1><a href=/x>More</a><button id=b aria-pressed=false "
    "onclick=\"this.setAttribute('aria-pressed',true);p.hidden=false\">Buy</button><p id=p hidden>In the cart</p>"
)


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
            async with skua.AsyncSession("canceled") as page:
                await page.open("data:text/html,<title>still here</title>")
                with self.assertRaises(TimeoutError):
                    await asyncio.wait_for(page.wait("#never", timeout="1m"), 0.2)
                # Which waits for the session's turn.
                self.assertEqual((await page.get_title(timeout=5000))["title"], "still here")

        asyncio.run(run())

    def test_calls_run_beside_each_other(self) -> None:
        async def run() -> list[str]:
            async with skua.AsyncSession("one") as one, skua.AsyncSession("two") as two:
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

    def test_notices_are_in_the_result_at_the_session_and_handed_out(self) -> None:
        told: list[str] = []
        with session("notes", on_notice=told.append) as page:
            page.open("data:text/html,<p id=x>x")
            page.notices()
            result = page.get_attr("#x", "nothing")
            self.assertIsNone(result.value)
            self.assertEqual(result.notices, ['#x has no attribute "nothing"'])
            self.assertEqual(page.notices(), result.notices)
            self.assertEqual(page.notices(), [])
            self.assertIn('#x has no attribute "nothing"', told)
            self.assertIsNone(page.get_attr("#x", "id").notices)

    def test_a_snapshot_is_the_short_text_with_what_refs_stand_for_as_data(self) -> None:
        with session("short") as page:
            page.open(SHOP)
            snap = page.snapshot(interactive=True, boxes=True)
            self.assertRegex(snap.text, r'^page "Shop" data:text/html.* \[tab t1\]\n- h1 "Tea" @e1 ')
            self.assertNotIn("snapshot", snap)
            ref = next(ref for ref, about in snap.refs.items() if about.name == "Buy")
            buy = snap.refs[ref]
            self.assertEqual((buy.role, buy.pressed, buy["pressed"]), ("button", "false", "false"))
            self.assertTrue(buy.box and buy.box.width > 10)
            clicked = page.click("@" + ref, observe=True)
            self.assertRegex(clicked.text or "", "(?s)^✓ Done.*In the cart")
            self.assertRegex(str(clicked.observed), "pressed=true")
            self.assertIsNone(clicked.lifecycle)
            with self.assertRaises(AttributeError):
                cast("Any", clicked).no_such_member  # noqa: B018
            page.evaluate("for (let i = 0; i < 300; i++) document.body.append(Object.assign(document.createElement('button'), {textContent: 'Button ' + i}))")
            whole, cut = (len(page.snapshot(interactive=True, max_chars=most).text) for most in (0, 1000))
            self.assertLess(cut, whole / 3)

    def test_values_are_as_one_expects_them(self) -> None:
        with session("values") as page:
            page.open(SHOP)
            self.assertEqual(page.title(), "Shop")
            self.assertTrue(page.url().startswith("data:"))
            self.assertEqual(page.text("h1"), "Tea")
            self.assertIs(page.is_visible("#p"), False)
            self.assertEqual(page.count("button"), 1)
            self.assertIsNone(page.attr("#b", "nothing"))
            self.assertEqual(page.evaluate("(a, {b}) => a + b", 1, {"b": 2}), 3)
            self.assertEqual(page.evaluate("() => document.title"), "Shop")
            self.assertEqual(page.evaluate("document.title"), "Shop")
            self.assertEqual(page.evaluate("function f() { return 1 }; f() + 1"), 2)
            self.assertIsNone(page.evaluate("undefined"))
            self.assertEqual(page.evaluate("2n ** 64n"), 2**64)
            self.assertEqual(page.eval("x => x", "a").result, "a")
            self.assertEqual(page.screenshot_bytes()[:4], b"\x89PNG")
            folder = tempfile.mkdtemp(prefix="sk", dir="/tmp")
            self.addCleanup(shutil.rmtree, folder)
            file = os.path.join(folder, "page.pdf")
            self.assertEqual(page.pdf_bytes(file)[:5], b"%PDF-")
            self.assertTrue(os.path.exists(file))
            page.scroll_into_view("#b")

    def test_values_with_asyncio(self) -> None:
        async def run() -> tuple[str, bool, Any]:
            async with skua.AsyncSession("values-async") as page:
                await page.open(SHOP)
                return await page.title(), await page.is_visible("#p"), await page.evaluate("a => a", [1])

        self.assertEqual(asyncio.run(run()), ("Shop", False, [1]))

    def test_objects_are_given_as_objects(self) -> None:
        with session("objects") as page:
            page.set_headers({"X-From": "library"})
            page.network_route("http://shop.test/api", body={"name": "x", "list": [1, None]}, header={"X-A": "1", "X-B": "2, 3"})
            page.network_route("http://shop.test/page", body="<title>Shop</title>")
            page.open("http://shop.test/page")
            answer = page.evaluate("async () => { const r = await fetch('/api'); return [await r.json(), r.headers.get('x-b')] }")
            self.assertEqual(answer, [{"name": "x", "list": [1, None]}, "2, 3"])

    def test_errors_speak_of_methods_and_options(self) -> None:
        with session("speech") as page:
            both = self.failure(lambda: page.snapshot(max_tokens=1, max_chars=1))
            self.assertEqual(str(both), "max_tokens and max_chars say the same: give one of them")
            far = self.failure(lambda: page.mouse_wheel(cast("Any", "far")))
            self.assertNotRegex(str(far), "Usage|--")
        said = speak('Take `snapshot -i`, or `get title --tab t1`: "--max-tokens" --max-tokens')
        self.assertEqual(said, 'Take `snapshot(-i)`, or `get_title(tab, t1)`: "--max-tokens" max_tokens')

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
            asyncio.run(skua.AsyncSession("long").wait(12_000))
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
