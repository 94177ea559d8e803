package input

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQA(t *testing.T) {
	t.Parallel()
	const clears = `network requests --clear; console --clear; errors --clear; errors; `
	tests := map[string]struct{ qa, rows string }{
		"2.4.1 2.4.3 2.4.4 a page": {
			`{"url":" https://x "}`,
			clears + `open https://x; wait --load domcontentloaded; wait 150; network requests; console; errors`,
		},
		"2.4.4 everything": {
			`{"url":"x","loadState":"load","expectedText":["A","B"],"expectedSelector":"#c","screenshotPath":"p.png"}`,
			clears +
				`open x; wait --load load; wait 150; wait --fn JS --timeout 5000; wait --fn JS --timeout 5000; wait #c --timeout 5000; network requests; console; errors; screenshot p.png`,
		},
		"2.4.2 one text": {
			`{"url":"x","expectedText":"A","checkConsole":false,"checkErrors":false,"checkNetwork":false}`,
			`open x; wait --load domcontentloaded; wait --fn JS --timeout 5000`,
		},
		"2.4.4 no settling for the network alone": {
			`{"url":"x","checkConsole":false,"checkErrors":false}`,
			`network requests --clear; open x; wait --load domcontentloaded; network requests`,
		},
		"2.4.4 errors alone": {
			`{"url":"x","checkConsole":false,"checkNetwork":false}`,
			`errors --clear; errors; open x; wait --load domcontentloaded; wait 150; errors`,
		},
		"2.4.3 2.4.5 the page that is there": {`{"attached":true}`, `wait --load domcontentloaded`},
		"2.4.5 the page that is there, with everything": {
			`{"attached":true,"expectedSelector":"#c","checkConsole":true,"checkErrors":true,"checkNetwork":true}`,
			`wait --load domcontentloaded; wait 150; wait #c --timeout 5000; network requests; console; errors`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"qa":` + tt.qa + `}`)
			require.NoError(t, err)
			var rows []string
			for _, s := range c.Details.CompiledQAPreset.Steps {
				args := append([]string(nil), s.Args...)
				if len(args) > 2 && args[1] == "--fn" {
					args[2] = "JS"
				}
				rows = append(rows, strings.Join(args, " "))
			}
			require.Equal(t, tt.rows, strings.Join(rows, "; "))
			require.Equal(t, []string{"batch", "--bail"}, c.Args)
		})
	}
}

func TestQADetails(t *testing.T) {
	t.Parallel()
	t.Run("2.4.8 what is checked", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"qa":{"url":"https://x","expectedText":"A","screenshotPath":"p.png","checkNetwork":false}}`)
		require.NoError(t, err)
		q := c.Details.CompiledQAPreset
		require.JSONEq(t,
			`{"attached":false,"checkConsole":true,"checkErrors":true,"checkNetwork":false,"diagnosticsResetAtStart":true,
			"expectedText":["A"],"loadState":"domcontentloaded","screenshotPath":"p.png","url":"https://x"}`,
			marshal(t, q.Checks))
		var flat map[string]any
		require.NoError(t, json.Unmarshal([]byte(marshal(t, q)), &flat))
		require.Contains(t, flat, "steps")
		require.Contains(t, flat, "failFast")
	})
	t.Run("2.4.4 where rows come from", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"qa":{"url":"https://x"}}`)
		require.NoError(t, err)
		from := map[string]string{}
		for _, s := range c.Details.CompiledQAPreset.Steps {
			from[strings.Join(s.Args, " ")+"/"+s.GeneratedFrom] = s.GeneratedFrom
		}
		require.Contains(t, from, "errors/qa.errorBaselineAfterClear")
		require.Contains(t, from, "wait 150/qa.diagnosticSettle")
		require.Contains(t, from, "errors/")
	})
}

func TestWrongQA(t *testing.T) {
	t.Parallel()
	wrongs(t, map[string]struct{ params, message string }{
		"2.4.1 neither url nor attached": {`{"qa":{"expectedText":"x"}}`, "qa.url is required unless qa.attached is true"},
		"2.4.1 both": {
			`{"qa":{"url":"x","attached":true}}`,
			"qa.url must be omitted when qa.attached is true",
		},
		"2.4.1 a blank url": {`{"qa":{"url":" "}}`, "qa.url must be a non-empty string"},
		"2.4.2 a blank text": {
			`{"qa":{"url":"x","expectedText":" "}}`,
			"qa.expectedText must be a non-empty string",
		},
		"2.4.2 a blank text among several": {
			`{"qa":{"url":"x","expectedText":["a",""]}}`,
			"qa.expectedText must be a string or an array of non-empty strings",
		},
		"2.4.2 a number": {
			`{"qa":{"url":"x","expectedText":5}}`,
			"qa.expectedText must be a string or an array of non-empty strings",
		},
		"2.4.2 a blank selector": {
			`{"qa":{"url":"x","expectedSelector":""}}`,
			"qa.expectedSelector must be a non-empty string",
		},
		"2.4.2 checkConsole": {`{"qa":{"url":"x","checkConsole":1}}`, "qa.checkConsole must be true or false"},
		"2.4.2 an unknown load state": {
			`{"qa":{"url":"x","loadState":"idle"}}`,
			"qa.loadState must be one of domcontentloaded, load, or networkidle",
		},
		"2.4 an unknown field": {`{"qa":{"url":"x","texts":[]}}`, `qa does not support field "texts"`},
	})
}
