package runner

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/stretchr/testify/require"
)

func paying() *pcd.Summary {
	s := shop()
	s.URL, s.Title = "https://shop.example/pay", "Pay"
	return s
}

func TestAStepThatCannotBeTakenBackWaits(t *testing.T) {
	t.Parallel()
	thanks := account()
	b := newBench(t, map[string][]answer{
		"click @e2": {{page: thanks}}, "get text body": {{reply: toolbox.Reply{Text: "Total 10 €"}}},
	}, always(plan(atAccount, click("@e3"), click("@e2"))))
	done := b.run(t)
	require.Equal(t, task.AwaitingUser, done.Status)
	require.Equal(t, []string{"click @e3"}, b.session.acts(), "nothing was done before a person said so")
	require.Contains(t, done.Awaiting.What, `dom.click on button "Pay now", on "Shop" (https://shop.example/)`)
	require.Equal(t, toolbox.High, done.Awaiting.Step.Risk)

	b.again(t)
	require.Error(t, b.runner.Confirm("c000000"))
	require.NoError(t, b.runner.Confirm(done.Awaiting.ID))
	done = b.run(t)
	require.Equal(t, task.Succeeded, done.Status, done.Reason)
	require.Equal(t, []string{"click @e3", "click @e2"}, b.session.acts())
	require.Nil(t, done.Awaiting)
	require.Error(t, b.runner.Confirm("c000000"), "it has ended")
}

func TestAConfirmationIsVoid(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(b *bench){
		"another address": func(b *bench) { b.session.page = paying() },
		"another sum": func(b *bench) {
			b.session.says["get text body"] = []answer{{reply: toolbox.Reply{Text: "Total 1000 €"}}}
		},
		"another control": func(b *bench) {
			b.session.says["snapshot -i --no-header"] = []answer{
				{reply: toolbox.Reply{Text: `- textbox "To": mallory [ref=e5]`}},
			}
		},
		"another label":      func(b *bench) { b.session.page.Actions[1].Label = "Pay all" },
		"it is too late":     func(b *bench) { b.clock = b.clock.Add(time.Hour + time.Second) },
		"another page there": func(b *bench) { b.session.page = account() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string][]answer{
				"get text body":           {{reply: toolbox.Reply{Text: "Total 10 €"}}},
				"snapshot -i --no-header": {{reply: toolbox.Reply{Text: `- textbox "To": bob [ref=e5]`}}},
			}, always(plan(nil, click("@e2"))))
			done := b.run(t)
			require.Equal(t, task.AwaitingUser, done.Status)
			b.again(t)
			change(b)
			if err := b.runner.Confirm(done.Awaiting.ID); err == nil {
				require.NoError(t, b.runner.Run(t.Context()))
			}
			require.Equal(t, task.Blocked, b.runner.View.Log.Task.Status)
			require.Contains(t, b.runner.View.Log.Task.Reason, "void")
			require.Empty(t, b.session.acts())
		})
	}
}

func TestAClockOnThePageVoidsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{
		"get text body": {
			{reply: toolbox.Reply{Text: "10:01 Total 10 €"}},
			{reply: toolbox.Reply{Text: "10:02 Total 10 €"}},
		},
		"snapshot -i --no-header": {
			{reply: toolbox.Reply{Text: `- button "Pay now" [ref=e2]`}},
			{reply: toolbox.Reply{Text: `- button "Pay now" [ref=e2] [active]`}},
		},
	}, always(plan(nil, click("@e2"))))
	done := b.run(t)
	b.session.page.TS = 99
	b.again(t)
	require.NoError(t, b.runner.Confirm(done.Awaiting.ID))
	b.run(t)
	require.Equal(t, []string{"click @e2"}, b.session.acts())
}

func TestDenyAndCancelWhileItWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, always(plan(nil, click("@e2"))))
	done := b.run(t)
	b.again(t)
	require.Error(t, b.runner.View.Log.Deny("c000000"))
	require.NoError(t, b.runner.View.Log.Deny(done.Awaiting.ID))
	require.Equal(t, task.Cancelled, b.runner.View.Log.Task.Status)
	require.Empty(t, b.session.acts())
	require.Error(t, b.runner.Confirm(done.Awaiting.ID))
}

