package chrome

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// peer speaks just enough CDP over a pipe to see that a browser works: one call at a time.
type peer struct {
	r  *bufio.Reader
	w  io.Writer
	id int
}

type message struct {
	ID        int
	Method    string
	SessionID string
	Params    json.RawMessage
	Result    json.RawMessage
	Error     *struct{ Message string }
}

func newPeer(p *Process) *peer {
	r, w := p.Pipe()
	return &peer{r: bufio.NewReader(r), w: w}
}

func (p *peer) read() (message, error) {
	var m message
	raw, err := p.r.ReadBytes(0)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(raw[:len(raw)-1], &m)
}

// call sends a command and returns its result; events that come before it are dropped.
func (p *peer) call(method string, params map[string]any, session string) (map[string]any, error) {
	p.id++
	command := map[string]any{"id": p.id, "method": method, "params": params}
	if params == nil {
		command["params"] = map[string]any{}
	}
	if session != "" {
		command["sessionId"] = session
	}
	raw, err := json.Marshal(command)
	if err != nil {
		return nil, err
	}
	if _, err := p.w.Write(append(raw, 0)); err != nil {
		return nil, err
	}
	for {
		m, err := p.read()
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", method, err)
		case m.ID != p.id:
			continue
		case m.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		var result map[string]any
		return result, json.Unmarshal(m.Result, &result)
	}
}

// event returns the next event of this name.
func (p *peer) event(method string) (message, error) {
	for {
		if m, err := p.read(); err != nil || m.Method == method {
			return m, err
		}
	}
}

// open opens a page in a browser context of its own and waits for its load event. It returns the page's session.
func (p *peer) open(url string) (string, error) {
	context, err := p.call("Target.createBrowserContext", nil, "")
	if err != nil {
		return "", err
	}
	target, err := p.call("Target.createTarget",
		map[string]any{"url": "about:blank", "browserContextId": context["browserContextId"]}, "")
	if err != nil {
		return "", err
	}
	attached, err := p.call("Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true}, "")
	if err != nil {
		return "", err
	}
	session := attached["sessionId"].(string)
	if _, err := p.call("Page.enable", nil, session); err != nil {
		return "", err
	}
	if _, err := p.call("Page.navigate", map[string]any{"url": url}, session); err != nil {
		return "", err
	}
	_, err = p.event("Page.loadEventFired")
	return session, err
}

// eval evaluates an expression in a page and returns its value.
func (p *peer) eval(session, expression string) (any, error) {
	result, err := p.call("Runtime.evaluate",
		map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, session)
	if err != nil {
		return nil, err
	}
	if thrown, ok := result["exceptionDetails"]; ok {
		return nil, fmt.Errorf("%s threw %v", expression, thrown)
	}
	return result["result"].(map[string]any)["value"], nil
}
