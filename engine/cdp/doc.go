// Package cdp is one multiplexed connection to a browser that speaks the Chrome DevTools Protocol.
//
// A [Transport] carries whole messages: [NewPipe] for a browser that we started, [DialWebSocket] for one that somebody else runs. A
// [Conn] matches replies to calls and hands events to their subscribers; a [Session] is one flat protocol session on it, the browser's own
// being [Conn.Root]. A Session implements the Session interface of cdproto, so that the typed commands and events of cdproto work on it.
// Calls can be pipelined: [Session.Start] and [Session.Batch] write without waiting, and a [Pending] waits.
//
//	caller ── Call/Start/Batch ──> writer ──> Transport ──> browser
//	   ^                                                       │
//	   │ reply: straight from the reader to the waiting caller │
//	   └──────────────── reader goroutine <── Transport <──────┘
//	                            │ events: first the session's Tap, then one unbounded queue and one goroutine a subscriber
//	                            └──────────> Handle functions, Subscribe channels
//
// The reader waits for nobody, so a slow subscriber costs memory and never delays a reply; only a Tap runs on the reader itself. Every deadline is the one of the caller's
// context. Errors are *fault.Error: Timeout, Canceled, BrowserGone, PageGone, or Protocol with an [*Error] behind it.
//
// The package knows the protocol's envelope and nothing of its domains: not targets, pages, frames, nor how a browser is started.
package cdp
