package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// judge compares what a command said with what the page saw. It names the outcome, and what is untrue in the reply.
func (a truthAct) judge(reply session.Reply, before, after truthSeen) (outcome, wrong string) {
	was, is := before.Controls[a.on.id], after.Controls[a.on.id]
	told := sessiontest.Notes(reply) != ""
	a.bound = a.bound && (was.Enabled && !was.Covered || a.on.when != "")
	done, could := false, a.bound
	switch a.verb {
	case "click":
		return a.judgeClick(reply, after)
	case "hover":
		// What is drawn again under a pointer that was there already gets a move and no mouseover, and is not hovered once it
		// is drawn again after that.
		done = len(after.to(a.on, "mouseover")) > 0 || len(after.to(a.on, "mousemove")) > 0 || is.Hovered
	case "focus":
		done = len(after.to(a.on, "focusin")) > 0 || is.Focused
		could = could && isFocusable(a.on)
	case "press":
		done = pressed(after, a.text) || a.popup
		could = true
	case "type":
		done = typed(after, a.on) == a.text
		if reply.Err == nil && !told && !strings.HasSuffix(is.Value, a.text) && !a.leaves() {
			return "type", fmt.Sprintf("it typed, and does not say that the field shows %q", is.Value)
		}
		if told && a.on.on == "focusin:pass" {
			done = true // the keys went where the page took them
		}
		if code, facts := codeOf(reply.Err); code == fault.ValueNotKept {
			return "type: value-not-kept", a.judgeNotKept(facts, is)
		}
	case "fill":
		// which has steps and bounds
		done = is.Value == a.text || told && (sameText(is.Value, a.text) || a.on.kind == "slider")
		// what was marked to be replaced is lost with each new element
		could = could && a.fits() && a.on.when != "redrawn"
		if a.leaves() {
			done = done || told
		}
	case "check":
		done = is.Checked == fmt.Sprint(a.want)
		// What has another element in its place when the button comes up is toggled by no click.
		could = could && !slices.Contains([]string{"click:prevent", "mousedown:redraw"}, a.on.on)
	case "select":
		done = slices.Equal(is.Chosen, []string{a.text})
		could = could && a.text != "mauve"
		if reply.Err == nil && a.on.kind != "listbox" && is.Open {
			return "select", "it chose, and left the list open over the page"
		}
	case "is visible":
		return "is visible", a.judgeAnswer(reply, fmt.Sprint(is.Shown), fmt.Sprint(was.Shown))
	case "value":
		return "value", a.judgeAnswer(reply, is.Value, was.Value)
	case "wait":
		// What comes to be so while it waits, or just after, may be told either way.
		done = is.Shown == a.want || was.Shown == a.want
		could = is.Shown == a.want && was.Shown == a.want
		if reply.Err != nil && !could {
			return "wait: timeout", ""
		}
	default:
		return a.verb, "no rule judges this"
	}
	return a.verdict(reply, done, could)
}

// verdict reports whether a reply is true, given the action.
func (a truthAct) verdict(reply session.Reply, done, could bool) (outcome, wrong string) {
	code, _ := codeOf(reply.Err)
	switch {
	case reply.Err == nil && !done:
		wrong = "a success that did not happen"
	case reply.Err == nil:
		return a.verb + ": done", ""
	case code == fault.Timeout && a.verb != "wait":
		wrong = "" // it says that it is unknown
	case code == fault.TargetMissed && a.verb == "hover" && !done:
		wrong = "" // seen once in some thousand runs on a busy machine, and told as it is: something else got the pointer
	case done && could:
		wrong = "a failure that did happen"
	case could:
		wrong = "a failure of what a person could do"
	}
	return a.verb + ": " + string(code), wrong
}

func (a truthAct) judgeClick(reply session.Reply, after truthSeen) (outcome, wrong string) {
	clicks, downs := len(after.to(a.on, "click")), len(after.to(a.on, "mousedown"))
	elsewhere := len(after.elsewhere(a.on, "click"))
	code, facts := codeOf(reply.Err)
	if reply.Err == nil {
		received := a.received(reply)
		switch {
		case clicks >= a.clicks && elsewhere == 0:
			return "click: done", ""
		case downs > 0 && (received != "" || sessiontest.Notes(reply) != ""):
			return "click: done with the press", ""
		}
		return "click: done", fmt.Sprintf("a success that did not happen: %d clicks on it, %d elsewhere", clicks, elsewhere)
	}
	outcome = "click: " + string(code)
	switch {
	case code == fault.Timeout:
		return outcome, ""
	case clicks > 0:
		return outcome, "a failure that did happen"
	case downs > 0 && facts["received"] == nil:
		return outcome, "a failure that pressed, and does not say so"
	case a.bound:
		return outcome, "a failure of what a person could do"
	}
	return outcome, ""
}

// judgeAnswer compares what a command that reads said with what was so before or after it.
func (a truthAct) judgeAnswer(reply session.Reply, so ...string) string {
	if reply.Err != nil {
		return "a failure of what can be read"
	}
	if !slices.Contains(so, reply.Result.Text) {
		return fmt.Sprintf("it is %q", so)
	}
	return ""
}

// judgeNotKept judges an error about a text whose keys all came, and which the field does not show: what is redrawn in
// the midst of it has its caret at the start, for a person as well.
func (a truthAct) judgeNotKept(facts map[string]any, is truthState) string {
	switch {
	case strings.HasSuffix(is.Value, a.text) && !a.leaves():
		return "a failure that did happen"
	case facts["seen"] != is.Value:
		return fmt.Sprintf("it says that the field shows %q, which shows %q", facts["seen"], is.Value)
	}
	return ""
}

// leaves reports whether a control puts something else in its place, or gives its focus away.
func (a truthAct) leaves() bool { return a.on.on == "focusin:pass" }

// fits reports whether a field takes the text.
func (a truthAct) fits() bool {
	switch {
	case a.on.on == "beforeinput:digits":
		return notDigits.ReplaceAllString(a.text, "") == a.text
	case a.on.on == "input:refuse":
		return false
	case a.on.kind == "short":
		return len(a.text) <= 4
	case a.on.kind == "number":
		return a.text != "seven"
	case a.on.kind == "date":
		return a.text == "2024-02-29"
	case a.on.kind == "slider":
		return a.text == "30"
	}
	return true
}

// isFocusable reports whether a control takes the focus.
func isFocusable(c truthControl) bool {
	return c.kind != "bare" && c.kind != "component" && c.kind != "boxless" && c.kind != "combobox" && c.kind != "widget"
}

// typed is the text whose keys came to a control.
func typed(after truthSeen, c truthControl) string {
	var keys strings.Builder
	for _, e := range after.to(c, "keydown") {
		if len([]rune(e.Key)) == 1 {
			keys.WriteString(e.Key)
		}
	}
	return keys.String()
}

func pressed(after truthSeen, key string) bool {
	if key == "Space" {
		key = " "
	}
	return slices.ContainsFunc(after.Log, func(e truthEvent) bool {
		return e.Type == "keydown" && e.Trusted && e.Key == key
	})
}

// received is what the reply to a click says that the element got instead of it.
func (a truthAct) received(reply session.Reply) string {
	raw, err := json.Marshal(reply.Result.Data)
	if err != nil {
		panic(err) // data of a reply is JSON
	}
	var data pointer.ClickedResult
	if err := json.Unmarshal(raw, &data); err != nil {
		return "" // of another command
	}
	return data.Received
}
