package dialogs_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/monitor"
	"github.com/skua-browser/skua/internal/fault"
)

// page is what dialogs have to know of one.
type page struct {
	state    *monitor.Monitor
	unseen   bool
	left     []string // to the caller, by type
	answered int
	*dialogs.Dialogs
}

func newPage(id string, policies *dialogs.Policies, cause *dialogs.Override) *page {
	p := &page{state: monitor.New(monitor.Owner{Err: func() error { return nil }})}
	p.Dialogs = dialogs.New(dialogs.Owner{
		ID: id, State: p.state, Policies: policies, Cause: cause,
		Unseen:  func() bool { return p.unseen },
		Opened:  func(d *dialogs.Dialog) { p.left = append(p.left, d.Type) },
		Changed: func() {},
		Spawn:   func(func(context.Context)) { p.answered++ },
		Log:     slog.New(slog.DiscardHandler),
	})
	return p
}

// opens has the page open a dialog, and returns it as it was answered, or stays open.
func (p *page) opens(kind string) *dialogs.Dialog {
	d := &dialogs.Dialog{Type: kind, Message: "words", DefaultPrompt: "proposed"}
	p.state.Do(func() { p.OnOpening(d) })
	return d
}

func (p *page) closes(accepted bool) { p.state.Do(func() { p.OnClosed(accepted) }) }

func TestPolicy(t *testing.T) {
	t.Parallel()
	said := "said"
	for _, tt := range []struct {
		name   string
		policy dialogs.Policy
		want   map[string]string // by type: the state of the dialog
	}{
		{
			"default",
			dialogs.Policy{},
			map[string]string{"alert": "accepted", "beforeunload": "accepted", "confirm": "open", "prompt": "open"},
		},
		{
			"accept",
			dialogs.Policy{Answer: dialogs.Accept},
			map[string]string{
				"alert": "accepted", "beforeunload": "accepted", "confirm": "accepted",
				"prompt": "accepted proposed",
			},
		},
		{
			"answer",
			dialogs.Policy{Answer: dialogs.Accept, Text: &said},
			map[string]string{"confirm": "accepted", "prompt": "accepted said"},
		},
		{
			"dismiss",
			dialogs.Policy{Answer: dialogs.Dismiss},
			map[string]string{"alert": "dismissed", "beforeunload": "dismissed", "confirm": "dismissed", "prompt": "dismissed"},
		},
		{
			"keep",
			dialogs.Policy{Answer: dialogs.Keep},
			map[string]string{"alert": "open", "beforeunload": "open", "confirm": "open", "prompt": "open"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for kind, want := range tt.want {
				policies := &dialogs.Policies{}
				policies.Set(tt.policy)
				p := newPage("a", policies, nil)
				d := p.opens(kind)
				got := "open"
				switch {
				case d.Accepted:
					got = "accepted"
				case d.Answered:
					got = "dismissed"
				}
				if d.Text != "" {
					got += " " + d.Text
				}
				require.Equal(t, want, got, kind)
				require.Equal(t, want == "open", p.Open() != nil, kind)
				require.Equal(t, want == "open", policies.Shown(), kind)
				require.Equal(t, want == "open", len(p.left) == 1 && p.answered == 0, kind)
			}
		})
	}
}

// The newest override of a page holds for it, and for the pages that it opens meanwhile, until it ends.
func TestOverride(t *testing.T) {
	t.Parallel()
	policies := &dialogs.Policies{}
	policies.Set(dialogs.Policy{Answer: dialogs.Keep})
	a, b := newPage("a", policies, nil), newPage("b", policies, nil)
	endFirst := a.Override(dialogs.Policy{Answer: dialogs.Accept})
	endSecond := a.Override(dialogs.Policy{Answer: dialogs.Dismiss})
	require.Equal(t, dialogs.Dismiss, a.Policy().Answer)
	require.Equal(t, dialogs.Keep, b.Policy().Answer)
	popup, stray := newPage("p", policies, policies.Cause("a")), newPage("s", policies, policies.Cause(""))
	require.Equal(t, dialogs.Dismiss, popup.Policy().Answer)
	require.Equal(t, dialogs.Dismiss, stray.Policy().Answer, "a page without an opener may be anybody's")
	require.Nil(t, policies.Cause("b"))
	endSecond()
	endSecond()
	require.Equal(t, dialogs.Accept, a.Policy().Answer)
	require.Equal(t, dialogs.Keep, popup.Policy().Answer)
	endFirst()
	require.Equal(t, dialogs.Keep, a.Policy().Answer)
	a.unseen = true
	require.Equal(t, dialogs.Dismiss, a.Policy().Answer, "no user sees it")
}

func TestTake(t *testing.T) {
	t.Parallel()
	p := newPage("a", &dialogs.Policies{}, nil)
	for range 25 {
		p.opens("alert")
		p.closes(true)
	}
	taken, more := p.Take()
	require.Len(t, taken, 20)
	require.Equal(t, 5, more)
	require.True(t, taken[4].Endless)
	require.False(t, taken[3].Endless)
	taken, more = p.Take()
	require.Empty(t, taken)
	require.Zero(t, more)
	require.Equal(t, 25, p.Opened())
	p.state.Do(p.EndRow)
	require.False(t, p.opens("alert").Endless, "something else was done to the page")
}

// A page that never ends asking is not answered for ever.
func TestManyInARow(t *testing.T) {
	t.Parallel()
	p := newPage("a", &dialogs.Policies{}, nil)
	for range 300 {
		p.opens("alert")
		p.closes(true)
	}
	require.Nil(t, p.Open())
	p.opens("alert")
	require.NotNil(t, p.Open())
	require.Equal(t, fault.DialogOpen, p.Open().Err().Code)
}

func TestDeclined(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, kind string
		policy     dialogs.Answer
		accepted   bool
		want       bool
	}{
		{"the caller dismisses", "beforeunload", dialogs.Keep, false, true},
		{"the caller accepts", "beforeunload", dialogs.Keep, true, false},
		{"the policy dismisses", "beforeunload", dialogs.Dismiss, false, true},
		{"another dialog", "confirm", dialogs.Keep, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			policies := &dialogs.Policies{}
			policies.Set(dialogs.Policy{Answer: tt.policy})
			p := newPage("a", policies, nil)
			p.opens(tt.kind)
			p.closes(tt.accepted)
			p.state.Do(func() { require.Equal(t, tt.want, p.Declined() > 0) })
			require.Nil(t, p.Open())
			require.False(t, policies.Shown())
		})
	}
}

func TestAnswerWithoutADialog(t *testing.T) {
	t.Parallel()
	err := newPage("a", &dialogs.Policies{}, nil).Answer(t.Context(), true, "")
	require.Equal(t, fault.NoDialog, fault.CodeOf(err))
}

// A page that goes shows nothing, so that it holds up no other one.
func TestEnd(t *testing.T) {
	t.Parallel()
	policies := &dialogs.Policies{}
	p := newPage("a", policies, nil)
	p.opens("confirm")
	require.True(t, policies.Shown())
	p.state.Do(p.End)
	p.state.Do(p.End)
	require.Nil(t, p.Open())
	require.False(t, policies.Shown())
}
