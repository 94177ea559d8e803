// Package cdp is one multiplexed connection to a browser that speaks the Chrome DevTools Protocol.
//
// A [Transport] carries whole messages: [NewPipe] for a browser that we started, [DialWebSocket] for one that another
// program runs. A [Conn] matches replies to calls and hands events to their subscribers; a [Session] is one flat
// protocol session on it, the browser's own being [Conn.Root]. A Session implements the Session interface of cdproto,
// so that the typed commands and events of cdproto work on it. Calls can be pipelined: [Session.Start] and
// [Session.Batch] write without waiting, and a [Pending] waits.
//
//	caller ── Call/Start/Batch ──> writer ──> Transport ──> browser
//	   ^                                                       │
//	   │ reply: straight from the reader to the waiting caller │
//	   └──────────────── reader goroutine <── Transport <──────┘
//	                            │ events: first the session's Tap, then one unbounded queue and one goroutine a subscriber
//	                            └──────────> Handle functions, Subscribe channels
//
// The reader never blocks on a subscriber, so a slow one costs memory and does not delay replies; only a Tap runs on
// the reader itself. Deadlines come from the caller's context. Errors are *fault.Error: Timeout, Canceled, BrowserGone,
// PageGone, or Protocol, which wraps an [*Error].
//
// The package knows the protocol's envelope and nothing of its domains: not targets, pages, frames, nor how a browser
// is started.
package cdp
