package inspector

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
)

// Activity is what a main process is doing.
type Activity string

// The activities that can be told apart.
const (
	Answering Activity = "answering" // it takes scripts
	Busy      Activity = "busy"      // its JavaScript runs and does not return
	Blocked   Activity = "blocked"   // it waits in native code: a native dialog is open, as a rule
	Gone      Activity = "gone"      // its inspector cannot be reached
)

// answerLimit is how long a main process may take to run a script that does nothing, or to pause. It has to report all
// scripts of the app first, and a busy machine may give it no time, which looks like a process that does not answer.
// Only an app that does not answer costs the whole limit.
const answerLimit = 2 * time.Second

// maxFrames bounds a stack.
const maxFrames = 8

// Look finds out what a main process does that does not do its work. Stack is where its JavaScript is, the innermost
// function first, if it is busy. It is paused for a moment then.
func Look(ctx context.Context, address string) (doing Activity, stack []string) {
	ctx, cancel := context.WithTimeout(ctx, 4*answerLimit)
	defer cancel()
	transport, err := cdp.DialWebSocket(ctx, address, nil)
	if err != nil {
		return Gone, nil
	}
	conn := cdp.NewConn(transport)
	defer conn.Close()
	main := conn.Root()
	if !answers(ctx, main) {
		return Blocked, nil
	}
	// Node.js answers in the middle of a loop, too. What runs can be paused; what rests cannot.
	scripts := map[string]string{} // addresses by the script's ID; of the goroutine that handles events
	paused := make(chan []string, 1)
	stop := main.Handle(func(ev cdp.Event) {
		switch ev.Method {
		case "Debugger.scriptParsed":
			var script struct {
				ScriptID string `json:"scriptId"`
				URL      string `json:"url"`
			}
			if cdp.Unmarshal(ev.Params, &script) == nil {
				scripts[script.ScriptID] = script.URL
			}
		case "Debugger.paused":
			select {
			case paused <- frames(ev.Params, scripts):
			default: // once is enough
			}
		}
	})
	defer stop()
	main.Start("Debugger.enable", nil)
	main.Start("Debugger.pause", nil)
	doing = Answering
	select {
	case stack = <-paused:
		doing = Busy
	case <-time.After(answerLimit):
	case <-ctx.Done():
	}
	_ = main.Call(ctx, "Debugger.disable", nil, nil) // which also lets it go on
	return doing, stack
}

func answers(ctx context.Context, main *cdp.Session) bool {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	return main.Call(ctx, "Runtime.evaluate", evaluation{Expression: "0", ReturnByValue: true}, nil) == nil
}

// frames reads the stack of a Debugger.paused event: "spin (main.js:15)".
func frames(event jsonv2.Value, scripts map[string]string) (stack []string) {
	var at struct {
		CallFrames []struct {
			FunctionName string `json:"functionName"`
			Location     struct {
				ScriptID   string `json:"scriptId"`
				LineNumber int    `json:"lineNumber"`
			} `json:"location"`
		} `json:"callFrames"`
	}
	if cdp.Unmarshal(event, &at) != nil {
		return nil
	}
	for _, f := range at.CallFrames[:min(len(at.CallFrames), maxFrames)] {
		name := f.FunctionName
		if name == "" {
			name = "(anonymous)"
		}
		stack = append(stack,
			fmt.Sprintf("%s (%s:%d)", name, path.Base(scripts[f.Location.ScriptID]), f.Location.LineNumber+1))
	}
	return stack
}
