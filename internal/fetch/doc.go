// Package fetch gets documents over HTTP, without a browser, as Markdown if the server has it.
//
// [Client.Read] asks for Markdown. Where a server answers with a page, it looks for the Markdown of that page: at the
// same address with .md behind it, and in the nearest llms.txt. [Client.LLMs] gets the nearest llms.txt or
// llms-full.txt itself. Nothing is sent but the request: no cookies, and nothing of the session's browser.
//
// [Client.Do] sends a request that the caller has built, with the same proxies and certificates.
//
// The package knows neither pages nor commands, and does not turn HTML into anything.
package fetch
