//go:build linux

package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
)

//go:embed oracle.js
var oracleScript string

// control is something that a person can use.
type control struct {
	Kind   string   `json:"kind"` // native, role, focusable, listener
	Role   string   `json:"role"`
	Names  []string `json:"names"` // what it may be called: not one of them need be its accessible name
	InView bool     `json:"inView"`
	Hidden bool     `json:"hidden"` // from the accessibility tree
	Box    [4]int   `json:"box"`
	HTML   string   `json:"html"`
}

// text is a piece of text that a person sees without scrolling.
type text struct {
	Text   string  `json:"text"`
	Block  int     `json:"block"` // the paragraph that it is a piece of; 0 for one of its own
	Size   float64 `json:"size"`  // of its font
	Hidden bool    `json:"hidden"`
	HTML   string  `json:"html"`
}

// sight is what a person can see and use on a page.
type sight struct {
	Controls []control `json:"controls"`
	Texts    []text    `json:"texts"`
}

// isContent reports whether a page shows enough to be worth measuring.
func (s sight) isContent() bool { return len(s.Controls) > 10 || len(s.Texts) > 20 }

// oracle is a browser that is asked by our own script.
type oracle struct {
	process *chrome.Process
	conn    *cdp.Conn
	session *cdp.Session
}

// viewport is that of both programs by themselves.
var viewport = map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false}

func openOracle(ctx context.Context, browser string) (*oracle, error) {
	process, err := chrome.Launch(ctx, chrome.Options{
		ExecutablePath: browser,
		Headless:       true,
		Args:           []string{"--hide-scrollbars"},
	})
	if err != nil {
		return nil, err
	}
	o := &oracle{process: process, conn: cdp.NewConn(cdp.NewPipe(process.Pipe()))}
	var target struct {
		TargetID string `json:"targetId"`
	}
	err = errors.Join(
		o.conn.Root().Call(ctx, "Target.createTarget", map[string]any{"url": "about:blank", "width": 1280, "height": 720},
			&target),
	)
	if err == nil {
		var attached struct {
			SessionID string `json:"sessionId"`
		}
		err = o.conn.Root().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true},
			&attached)
		o.session = o.conn.Session(attached.SessionID)
	}
	for _, command := range []struct {
		name   string
		params any
	}{{"Page.enable", nil}, {"Runtime.enable", nil}, {"Emulation.setDeviceMetricsOverride", viewport}} {
		if err == nil {
			err = o.session.Call(ctx, command.name, command.params, nil)
		}
	}
	if err != nil {
		return nil, errors.Join(err, o.close(ctx))
	}
	return o, nil
}

func (o *oracle) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(o.conn.Close(), o.process.Close(ctx))
}

// open loads a page and waits until it has settled. Dialogs that it opens are accepted.
func (o *oracle) open(ctx context.Context, address string) error {
	loaded, stop := o.session.Subscribe("Page.loadEventFired")
	defer stop()
	dialogs, deaf := o.session.Subscribe("Page.javascriptDialogOpening")
	defer deaf()
	if err := o.session.Call(ctx, "Page.navigate", map[string]any{"url": address}, nil); err != nil {
		return err
	}
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for {
		select {
		case <-loaded:
			return o.settle(ctx)
		case <-dialogs:
			if err := o.session.Call(ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil); err != nil {
				return err
			}
		case <-limit.C:
			return fmt.Errorf("%s: no load event within 20 s", address)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settling is a script whose promise is kept when the document has not changed for half a second, or after four.
const settling = `new Promise((resolve) => {
	let quiet = setTimeout(resolve, 500);
	const late = setTimeout(resolve, 4000);
	new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(() => { clearTimeout(late); resolve(); }, 500); })
		.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
})`

func (o *oracle) settle(ctx context.Context) error {
	return o.evaluate(ctx, settling, nil)
}

// look runs the oracle's script.
func (o *oracle) look(ctx context.Context) (seen sight, err error) {
	return seen, o.evaluate(ctx, oracleScript, &seen)
}

func (o *oracle) evaluate(ctx context.Context, script string, value any) error {
	var reply struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	reply.Result.Value = value
	err := o.session.Call(ctx, "Runtime.evaluate", map[string]any{
		"expression": script, "returnByValue": true, "awaitPromise": true, "includeCommandLineAPI": true,
	}, &reply)
	if err == nil && reply.ExceptionDetails != nil {
		err = fmt.Errorf("the oracle's script: %s %s", reply.ExceptionDetails.Text,
			reply.ExceptionDetails.Exception.Description)
	}
	return err
}
