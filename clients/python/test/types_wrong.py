"""What is a mistake for a type checker. It is checked, not run: a mark on a line that is right would be an error, too."""

from __future__ import annotations

import skua


def wrong(page: skua.Session) -> None:
    skua.Session("shop", heeded=True)  # pyright: ignore[reportCallIssue]
    skua.Session("shop", color_scheme="green")  # pyright: ignore[reportArgumentType]
    page.open(5)  # pyright: ignore[reportArgumentType]
    page.click()  # pyright: ignore[reportCallIssue]
    page.click("@e2", button="upper")  # pyright: ignore[reportArgumentType]
    page.click("@e2", buton="left")  # pyright: ignore[reportCallIssue]
    page.click("@e2", "@e3")  # pyright: ignore[reportCallIssue]
    page.set_viewport("800", 600)  # pyright: ignore[reportArgumentType]
    page.scroll("sideways")  # pyright: ignore[reportArgumentType]
    page.clack("@e2")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    page.click("@e2").title  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    page.get_box("@e2").depth  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    page.set_headers(5)  # pyright: ignore[reportArgumentType]
    page.title().title_  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    skua.SkuaError("ref-stail", "")  # pyright: ignore[reportArgumentType]


async def wrong_asynchronous(page: skua.AsyncSession) -> None:
    await page.open(5)  # pyright: ignore[reportArgumentType]
    page.open("https://example.com").title  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
