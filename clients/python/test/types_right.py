"""What is right for a type checker. It is checked, not run."""

from __future__ import annotations

import skua
from skua.types import SnapshotData


def waiting() -> None:
    with skua.Session("shop", headed=True, timeout="10s", extension=["a", "b"], color_scheme="dark") as page:
        opened = page.open("https://example.com", wait_until="load")
        title: str = opened.title
        launched: bool = page.open().launched
        snap: SnapshotData = page.snapshot(interactive=True, timeout=5000)
        name: str = snap.refs["e1"].name
        changes = page.snapshot(delta=True).snapshot.base_revision
        clicked = page.click("@e2", button="right")
        went = clicked.effect and clicked.effect.navigation
        page.click(at="10,20")
        tab: str = page.click("@e2", new_tab=True).tab_id
        box: float = page.get_box("@e2").width
        page.wait(500)
        url: str = page.wait(url="*/done").url
        page.select("@e3", ["red", "green"])
        page.set_viewport(800, 600)
        failed: str | None = page.batch(input='[["back"]]')[0].error
        launches: bool = bool(clicked.lifecycle and clicked.lifecycle.launched)
        error = skua.SkuaError("ref-stale", "gone")
        code: skua.ErrorCode = error.code
        text: str = snap.text
        pressed: str | None = snap.refs["e1"].pressed
        heading: str = page.title()
        visible: bool = page.is_visible("#x")
        png: bytes = page.screenshot_bytes()
        page.evaluate("(a, b) => a + b", 1, 2)
        page.set_headers({"X-A": "1"})
        page.network_route("*", body={"a": 1}, header={"X-A": "1"})
        notices: list[str] = page.notices()
        print(text, pressed, heading, visible, png, notices, title, launched, name, changes, went, tab, box, url, failed, launches, code, error.hint)


async def asynchronous() -> None:
    async with skua.AsyncSession("shop", serve="http://127.0.0.1:9224", task="shop") as page:
        title: str = (await page.open("https://example.com")).title
        url: str = (await page.wait(url="*/done")).url
        print(title, url)
