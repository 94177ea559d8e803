package engine

// ConsoleWatch hears of messages as they are logged, while the context listens to its pages.
type ConsoleWatch struct {
	console *console
	ready   chan struct{} // holds a token when there is something to take

	// Guarded by console.mu.
	entries []consoleEntry
	dropped int
}

// maxWatchedMessages is how many messages a watch keeps for who is slow to take them.
const maxWatchedMessages = 200

// WatchConsole returns a watch on the messages of the context's pages, to be ended with Stop. It does not turn the listening on.
func (c *Context) WatchConsole() *ConsoleWatch {
	w := &ConsoleWatch{console: &c.console, ready: make(chan struct{}, 1)}
	c.console.mu.Lock()
	defer c.console.mu.Unlock()
	if c.console.watches == nil {
		c.console.watches = map[*ConsoleWatch]struct{}{}
	}
	c.console.watches[w] = struct{}{}
	return w
}

// Listens reports whether the context listens to what its pages log, which it does from the first question on.
func (c *Context) Listens() bool { return c.Stands(consoleKey) }

// Ready has a token when there is something to take.
func (w *ConsoleWatch) Ready() <-chan struct{} { return w.ready }

// Take returns the messages since the last time, and how many were lost meanwhile.
func (w *ConsoleWatch) Take() (messages []ConsoleMessage, dropped int) {
	w.console.mu.Lock()
	entries, dropped := w.entries, w.dropped
	w.entries, w.dropped = nil, 0
	w.console.mu.Unlock()
	for _, e := range entries {
		if m, ok := e.message(); ok {
			messages = append(messages, m)
		}
	}
	return messages, dropped
}

// Stop ends the watch.
func (w *ConsoleWatch) Stop() {
	w.console.mu.Lock()
	defer w.console.mu.Unlock()
	delete(w.console.watches, w)
}

// watchedLocked gives a message to those who watch. The caller holds c.mu, on the connection's reader.
func (c *console) watchedLocked(e *consoleEntry) {
	for w := range c.watches {
		if len(w.entries) >= maxWatchedMessages {
			w.entries = w.entries[1:]
			w.dropped++
		}
		w.entries = append(w.entries, *e)
		select {
		case w.ready <- struct{}{}:
		default:
		}
	}
}
