package inspector

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

const (
	dialLimit  = 5 * time.Second       // of the way to an inspector, which is on this machine
	startPause = 20 * time.Millisecond // between two looks at an app that is starting, for which there is no event
)

// Process is the main process of an app, as its inspector shows it. Its methods may be called from several goroutines.
type Process struct{ conn *cdp.Conn }

// started is a script that is true once the app's own code is loaded. It touches nothing that Node.js makes when it is
// first asked for: the inspector listens before Node.js has started, and a require at that time breaks the app. A
// script also runs in the middle of the app's own, which may be loading a module of Electron then. An app of ES modules
// has no main module, and has started after a while.
const started = `typeof process === "object" && process.type === "browser" && (process.mainModule?.loaded === true || process.uptime() > 3)`

// Dial connects to an inspector at its WebSocket address, and waits until the app's code is loaded. The caller closes
// the process.
func Dial(ctx context.Context, address string) (*Process, error) {
	ctx, cancel := context.WithTimeout(ctx, dialLimit)
	defer cancel()
	transport, err := cdp.DialWebSocket(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	p := &Process{conn: cdp.NewConn(transport)}
	if err := p.awaitStart(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Process) awaitStart(ctx context.Context) error {
	for {
		is, err := p.ask(ctx, "Runtime.evaluate", evaluation{Expression: started, ReturnByValue: true})
		if err != nil || string(is.Value) == "true" {
			return err
		}
		if err := pause.For(ctx, startPause); err != nil {
			return err
		}
	}
}

// Close ends the connection. The app goes on.
func (p *Process) Close() { _ = p.conn.Close() }

// lendRequire makes require global as long as a script runs: the inspector takes its own away at the first await.
const lendRequire = `(load) => {
	const own = Object.getOwnPropertyDescriptor(globalThis, 'require');
	if (own && own.value !== load) return false; // the app's own
	globalThis.require = load; // which the inspector notices, so that it leaves it there
	return true;
}`

// Evaluate runs a script in the main process and returns the JSON of its value, or of what its promise resolves to. The
// script may use require, also in an app of ES modules, and await. Its error is EvalFailed if the script threw.
func (p *Process) Evaluate(ctx context.Context, script string) (json.RawMessage, error) {
	// With replMode a script may use await and declare names again. A promise that it ends with is awaited below.
	var lent bool
	if err := p.call(ctx, lendRequire, nil, &lent); err != nil {
		return nil, err
	}
	if lent {
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveLimit)
			defer cancel()
			_ = p.call(ctx, "() => { delete globalThis.require }", nil, nil) // a process that hangs keeps it
		}()
	}
	value, err := p.ask(ctx, "Runtime.evaluate", evaluation{
		Expression:     script,
		CommandLineAPI: true,
		ReplMode:       true,
		AwaitPromise:   true,
	})
	if err != nil || value.Object == "" {
		return value.json(), err
	}
	if value.Subtype == "promise" {
		value, err = p.ask(ctx, "Runtime.awaitPromise", awaiting{value.Object, true})
	} else {
		value, err = p.ask(ctx, "Runtime.callFunctionOn", callOn{
			Object:        value.Object,
			Function:      "function() { return this }",
			ReturnByValue: true,
		})
	}
	return value.json(), err
}

// functionOf returns the function that a module of ours exports.
func functionOf(module string) string {
	return strings.TrimSuffix(strings.TrimSpace(strings.Replace(module, "export default ", "", 1)), ";")
}

// call runs the function that a module of ours exports with an argument, and decodes what it returns, or what its
// promise resolves to.
func (p *Process) call(ctx context.Context, module string, arg, result any) error {
	given, err := json.Marshal(arg)
	if err != nil {
		return err
	}
	value, err := p.ask(ctx, "Runtime.evaluate", evaluation{
		Expression:     fmt.Sprintf("(%s)(require, %s)", functionOf(module), given),
		CommandLineAPI: true,
		AwaitPromise:   true,
		ReturnByValue:  true,
	})
	if err != nil || result == nil {
		return err
	}
	return json.Unmarshal(value.json(), result)
}

// evaluation holds the parameters of Runtime.evaluate.
type evaluation struct {
	Expression     string `json:"expression"`
	CommandLineAPI bool   `json:"includeCommandLineAPI"` // has require
	ReplMode       bool   `json:"replMode"`
	AwaitPromise   bool   `json:"awaitPromise"`
	ReturnByValue  bool   `json:"returnByValue"`
}

// awaiting holds the parameters of Runtime.awaitPromise.
type awaiting struct {
	Promise       string `json:"promiseObjectId"`
	ReturnByValue bool   `json:"returnByValue"`
}

// callOn holds the parameters of Runtime.callFunctionOn.
type callOn struct {
	Object        string `json:"objectId"`
	Function      string `json:"functionDeclaration"`
	ReturnByValue bool   `json:"returnByValue"`
}

// remote is Runtime.RemoteObject, the parts that are used.
type remote struct {
	Subtype string          `json:"subtype"`
	Object  string          `json:"objectId"`
	Value   json.RawMessage `json:"value"`
	Special string          `json:"unserializableValue"` // NaN, Infinity or a bigint, for which JSON has no form
}

func (r remote) json() json.RawMessage {
	switch {
	case r.Special != "":
		return json.RawMessage(strconv.Quote(r.Special))
	case r.Value == nil: // undefined
		return json.RawMessage("null")
	}
	return r.Value
}

// ask sends a command whose reply has a value or an exception.
func (p *Process) ask(ctx context.Context, method string, params any) (remote, error) {
	var reply struct {
		Result    remote     `json:"result"`
		Exception *exception `json:"exceptionDetails"`
	}
	if err := p.conn.Root().Call(ctx, method, params, &reply); err != nil {
		return remote{}, err
	}
	if reply.Exception != nil {
		return remote{}, reply.Exception.fault()
	}
	return reply.Result, nil
}

// exception is Runtime.ExceptionDetails, the parts that are used.
type exception struct {
	Text      string `json:"text"`
	Exception struct {
		Description string          `json:"description"`
		Value       json.RawMessage `json:"value"`
	} `json:"exception"`
}

func (e *exception) fault() error {
	text := e.Exception.Description
	if text == "" {
		text = e.Text + " " + string(e.Exception.Value)
	}
	return fault.New(fault.EvalFailed, "%s", text)
}
