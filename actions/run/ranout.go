package run

import (
	"errors"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

const (
	// signLead is how long before a command's end its page is asked for a sign of life, at most half of its time. Who has
	// time left is not asked.
	signLead = time.Second

	// busySilence is from when on a page that owes one is called busy.
	busySilence = 200 * time.Millisecond
)

// watchLife asks the page of a command for a sign of life shortly before the deadline, so that the error can say
// whether the page answers.
func watchLife(c *actions.Call) (stop func()) {
	if c.Deadline.IsZero() || c.Command().Effect.Has(actions.NoBrowser) {
		return func() {}
	}
	left := c.TimeLeft()
	timer := time.AfterFunc(left-min(signLead, left/2), func() {
		if _, tab := c.Tabs.All(); tab != nil {
			engine.AskForSign(tab.Page)
		}
	})
	return func() { timer.Stop() }
}

// ranOut explains why a command did not end in time, if the error only names the protocol call that got no reply.
func ranOut(c *actions.Call, err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Code != fault.Timeout || f.Facts["navigating"] != nil || f.Facts["waitsFor"] != nil {
		return err
	}
	_, tab := c.Tabs.All()
	if tab == nil {
		return err
	}
	_, ofProtocol := f.Facts["method"]
	if held := engine.Departing(tab.Page); held != nil && (ofProtocol || f.Hint == "") {
		e := held.Err()
		switch a := Of(c); {
		case !ofProtocol:
			e.Message = strings.TrimSuffix(f.Message, ".") + "; " + e.Message
		case a != nil && a.begun:
			e.Message = "`" + c.Name() + "` was sent to the page, and not over in its time: " + e.Message
		}
		for key, value := range f.Facts {
			e.With(key, value)
		}
		return e
	}
	if silence := engine.Silence(tab.Page); silence >= busySilence {
		e := fault.New(fault.Timeout, "the page does not answer: a script, or its layout, has kept it busy for more than %s",
			silence.Round(100*time.Millisecond)).
			WithHint(
				"Give it time with --timeout; `open <url>` ends the script and goes elsewhere, and `tab close` ends the page.").
			With("waitsFor", "page")
		if !ofProtocol {
			e.Message = strings.TrimSuffix(f.Message, ".") + "; " + e.Message
		}
		e.Err = err
		for key, value := range f.Facts {
			e.With(key, value)
		}
		return e
	}
	if ofProtocol {
		e := fault.New(fault.Timeout, "`%s` was not done within %s: %s", c.Name(), c.Waited().Round(time.Millisecond),
			f.Message).WithHint("Raise --timeout.")
		e.Err, e.Facts = err, f.Facts
		return e
	}
	return err
}