func TestAPlannersOwnConfirmAndItsQuestions(t *testing.T) {
	t.Parallel()
	confirm := toolbox.Step{Kind: toolbox.ConfirmStep, Message: "is that right?"}
	b := newBench(t, nil, always(plan(nil, confirm, click("@e3"))),
		always(task.Decision{NeedsUser: &task.NeedsUser{Question: "which one?"}}))
	done := b.run(t)
	require.Equal(t, task.AwaitingUser, done.Status)
	require.Contains(t, done.Awaiting.What, "is that right?")
	b.again(t)
	require.NoError(t, b.runner.Confirm(done.Awaiting.ID))
	done = b.run(t)
	require.Equal(t, []string{"click @e3"}, b.session.acts())
	require.Equal(t, task.AwaitingUser, done.Status)
	require.Equal(t, "which one?", done.Awaiting.Question)
}

func TestWhatARuleHoldsWaits(t *testing.T) {
	t.Parallel()
	held := toolbox.Reply{Held: true, Data: map[string]any{"action": "click", "confirmation_id": "r000001"}}
	b := newBench(t, map[string][]answer{"click @e3": {{reply: held}}}, always(plan(nil, click("@e3"), click("@e1"))))
	done := b.run(t)
	require.Equal(t, task.AwaitingUser, done.Status)
	require.Contains(t, done.Reason, "confirm r000001")
	require.Equal(t, task.StepSkipped, done.History[0].Status)
	require.Equal(t, []string{"click @e3"}, b.session.acts())
	b.again(t)
	require.NoError(t, b.runner.Confirm("r000001"))
	require.Equal(t, task.Failed, b.run(t).Status, "the planner was asked again")
}

func TestRisk(t *testing.T) {
	t.Parallel()
	form := func(purpose string) pcd.Form {
		return pcd.Form{ID: "e20", Purpose: purpose, SubmitID: "e21", SubmitLabel: "Go"}
	}
	for name, tt := range map[string]struct {
		step   toolbox.Step
		action pcd.Action
		form   pcd.Form
		want   toolbox.Risk
	}{
		"a link": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Orders", Role: "link", URL: "/orders"},
			pcd.Form{},
			toolbox.Low,
		},
		"a button": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "More", Role: "button"},
			pcd.Form{},
			toolbox.Medium,
		},
		"to pay": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Pay 10 €", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"to order": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Place your order", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"the orders": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Order history", Role: "button"},
			pcd.Form{},
			toolbox.Medium,
		},
		"to delete by a link": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Delete", Role: "link", URL: "/x"},
			pcd.Form{},
			toolbox.High,
		},
		"to delete by its kind": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "×", Role: "button", Kind: "delete"},
			pcd.Form{},
			toolbox.High,
		},
		"to delete in German": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Konto löschen", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"to send": {
			click("@e1"),
			pcd.Action{ID: "e1", Label: "Send message", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"to send by its form": {
			click("@e21"),
			pcd.Action{ID: "e21", Label: "Go", Role: "button"},
			form("contact"),
			toolbox.High,
		},
		"to search": {
			click("@e21"),
			pcd.Action{ID: "e21", Label: "Go", Role: "button"},
			form("search"),
			toolbox.Medium,
		},
		"to submit a payment": {
			toolbox.Step{Call: call("dom.submit", map[string]any{"selector": "e20"})},
			pcd.Action{},
			form("payment_method"), toolbox.High,
		},
		"to submit a search": {
			toolbox.Step{Call: call("dom.submit", map[string]any{"selector": "e20"})},
			pcd.Action{},
			form("search"), toolbox.Medium,
		},
		"to type": {
			toolbox.Step{Call: call("dom.type", map[string]any{"selector": "e7", "text": "x"})},
			pcd.Action{},
			pcd.Form{},
			toolbox.Medium,
		},
		"to type a secret": {toolbox.Step{
			Secret: "s",
			Call:   call("dom.type", map[string]any{"selector": "e7", "text": ""}),
		}, pcd.Action{}, pcd.Form{}, toolbox.High},
		"what the planner fears": {
			toolbox.Step{
				Risk: toolbox.High,
				Call: call("dom.click", map[string]any{"selector": "e1"}),
			},
			pcd.Action{ID: "e1", Label: "More", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"what it plays down": {
			toolbox.Step{Risk: toolbox.Low, Call: call("dom.click", map[string]any{"selector": "e1"})},
			pcd.Action{ID: "e1", Label: "Buy now", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"by a selector": {
			click(`{"kind":"role","role":"button","name":"Purchase"}`),
			pcd.Action{ID: "e1", Label: "More", Role: "button"},
			pcd.Form{},
			toolbox.High,
		},
		"by CSS": {click("#pay"), pcd.Action{}, pcd.Form{}, toolbox.High},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, map[string][]answer{"get text -- #pay": {{reply: toolbox.Reply{Text: "Pay"}}}})
			b.runner.View.Summary = &pcd.Summary{
				URL: "https://shop.example/", Actions: []pcd.Action{tt.action},
				Forms: []pcd.Form{tt.form},
			}
			tool, err := toolbox.Find(tt.step.Call.Name)
			require.NoError(t, err)
			to, err := targetOf(t.Context(), b.runner.View, tool, tt.step)
			require.NoError(t, err)
			require.Equal(t, tt.want, b.runner.risk(tool, tt.step, to))
		})
	}
}

