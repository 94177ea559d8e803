package config

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
)

func TestValues(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text  string
		flag  string
		want  []string // nil: it is not set
		fails string
	}{
		"a bool":              {text: `{"headed":true}`, flag: "headed", want: []string{"true"}},
		"a false one":         {text: `{"headed":false}`, flag: "headed", want: []string{"false"}},
		"a bool as text":      {text: `{"headed":"true"}`, fails: "headed expects true or false (line 1, column 10)"},
		"nothing":             {text: `{"headed":null}`, flag: "headed"},
		"a text":              {text: `{"userAgent":"A \u00fc"}`, flag: "user-agent", want: []string{"A ü"}},
		"a number for a text": {text: `{"cdp":9222}`, flag: "cdp", want: []string{"9222"}},
		"a bool for a text":   {text: "{\n  \"proxy\": true}", fails: "proxy expects a string (line 2, column 10)"},
		"a list for a text":   {text: `{"proxy":["a"]}`, fails: "proxy expects a string"},
		"time as a number":    {text: `{"timeout":1500}`, flag: "timeout", want: []string{"1500"}},
		"time as a text":      {text: `{"timeout":"3m"}`, flag: "timeout", want: []string{"3m"}},
		"invalid time": {
			text:  `{"timeout":"soon"}`,
			fails: `timeout expects a number of ms, or a string such as "10s"`,
		},
		"a fraction of time": {text: `{"timeout":1.5}`, fails: "timeout expects"},
		"one of several":     {text: `{"colorScheme":"dark"}`, flag: "color-scheme", want: []string{"dark"}},
		"none of them": {
			text:  `{"colorScheme":"blue"}`,
			fails: `colorScheme expects "dark" or "light" or "no-preference"`,
		},
		"a list":                 {text: `{"args":["--a","--b=1,2"]}`, flag: "args", want: []string{"--a", "--b=1,2"}},
		"a list as a text":       {text: `{"args":"--a,--b=1,2"}`, flag: "args", want: []string{"--a", "--b=1,2"}},
		"a list of other things": {text: `{"args":["--a",1]}`, fails: "args expects a string, or an array of strings"},
		"an object for JSON": {
			text: `{"cdpHeaders":{"A": "b c"}}`, flag: "cdp-headers",
			want: []string{`{"A":"b c"}`},
		},
		"JSON as a text": {text: `{"cdpHeaders":"{}"}`, flag: "cdp-headers", want: []string{"{}"}},
		"a path at home": {
			text: `{"executablePath":"~/chrome"}`, flag: "executable-path",
			want: []string{"/home/me/chrome"},
		},
		"an empty path":              {text: `{"executablePath":""}`, fails: "executablePath expects a string, the path"},
		"a zero byte":                {text: `{"userAgent":"a\u0000b"}`, fails: "without zero bytes"},
		"the last of two counts":     {text: `{"cdp":"1","cdp":"2"}`, flag: "cdp", want: []string{"2"}},
		"unknown keys":               {text: `{"future":{"a":[1]},"headed":true}`, flag: "headed", want: []string{"true"}},
		"what has no key":            {text: `{"help":true,"version":1,"config":"x"}`, flag: "help"},
		"a mark at the start":        {text: "\ufeff{\"headed\":true}", flag: "headed", want: []string{"true"}},
		"an empty file":              {text: " \n", fails: "it is empty"},
		"an array":                   {text: `[]`, fails: "expected a JSON object"},
		"comments":                   {text: "{\n// no\n}", fails: "no JSON (line 2, column 1)"},
		"a comma too many":           {text: "{\"headed\":true,\n}", fails: "no JSON (line 2, column 1)"},
		"an end that is missing":     {text: `{"headed":true`, fails: "no JSON (line 1, column "},
		"something after the object": {text: `{} {}`, fails: "something follows the JSON object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := New().parse([]byte(tt.text), true, "/home/me")
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, f.words[tt.flag])
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"headed":true,"args":["--a"],"timeout":5}`, `{"cdpHeaders":{"a":"b"},"plugins":[{"x":1}]}`,
		`{"a":1e999,"proxy":"\ud800"}`, "{", `{"a":1}{`, "\ufeff",
	} {
		f.Add([]byte(seed))
	}
	r := New()
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, trusted := range []bool{true, false} {
			said, err := r.parse(text, trusted, "/home")
			var object map[string]json.RawMessage
			if valid := json.Unmarshal(trimmed(text), &object); err == nil && (valid != nil || object == nil) {
				t.Fatalf("accepted what is not a JSON object: %q", text)
			}
			if err != nil {
				continue
			}
			for i := range r.flags {
				flag := &r.flags[i]
				words, set := said.words[flag.Name]
				if set && !trusted && !flag.Project {
					t.Fatalf("an untrusted file sets --%s: %q", flag.Name, text)
				}
				for _, word := range words {
					if flag.Expects(word) != "" {
						t.Fatalf("--%s is %q: %q", flag.Name, word, text)
					}
				}
			}
		}
	})
}

func trimmed(text []byte) []byte {
	if len(text) >= 3 && string(text[:3]) == "\ufeff" {
		return text[3:]
	}
	return text
}

// A file that one part of the product reads is read by all of them: no key means two things.
func TestKeys(t *testing.T) {
	t.Parallel()
	keys := map[string]string{}
	for _, f := range actions.Globals() {
		if key := f.ConfigKey(); key != "" {
			require.Empty(t, keys[key])
			keys[key] = f.Name
		}
	}
	// Those that agent-browser has for the flags that are here, too.
	for key, flag := range map[string]string{
		"extensions": "extension", "hideScrollbars": "hide-scrollbars", "maxOutput": "max-output",
		"initScripts": "init-script", "executablePath": "executable-path", "ignoreHttpsErrors": "ignore-https-errors",
		"noAutoDialog": "no-auto-dialog",
		"webgpu":       "webgpu", "cdp": "cdp", "pinTab": "pin-tab", "idleTimeout": "idle-timeout",
		"allowFileAccess": "allow-file-access", "json": "json",
		"noWebmcp": "no-webmcp", "session": "session", "namespace": "namespace",
	} {
		require.Equal(t, flag, keys[key], key)
	}
}
