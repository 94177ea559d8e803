package inspector

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

//go:embed js/pages.js
var pagesScript string

// leaveLimit bounds the leave from an app that may not answer.
const leaveLimit = time.Second

// pages carries the protocol of an app's pages through its main process.
type pages struct {
	process *Process
	// the name of the function through which messages leave the main process; all that inspect it hear of a name that they
	// share
	binding string
	take    string // the id of the function in the main process that takes messages
	events  <-chan jsonv2.Value
	cancel  func()
	closing sync.Once
}

// DialPages connects to the pages of an app through the inspector of its main process at an address, for an app that
// was started without a debugging port. The connection is like that of a debugging port, and ends when the page that
// carries it is closed: another call finds another page.
func DialPages(ctx context.Context, address string) (cdp.Transport, error) {
	process, err := Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	t := &pages{process: process, binding: "pages" + rand.Text()}
	t.events, t.cancel = process.conn.Root().Subscribe("Runtime.bindingCalled")
	if err := t.open(ctx); err != nil {
		t.cancel()
		process.Close()
		return nil, err
	}
	return t, nil
}

// hasPages reports whether the app has pages. It changes nothing: what follows it would end an app that is not ready.
const hasPages = "(load) => load('electron').app.isReady() && " +
	"load('electron').webContents.getAllWebContents().length > 0"

func (t *pages) open(ctx context.Context) error {
	root := t.process.conn.Root()
	var has bool
	if err := t.process.call(ctx, hasPages, nil, &has); err != nil {
		return err
	}
	if !has {
		return noPages()
	}
	if _, err := root.CallRaw(ctx, "Runtime.addBinding", map[string]string{"name": t.binding}); err != nil {
		return err
	}
	take, err := t.process.ask(ctx, "Runtime.evaluate", evaluation{
		Expression: fmt.Sprintf("(%s)(require, %q)", functionOf(pagesScript), t.binding), CommandLineAPI: true,
	})
	if t.take = take.Object; err == nil && t.take == "" {
		err = noPages()
	}
	return err
}

func noPages() error {
	return fault.New(fault.AppUnsuitable, "it has no window yet, or debugs all of its windows itself")
}

// Read returns the next message of a page.
func (t *pages) Read() ([]byte, error) {
	for event := range t.events {
		var called struct {
			Name    string `json:"name"`
			Payload string `json:"payload"`
		}
		switch {
		case cdp.Unmarshal(event, &called) != nil || called.Name != t.binding:
		case called.Payload == "":
			return nil, io.EOF
		default:
			return []byte(called.Payload), nil
		}
	}
	return nil, io.EOF
}

// handOver holds the parameters of Runtime.callFunctionOn with a message.
type handOver struct {
	Object   string      `json:"objectId"`
	Function string      `json:"functionDeclaration"`
	Args     []argOfCall `json:"arguments"`
	Silent   bool        `json:"silent"`
}

type argOfCall struct {
	Value string `json:"value"`
}

func (t *pages) handOver(message string) handOver {
	return handOver{
		Object:   t.take,
		Function: "function(message) { this(message) }",
		Args:     []argOfCall{{message}},
		Silent:   true,
	}
}

// Write sends a message to a page.
func (t *pages) Write(msg []byte) error {
	if err := t.process.conn.Err(); err != nil {
		return err
	}
	t.process.conn.Root().Start("Runtime.callFunctionOn", t.handOver(string(msg)))
	return nil
}

// Close leaves the pages and the main process.
func (t *pages) Close() error {
	t.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), leaveLimit)
		defer cancel()
		// an app that has ended, or hangs, is left all the same
		_, _ = t.process.conn.Root().CallRaw(ctx, "Runtime.callFunctionOn", t.handOver(""))
		t.cancel()
		t.process.Close()
	})
	return nil
}
