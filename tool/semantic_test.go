package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

const formPage = `<!doctype html><title>Form</title>
<button style="display:none" onclick="document.title = 'hidden'">Save</button>
<button onclick="document.title = 'all'">Save all</button>
<button onclick="document.title = 'saved'">Save</button>
<button onclick="document.title = 'first twin'">Twin</button><button onclick="document.title = 'second twin'">Twin</button>
<label>Email address <input id=longer></label>
<label>Email <input id=email></label>
<label>Agree to all <input type=checkbox id=all></label><label>Agree <input type=checkbox id=agree></label>
<label>Flavor <select id=flavor><option>mint<option>lemon</select></label>
<label>Toppings <select id=toppings multiple><option>nuts<option>cream<option>cherry</select></label>
<label>Size <select id=size1><option>s<option>m</select></label><label>Size <select id=size2><option>s<option>m</select></label>
<button>Email</button>`

// intent runs a semanticAction.
func (c *caller) intent(intent string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{SemanticAction: json.RawMessage(intent)})
}

// js reads something of the page.
func (c *caller) js(expression string) string {
	c.t.Helper()
	return textOf(c.do("eval", expression))
}

func TestSemanticActionsOnAPage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		intent    string
		read      string // what to look at in the page afterwards
		want      string
		effective string // how what was run ends
	}{
		"2.2.3 by text": {
			`{"action":"click","locator":"text","value":"Save all"}`, "document.title", "all",
			"find text Save all click",
		},
		"2.2.17 2.2.20 the whole name, though a longer one comes first": {
			`{"action":"click","locator":"role","role":"button","name":"Save"}`, "document.title", "saved", "click @",
		},
		"2.2.17 a part of a name is found by find": {
			`{"action":"click","locator":"role","role":"button","name":"Save al"}`, "document.title", "all",
			"find role button click --name Save al",
		},
		"2.2.17 of twins, find takes the first": {
			`{"action":"click","locator":"role","role":"button","name":"Twin"}`, "document.title", "first twin",
			"find role button click --name Twin",
		},
		"2.2.17 fill": {
			`{"action":"fill","locator":"role","role":"textbox","name":"Email","text":"a@b.c"}`, "email.value + longer.value",
			"a@b.c", "fill @",
		},
		"2.2.17 check": {
			`{"action":"check","locator":"role","role":"checkbox","name":"Agree"}`, "agree.checked + ' ' + all.checked",
			"true false", "check @",
		},
		"2.2.8 fill a selector": {
			`{"action":"fill","selector":"#longer","text":"x y"}`, "longer.value", "x y", "fill #longer x y",
		},
		"2.2.9 select by selector": {
			`{"action":"select","selector":"#flavor","value":"lemon"}`, "flavor.value", "lemon", "select #flavor lemon",
		},
		"2.2.11 2.2.13 select by role": {
			`{"action":"select","locator":"role","role":"combobox","name":"Flavor","value":"lemon"}`, "flavor.value", "lemon",
			"select @",
		},
		"2.2.12 2.2.13 select several by label": {
			`{"action":"select","locator":"label","value":"Toppings","values":["nuts","cherry"]}`,
			"Array.from(toppings.selectedOptions, (o) => o.text).join('+')", "nuts+cherry", "select @",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := showing(t, formPage)
			r := c.intent(tt.intent)
			require.False(t, r.IsError, textOf(r))
			require.Contains(t, strings.Join(r.Details.EffectiveArgs, " "), tt.effective)
			require.Contains(t, c.js(tt.read), tt.want)
			var given map[string]any
			require.NoError(t, json.Unmarshal([]byte(tt.intent), &given))
			compiled := r.Details.CompiledSemanticAction
			require.Equal(t, given["action"], compiled.Action)
			if given["locator"] != nil {
				require.Equal(t, []string{"find", given["locator"].(string)}, compiled.Args[:2],
					"2.2.16 2.2.17 the compiled form stays")
			}
		})
	}
}

