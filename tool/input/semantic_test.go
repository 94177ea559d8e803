package input

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSemanticAction(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ intent, args string }{
		"2.2.3 click by text": {`{"action":"click","locator":"text","value":"Close"}`, "find|text|Close|click"},
		"2.2.3 check by label": {
			`{"action":"check","locator":"label","value":"Remember me"}`,
			"find|label|Remember me|check",
		},
		"2.2.2 by test id": {`{"action":"click","locator":"testid","value":"go"}`, "find|testid|go|click"},
		"2.2.4 fill by label": {
			`{"action":"fill","locator":"label","value":"Email","text":"a@b.c"}`,
			"find|label|Email|fill|a@b.c",
		},
		"2.2.4 a blank is a text": {`{"action":"fill","selector":"#a","text":" "}`, "fill|#a| "},
		"2.2.5 role and name": {
			`{"action":"click","locator":"role","value":"button","name":"Export"}`,
			"find|role|button|click|--name|Export",
		},
		"2.2.5 the name is at the end": {
			`{"action":"fill","locator":"role","role":"searchbox","name":"Search","text":"x y"}`,
			"find|role|searchbox|fill|x y|--name|Search",
		},
		"2.2.5 a blank name does not count": {
			`{"action":"click","locator":"role","value":"button","name":"  "}`,
			"find|role|button|click",
		},
		"2.2.5 a blank name, other locator": {
			`{"action":"click","locator":"text","value":"x","name":""}`,
			"find|text|x|click",
		},
		"2.2.6 role for value": {
			`{"action":"click","locator":"role","role":"button"}`,
			"find|role|button|click",
		},
		"2.2.6 role and value": {
			`{"action":"click","locator":"role","role":"button","value":"button"}`,
			"find|role|button|click",
		},
		"2.2.8 click a selector": {`{"action":"click","selector":"#submit"}`, "click|#submit"},
		"2.2.8 check a ref":      {`{"action":"check","selector":"@e3"}`, "check|@e3"},
		"2.2.8 fill a ref":       {`{"action":"fill","selector":"@e1","text":"hello"}`, "fill|@e1|hello"},
		"2.2.9 select a value": {
			`{"action":"select","selector":"#flavor","value":"chocolate"}`,
			"select|#flavor|chocolate",
		},
		"2.2.9 select values": {
			`{"action":"select","selector":"#multi","values":["dark","compact"]}`,
			"select|#multi|dark|compact",
		},
		"2.2.11 select by role": {
			`{"action":"select","locator":"role","role":"Combobox","name":"Flavor","value":"mint"}`,
			"find|role|Combobox|select|mint|--name|Flavor",
		},
		"2.2.11 select values by role": {
			`{"action":"select","locator":"role","role":"listbox","name":"Extras","values":["a","b"]}`,
			"find|role|listbox|select|a|b|--name|Extras",
		},
		"2.2.12 select by label": {
			`{"action":"select","locator":"label","value":"Flavor","values":["mint"]}`,
			"find|label|Flavor|select|mint",
		},
		"2.2.15 a session": {
			`{"action":"click","locator":"text","value":"Close","session":"mine"}`,
			"--session|mine|find|text|Close|click",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"semanticAction":` + tt.intent + `}`)
			require.NoError(t, err)
			require.Equal(t, tt.args, strings.Join(c.Args, "|"))
			require.Equal(t, c.Args, c.Details.CompiledSemanticAction.Args)
		})
	}
}

func TestSemanticActionDetails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ intent, details string }{
		"2.2.16 locator": {
			`{"action":"click","locator":"text","value":"x"}`,
			`{"action":"click","locator":"text","args":["find","text","x","click"]}`,
		},
		"2.2.16 selector": {`{"action":"click","selector":"x"}`, `{"action":"click","selector":"x","args":["click","x"]}`},
		"2.2.16 select": {
			`{"action":"select","selector":"x","value":"v"}`,
			`{"action":"select","selector":"x","values":["v"],"args":["select","x","v"]}`,
		},
		"2.2.16 select by locator": {
			`{"action":"select","locator":"label","value":"x","values":["v"]}`,
			`{"action":"select","locator":"label","values":["v"],"args":["find","label","x","select","v"]}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"semanticAction":` + tt.intent + `}`)
			require.NoError(t, err)
			require.JSONEq(t, tt.details, marshal(t, c.Details.CompiledSemanticAction))
		})
	}
}

func TestIntentOnAnElement(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		intent, args, roles string
		needs, may          bool
	}{
		"2.2.17 click by role and name": {
			`{"action":"click","locator":"role","role":"button","name":"Go"}`, "click|@e7",
			"button", false, true,
		},
		"2.2.17 fill by role and name": {
			`{"action":"fill","locator":"role","role":"textbox","name":"A","text":"x","session":"s"}`, "--session|s|fill|@e7|x",
			"textbox", false, true,
		},
		"2.2.17 fill what is not a field": {
			`{"action":"fill","locator":"role","role":"button","name":"A","text":"x"}`,
			"fill|@e7|x", "", false, true,
		},
		"2.2.17 not without a name": {
			`{"action":"click","locator":"role","role":"button"}`, "click|@e7", "button",
			false, false,
		},
		"2.2.17 not by text": {
			`{"action":"click","locator":"text","value":"Go"}`, "click|@e7", "go", false,
			false,
		},
		"2.2.13 select by role": {
			`{"action":"select","locator":"role","role":"listbox","name":"A","values":["x","y"]}`, "select|@e7|x|y", "listbox",
			true, false,
		},
		"2.2.13 select by label": {
			`{"action":"select","locator":"label","value":"A","values":["x"]}`,
			"select|@e7|x", "combobox|listbox", true, false,
		},
		"2.2.13 not by selector": {
			`{"action":"select","selector":"#a","values":["x"]}`, "select|@e7|x", "", false,
			false,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"semanticAction":` + tt.intent + `}`)
			require.NoError(t, err)
			require.Equal(t, tt.args, strings.Join(c.Intent.On("@e7"), "|"))
			require.Equal(t, tt.roles, strings.Join(c.Intent.Roles(), "|"))
			require.Equal(t, tt.needs, c.Intent.NeedsRef())
			require.Equal(t, tt.may, c.Intent.MayUseRef())
		})
	}
}