const password = `p"ä\s<s>`

func (b *bench) grant(typed *[]string) *task.Secrets {
	return &task.Secrets{
		Value: func(context.Context, task.Grant) (string, error) { return password, nil },
		Type: func(_ context.Context, _ task.Grant, tab, selector, value string) (toolbox.Reply, error) {
			*typed = append(*typed, tab+" "+selector+" "+value)
			return toolbox.Reply{
				Data:   map[string]any{"said": "the field shows it as " + password},
				Effect: []string{"value is " + password},
			}, nil
		},
	}
}

func TestASecretIsTypedAndNowhereElse(t *testing.T) {
	t.Parallel()
	step := toolbox.Step{
		Kind: toolbox.ToolStep, Secret: "pw",
		Call: call("dom.type", map[string]any{"selector": "e7", "text": "", "replace": true}),
	}
	b := newBench(t, nil, always(plan(nil, step, click("@e3"))))
	b.runner.View.Log.Task.Grants = []task.Grant{{Name: "pw", Source: "env:PW", Origin: "https://shop.example"}}
	require.NoError(t, b.runner.Run(t.Context()))
	done := b.runner.View.Log.Task
	require.Equal(t, task.AwaitingUser, done.Status)
	require.Contains(t, done.Awaiting.What, "with the secret pw")
	var typed []string
	b.runner.View.Secrets = b.grant(&typed)
	b.runner.View.Log.Hide(b.runner.View.Secrets)
	require.NoError(t, b.runner.Confirm(done.Awaiting.ID))
	b.session.says = map[string][]answer{"click @e3": {{reply: toolbox.Reply{Data: map[string]any{"html": "…" + password +
		"…"}}}}}
	require.NoError(t, b.runner.Run(t.Context()))
	require.Equal(t, []string{"t1 @e7 " + password}, typed)
	raw, err := os.ReadFile(recordsOf(b.store, done.ID))
	require.NoError(t, err)
	require.Contains(t, string(raw), "•••")
	require.NotContains(t, string(raw), `p\"ä`)
	for _, s := range b.script.asked {
		for _, step := range s.Last {
			require.NotContains(t, string(mustJSON(t, step)), `p\"ä`)
		}
	}
	_, err = b.store.Load(done.ID)
	require.NoError(t, err)
}

func TestASecretIsForItsOrigin(t *testing.T) {
	t.Parallel()
	step := toolbox.Step{
		Kind: toolbox.ToolStep, Secret: "pw",
		Call: call("dom.type", map[string]any{"selector": "e7", "text": ""}),
	}
	submit := step
	submit.Call = call("dom.click", map[string]any{"selector": "e3"})
	for name, tt := range map[string]struct {
		grants []task.Grant
		step   toolbox.Step
		code   fault.Code
	}{
		"another origin": {[]task.Grant{{Name: "pw", Origin: "https://shop.example.evil"}}, step, fault.PolicyBlocked},
		"no origin":      {[]task.Grant{{Name: "pw"}}, step, fault.PolicyBlocked},
		"no grant":       {nil, step, fault.CredentialNotFound},
		"another name":   {[]task.Grant{{Name: "pin", Origin: "https://shop.example"}}, step, fault.CredentialNotFound},
		"no typing":      {[]task.Grant{{Name: "pw", Origin: "https://shop.example"}}, submit, fault.Usage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, always(plan(nil, tt.step)))
			b.runner.View.Log.Task.Grants = tt.grants
			var typed []string
			b.runner.View.Secrets = b.grant(&typed)
			require.NoError(t, b.runner.Run(t.Context()))
			require.NoError(t, b.runner.Confirm(b.runner.View.Log.Task.Awaiting.ID))
			require.NoError(t, b.runner.Run(t.Context()))
			require.Empty(t, typed)
			require.Equal(t, string(tt.code), b.runner.View.Log.Task.History[0].Result.Code)
		})
	}
}