func TestSemanticActionsThatCannotBe(t *testing.T) {
	t.Parallel()
	t.Run("2.2.13 select without a page", func(t *testing.T) {
		t.Parallel()
		r := newCaller(t).intent(`{"action":"select","locator":"label","value":"Flavor","values":["mint"]}`)
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Nil(t, r.Details.ExitCode)
	})
	t.Run("2.2.13 select an option that does not exist", func(t *testing.T) {
		t.Parallel()
		c := showing(t, formPage)
		r := c.intent(`{"action":"select","locator":"role","role":"combobox","name":"Flav","value":"lemon"}`)
		require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory)
		require.Contains(t, textOf(r), `no combobox with the name "Flav"`)
		require.Nil(t, r.Details.ExitCode)
		require.Contains(t, c.js("flavor.value"), "mint")
	})
	t.Run("2.2.13 select where several have the name", func(t *testing.T) {
		t.Parallel()
		c := showing(t, formPage)
		r := c.intent(`{"action":"select","locator":"label","value":"Size","values":["m"]}`)
		require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "2 elements match")
		require.Contains(t, c.js("size1.value + size2.value"), "ss")
	})
	t.Run("2.0.3 2.2.4 a mistake", func(t *testing.T) {
		t.Parallel()
		r := newCaller(t).intent(`{"action":"fill","locator":"label","value":"Email"}`)
		require.True(t, r.IsError)
		require.Equal(t, "semanticAction.text is required for fill.", textOf(r))
		require.Equal(t, textOf(r), r.Details.ValidationError)
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Nil(t, r.Details.ExitCode)
	})
}

func TestSemanticActionInASession(t *testing.T) {
	t.Parallel()
	t.Run("2.2.15 2.2.18 a session of the caller's own", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		const name = "semantic-own"
		c.do("--session", name, "open", site.Show(formPage))
		defer c.try("--session", name, "close")
		r := c.intent(`{"action":"click","locator":"role","role":"button","name":"Save","session":"` + name + `"}`)
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, name, r.Details.SessionName)
		require.False(t, *r.Details.UsedImplicitSession)
		require.Equal(t, "click", r.Details.EffectiveArgs[len(r.Details.EffectiveArgs)-2])
		require.Contains(t, textOf(c.do("--session", name, "get", "title")), "saved")
	})
	t.Run("2.2.20 a click that leads elsewhere", func(t *testing.T) {
		t.Parallel()
		there := site.Show(`<!doctype html><title>There</title>`)
		c := showing(t, `<!doctype html><a href="`+there+`">Next page</a>`)
		r := c.intent(`{"action":"click","locator":"role","role":"link","name":"Next page"}`)
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, there, r.Details.PageChangeSummary.URL)
		require.Equal(t, there, r.Details.SessionTabTarget.URL)
		require.Contains(t, textOf(r), there)
	})
	t.Run("observe needs an engine that can", func(t *testing.T) {
		t.Parallel()
		program := &scripted{answer: answers(nil)}
		opened, err := tool.Open(tool.Options{Backend: program, Cwd: t.TempDir()})
		require.NoError(t, err)
		r := opened.Call(t.Context(), tool.Request{Params: contract.Params{Args: []string{"click", "#a"}, Observe: true}})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "observe needs the native backend")
		require.Empty(t, program.ran())
	})
	t.Run("observe shows what changed", func(t *testing.T) {
		t.Parallel()
		c := showing(t,
			`<!doctype html><button onclick="document.body.append(Object.assign(document.createElement('button'), {textContent: 'New'}))">Add</button>`)
		c.do("snapshot", "-i")
		r := c.call(
			contract.Params{
				SemanticAction: json.RawMessage(`{"action":"click","locator":"role","role":"button","name":"Add"}`),
				Observe:        true,
			})
		require.False(t, r.IsError, textOf(r))
		require.Contains(t, textOf(r), `button "New"`)
	})
	t.Run("observe shows the page that was opened", func(t *testing.T) {
		t.Parallel()
		there := site.Show(`<!doctype html><title>There</title><button>Go</button>`)
		c := showing(t, `<!doctype html><button>Here</button>`)
		for _, words := range [][]string{{"open", there}, {"back"}, {"forward"}, {"reload"}} {
			text := textOf(c.call(contract.Params{Args: words, Observe: true}))
			require.Regexp(t, `\n- button "(Go|Here)" @e\d+`, text, words)
		}
	})
}