func TestWrongSemanticActions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, message string }{
		"2.2 no object": {`5`, "semanticAction must be an object"},
		"2.2.1 no action": {
			`{"selector":"a"}`,
			"semanticAction.action must be one of check, click, fill, or select",
		},
		"2.2.1 2.2.19 hover": {
			`{"action":"hover","selector":"a"}`,
			"semanticAction.action must be one of check, click, fill, or select",
		},
		"2.2.19 uncheck": {
			`{"action":"uncheck","selector":"a"}`,
			"semanticAction.action must be one of check, click, fill, or select",
		},
		"2.2.2 an unknown locator": {
			`{"action":"click","locator":"css","value":"a"}`,
			"semanticAction.locator must be one of alt, label, placeholder, role, testid, text, or title",
		},
		"2.2.3 no target": {
			`{"action":"click"}`,
			"semanticAction.selector or semanticAction.locator is required for click",
		},
		"2.2.3 no value": {`{"action":"click","locator":"text"}`, "semanticAction.value is required"},
		"2.2.3 a blank value": {
			`{"action":"click","locator":"text","value":" "}`,
			"semanticAction.value must be a non-empty string",
		},
		"2.2.4 no text": {
			`{"action":"fill","locator":"label","value":"Email"}`,
			"semanticAction.text is required for fill",
		},
		"2.2.4 an empty text": {
			`{"action":"fill","selector":"a","text":""}`,
			"semanticAction.text is required for fill",
		},
		"2.2.6 role with another locator": {
			`{"action":"click","locator":"text","value":"a","role":"button"}`,
			"semanticAction.role is only supported",
		},
		"2.2.6 two roles": {
			`{"action":"click","locator":"role","value":"link","role":"button"}`,
			"semanticAction.role must match value",
		},
		"2.2.7 name with another locator": {
			`{"action":"click","locator":"text","value":"a","name":"b"}`,
			"semanticAction.name is only supported",
		},
		"2.2.8 selector and locator": {
			`{"action":"click","selector":"a","locator":"text","value":"b"}`,
			"semanticAction.selector cannot be combined",
		},
		"2.2.8 selector and name": {
			`{"action":"fill","selector":"a","name":"b","text":"x"}`,
			"semanticAction.selector cannot be combined",
		},
		"2.2.9 no option": {
			`{"action":"select","selector":"a"}`,
			"semanticAction.value or semanticAction.values is required for select",
		},
		"2.2.9 both": {
			`{"action":"select","selector":"a","value":"x","values":["y"]}`,
			"semanticAction.value and semanticAction.values cannot both be given",
		},
		"2.2.9 no options in the list": {
			`{"action":"select","selector":"a","values":[]}`,
			"semanticAction.values must not be empty",
		},
		"2.2.9 a blank option": {
			`{"action":"select","selector":"a","values":["x"," "]}`,
			"semanticAction.values[1] must be a non-empty string",
		},
		"2.2.10 no target": {
			`{"action":"select","value":"x"}`,
			"semanticAction.selector or semanticAction.locator is required for select",
		},
		"2.2.10 selector and locator": {
			`{"action":"select","selector":"a","locator":"role","value":"x"}`,
			"selector cannot be combined with locator, role, or name for select",
		},
		"2.2.11 a role without options": {
			`{"action":"select","locator":"role","role":"button","name":"A","value":"x"}`,
			"semanticAction.role must be combobox or listbox for select",
		},
		"2.2.11 no name": {
			`{"action":"select","locator":"role","role":"combobox","value":"x"}`,
			"semanticAction.name is required for select by role",
		},
		"2.2.11 another locator": {
			`{"action":"select","locator":"text","value":"x","values":["y"]}`,
			"semanticAction.locator must be label or role for select",
		},
		"2.2.12 no options": {
			`{"action":"select","locator":"label","value":"A"}`,
			"semanticAction.values is required for select by label",
		},
		"2.2.14 values of click": {
			`{"action":"click","selector":"a","values":["x"]}`,
			"semanticAction.values is only supported for select",
		},
		"2.2.14 text of click": {
			`{"action":"click","selector":"a","text":"x"}`,
			"semanticAction.text is only supported for fill",
		},
		"2.2.14 text of select": {
			`{"action":"select","selector":"a","value":"b","text":"x"}`,
			"semanticAction.text is only supported for fill",
		},
		"2.2.15 a blank session": {
			`{"action":"click","selector":"a","session":" "}`,
			"semanticAction.session must be a non-empty string",
		},
	}
	for name, tt := range tests {
		tt.params = `{"semanticAction":` + tt.params + `}`
		tests[name] = tt
	}
	wrongs(t, tests)
}
