package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/internal/fault"
)

// blocked runs a script that a dialog stops, and returns where its value comes when the dialog is answered.
func blocked(t *testing.T, p *engine.Page, script string) <-chan string {
	t.Helper()
	watched, stop := p.Watch(timed(t, limit), true)
	defer stop()
	value := make(chan string, 1)
	go func() { // ends with the answer
		v, err := p.Evaluate(timed(t, limit), script)
		if err != nil {
			v.JSON = []byte(err.Error())
		}
		value <- string(v.JSON)
	}()
	<-watched.Done()
	require.Equal(t, fault.DialogOpen, fault.CodeOf(context.Cause(watched)))
	return value
}

func TestDialogsThatAskNothing(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t,
		`<title>Main</title><script>addEventListener("beforeunload", e => { if (window.dirty) e.preventDefault() })</script>`)
	require.Equal(t, "0", eval(t, p, `alert("one"); alert("two"); 0`))
	require.Nil(t, p.Dialogs().Open())
	taken, more := p.Dialogs().Take()
	require.Zero(t, more)
	require.Equal(t, []dialogs.Dialog{
		{Type: "alert", Message: "one", URL: s.URL + "/", Answered: true, Accepted: true},
		{Type: "alert", Message: "two", URL: s.URL + "/", Answered: true, Accepted: true},
	}, taken)
	taken, _ = p.Dialogs().Take()
	require.Empty(t, taken)

	eval(t, p, "window.dirty = true")
	require.Equal(t, s.URL+"/?next", open(t, p, s.URL+"/?next").URL)
	left, _ := p.Dialogs().Take()
	require.Len(t, left, 1)
	require.Equal(t, "beforeunload", left[0].Type)

	eval(t, p, `for (let i = 0; i < 50; i++) alert(i); 0`)
	taken, more = p.Dialogs().Take()
	require.Len(t, taken, 20, "a page does not fill our memory")
	require.Equal(t, 30, more)
}

func TestDialogsThatAsk(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<title>Main</title>")
	for _, tc := range []struct {
		name, script string
		want         dialogs.Dialog
		accept       bool
		text         string
		value        string
	}{
		{"confirm accepted", `confirm("sure?")`, dialogs.Dialog{Type: "confirm", Message: "sure?"}, true, "", "true"},
		{"confirm dismissed", `confirm("sure?")`, dialogs.Dialog{Type: "confirm", Message: "sure?"}, false, "", "false"},
		{
			"prompt answered", `prompt("name?", "Ann")`,
			dialogs.Dialog{Type: "prompt", Message: "name?", DefaultPrompt: "Ann"},
			true, "Bob", `"Bob"`,
		},
		{
			"prompt answered with nothing", `prompt("name?", "Ann")`,
			dialogs.Dialog{Type: "prompt", Message: "name?", DefaultPrompt: "Ann"},
			true, "", `""`,
		},
		{"prompt dismissed", `prompt("name?")`, dialogs.Dialog{Type: "prompt", Message: "name?"}, false, "ignored", "null"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			value := blocked(t, p, tc.script)
			tc.want.URL = s.URL + "/"
			require.Equal(t, &tc.want, p.Dialogs().Open())
			require.NoError(t, p.Dialogs().Answer(timed(t, limit), tc.accept, tc.text))
			require.Nil(t, p.Dialogs().Open())
			require.Equal(t, tc.value, receive(t, value))
			taken, _ := p.Dialogs().Take()
			require.Empty(t, taken)
		})
	}
	err := p.Dialogs().Answer(timed(t, limit), true, "")
	require.Equal(t, fault.NoDialog, fault.CodeOf(err))
}

func TestDialogPolicyKeepsAlerts(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<title>Main</title>")
	p.Context().DialogPolicies().Set(dialogs.Policy{Answer: dialogs.Keep})
	value := blocked(t, p, `alert("wait"); 7`)
	require.Equal(t, "alert", p.Dialogs().Open().Type)
	require.NoError(t, p.Dialogs().Answer(timed(t, limit), true, ""))
	require.Equal(t, "7", receive(t, value))
	p.Context().DialogPolicies().Set(dialogs.Policy{})
	require.Equal(t, "8", eval(t, p, `alert("go on"); 8`))
}

// A dialog of a frame in another process is a dialog of the page.
func TestDialogOfFrame(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/":      `<title>Main</title><iframe src="{a}/frame"></iframe>`,
		"/frame": `<script>onmessage = () => parent.postMessage(confirm("frame?"), "*")</script>`,
	})
	p := newPage(t)
	open(t, p, s.URL+"/")
	value := blocked(t, p, `new Promise(done => { onmessage = e => done(e.data); frames[0].postMessage("", "*") })`)
	require.Equal(t, s.At("a")+"/frame", p.Dialogs().Open().URL)
	require.NoError(t, p.Dialogs().Answer(timed(t, limit), true, ""))
	require.Equal(t, "true", receive(t, value))
}

// A tab with an open dialog can be closed.
func TestCloseWithDialog(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<title>Main</title>")
	value := blocked(t, p, `confirm("sure?")`)
	require.NoError(t, p.Close(timed(t, limit)))
	require.Equal(t, fault.PageGone, fault.CodeOf(p.Err()))
	require.NotEmpty(t, receive(t, value))
	require.Nil(t, p.Dialogs().Open())
}
