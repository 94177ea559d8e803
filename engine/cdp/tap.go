package cdp

import "github.com/chromedp/cdproto/cdp/jsonv2"

// Tap sets the one function that sees all events of the session on the connection's reader, before any later reply is handed out: who
// has a reply has seen every event that the browser sent before it. fn must not block and must not wait for a call. Events that came
// before Tap are not seen; set it before the reply that the session's first command brings.
func (s *Session) Tap(fn func(Event)) { s.events.tap.Store(&fn) }

// Unmarshal decodes JSON of the browser's, which may hold text that is not valid UTF-8.
func Unmarshal(raw jsonv2.Value, v any) error { return jsonv2.Unmarshal(raw, v, options) }
