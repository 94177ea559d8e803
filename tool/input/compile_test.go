package input

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// compile takes the parameters as a host sends them.
func compile(params string) (*Line, error) {
	p, err := Decode(json.RawMessage(params))
	if err != nil {
		return &Line{}, err
	}
	return Compile(&p)
}

// wrongs runs a table of parameters that are refused with a message.
func wrongs(t *testing.T, tests map[string]struct{ params, message string }) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := compile(tt.params)
			require.ErrorContains(t, err, tt.message)
		})
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestWhatIsWrong(t *testing.T) {
	t.Parallel()
	const all = "Provide exactly one of script, args, semanticAction, job, qa, sourceLookup, networkSourceLookup, " +
		"or electron."
	const step = `{"steps":[{"action":"snapshot"}]}`
	wrongs(t, map[string]struct{ params, message string }{
		"1.2 an unknown field": {
			`{"args":["back"],"comand":"x"}`,
			`does not support field "comand"; its fields are args, electron`,
		},
		"1.2 an unknown nested field": {
			`{"semanticAction":{"action":"click","selector":"a","wait":1}}`,
			`semanticAction does not support field "wait"; its fields are action, locator`,
		},
		"1.2 a field of another type":       {`{"args":"back"}`, "args must be an array of strings"},
		"2.0.1 none":                        {`{}`, all},
		"2.0.1 only what belongs to a mode": {`{"stdin":"x"}`, all},
		"2.0.1 two":                         {`{"args":["back"],"job":` + step + `}`, all},
		"2.0.1 null does not count":         {`{"job":null}`, all},
		"2.0.2 the semantic action comes first": {
			`{"semanticAction":{"action":"fly"},"job":{},"outputPath":" "}`,
			"semanticAction.action",
		},
		"2.0.2 then the job": {`{"job":{},"qa":{},"sourceLookup":{}}`, "job.steps"},
		"2.0.2 then qa":      {`{"qa":{},"sourceLookup":{},"networkSourceLookup":{}}`, "qa.url"},
		"2.0.2 then sourceLookup": {
			`{"sourceLookup":{},"networkSourceLookup":{},"electron":{}}`,
			"sourceLookup requires",
		},
		"2.0.2 then networkSourceLookup": {
			`{"networkSourceLookup":{},"electron":{}}`,
			"networkSourceLookup requires",
		},
		"2.0.2 then electron":           {`{"electron":{},"script":""}`, "electron.action"},
		"2.0.2 then script":             {`{"script":"","args":[]}`, "script must be"},
		"2.0.2 then how many there are": {`{"args":[],"job":` + step + `,"stdin":"x"}`, all},
		"2.0.2 then stdin": {
			`{"job":` + step + `,"stdin":"x","outputPath":" "}`,
			"Do not provide stdin",
		},
		"2.0.2 then outputPath": {`{"args":[],"outputPath":" ","timeoutMs":-1}`, "outputPath must be"},
		"2.0.2 then timeoutMs":  {`{"args":[],"timeoutMs":-1}`, "timeoutMs must be"},
		"2.0.2 then sessionMode of a script": {
			`{"script":"1","timeoutMs":5,"sessionMode":"auto"}`,
			"Do not provide sessionMode with script",
		},
		"2.0.2 2.4.6 then qa.attached": {
			`{"qa":{"attached":true},"sessionMode":"fresh"}`,
			"qa.attached cannot be used with sessionMode=fresh",
		},
		"2.0.2 then the words of args": {
			`{"args":["open","x","&&","back"],"stdin":"x"}`,
			"Do not pass shell operators like",
		},
		"2.0.4 stdin with job": {
			`{"job":` + step + `,"stdin":""}`,
			"Do not provide stdin with job, qa, sourceLookup, or networkSourceLookup",
		},
		"2.0.4 stdin with qa": {
			`{"qa":{"url":"x"},"stdin":"1"}`,
			"Do not provide stdin with job, qa, sourceLookup, or networkSourceLookup",
		},
		"2.0.4 stdin with sourceLookup": {
			`{"sourceLookup":{"selector":"a"},"stdin":"1"}`,
			"Do not provide stdin with job, qa, sourceLookup, or networkSourceLookup",
		},
		"2.0.4 stdin with networkSourceLookup": {
			`{"networkSourceLookup":{"url":"a"},"stdin":"1"}`,
			"Do not provide stdin with job, qa, sourceLookup, or networkSourceLookup",
		},
		"2.0.4 stdin with electron": {
			`{"electron":{"action":"list"},"stdin":"1"}`,
			"Do not provide stdin with electron",
		},
		"2.0.4 stdin with script": {`{"script":"1","stdin":"1"}`, "Do not provide stdin with script"},
		"2.0.5 stdin of a command without": {
			`{"args":["click","@e1"],"stdin":"x"}`,
			"stdin is only read by eval --stdin, batch, run, and auth save --password-stdin; click does not read it",
		},
		"2.0.5 stdin of eval without --stdin": {`{"args":["eval","1"],"stdin":"x"}`, "eval does not read it"},
		"2.0.5 stdin of an app without --stdin": {
			`{"args":["electron","main","1"],"stdin":"x"}`,
			"electron main does not read it",
		},
		"2.0.5 stdin of auth login": {
			`{"args":["auth","login","me"],"stdin":"x"}`,
			"auth login does not read it",
		},
		"2.0.5 stdin of a semantic action": {
			`{"semanticAction":{"action":"click","selector":"a"},"stdin":"x"}`,
			"Do not provide stdin with semanticAction",
		},
		"2.0.6 2.9.1 an empty outputPath": {
			`{"args":["back"],"outputPath":"  "}`,
			"outputPath must be a non-empty string when provided.",
		},
		"2.0.6 an outputPath of another type": {`{"args":["back"],"outputPath":5}`, "outputPath must be a string"},
		"2.0.7 no time": {
			`{"args":["back"],"timeoutMs":0}`,
			"timeoutMs must be a positive integer when provided.",
		},
		"2.0.7 half a millisecond": {
			`{"args":["back"],"timeoutMs":1.5}`,
			"timeoutMs must be a positive integer when provided.",
		},
		"2.0.7 more than a safe integer": {
			`{"args":["back"],"timeoutMs":9007199254740993}`,
			"timeoutMs must be a positive integer when provided.",
		},
		"2.0.7 words": {
			`{"args":["back"],"timeoutMs":"soon"}`,
			"timeoutMs must be a positive integer when provided.",
		},
		"2.0.7 with electron":         {`{"electron":{"action":"list"},"timeoutMs":5}`, "use electron.timeoutMs"},
		"2.0.7 too long for a script": {`{"script":"1","timeoutMs":300001}`, "timeoutMs must be 300000 or less"},
		"2.0.8 an unknown session mode": {
			`{"args":["back"],"sessionMode":"new"}`,
			"sessionMode must be one of auto or fresh",
		},
		"2.0.8 with script": {
			`{"script":"1","sessionMode":"fresh"}`,
			"Do not provide sessionMode with script",
		},
		"2.8.1 a script that is too long": {
			`{"script":` + quote(strings.Repeat("é", 32769)) + `}`,
			"script must be 65536 bytes or less.",
		},
		"observe with a batch that only looks": {
			`{"args":["batch","get title","get url"],"observe":true}`,
			"no step of the batch does",
		},
		"observe with qa":                   {`{"qa":{"url":"x"},"observe":true}`, "qa only looks at it"},
		"observe with a command that looks": {`{"args":["get","url"],"observe":true}`, "get url does not act"},
		"observe with an unknown command":   {`{"args":["frob"],"observe":true}`, "frob does not act"},
		"observe with help":                 {`{"args":["click","--help"],"observe":true}`, "only asks for help"},
		"2.1.1 no words":                    {`{"args":[]}`, "args needs at least one command token"},
		"2.1.2 and": {
			`{"args":["open","x","&&","back"]}`,
			"Do not pass shell operators like &&",
		},
		"2.1.2 or": {
			`{"args":["open","x","||","back"]}`,
			"Do not pass shell operators like ||",
		},
		"2.1.2 pipe":   {`{"args":["get","url","|"]}`, "Do not pass shell operators like |"},
		"2.1.2 then":   {`{"args":["back",";"]}`, "Do not pass shell operators like ;"},
		"2.1.2 into":   {`{"args":["get","url",">","x"]}`, "Do not pass shell operators like >"},
		"2.1.2 behind": {`{"args":["get","url",">>","x"]}`, "Do not pass shell operators like >>"},
		"2.1.2 from":   {`{"args":["batch","<","x"]}`, "Do not pass shell operators like <"},
		"2.1.3 session mode": {
			`{"args":["--session-mode","fresh","open","x"]}`,
			"Do not pass `--session-mode` in args",
		},
		"2.1.3 session mode, equals": {
			`{"args":["open","x","--session-mode=fresh"]}`,
			"use the top-level field sessionMode",
		},
		"2.1.4 mcp":                 {`{"args":["mcp"]}`, "external MCP clients"},
		"2.1.5 press without a key": {`{"args":["press"]}`, "press accepts exactly one key argument"},
		"2.1.5 press with two": {
			`{"args":["press","Control","a"]}`,
			"press accepts exactly one key argument, and got 2",
		},
		"2.1.5 key": {`{"args":["key","a","b"]}`, "key/press accepts exactly one key argument"},
		"2.1.5 keydown": {
			`{"args":["keydown","a","b"]}`,
			"keydown accepts exactly one key argument",
		},
		"2.1.5 keyup":            {`{"args":["keyup"]}`, "keyup accepts exactly one key argument"},
		"2.1.6 wait --download=": {`{"args":["wait","--download=x.zip"]}`, "as its own token"},
		"2.1.8 a value that is missing": {
			`{"args":["--session"]}`,
			"--session requires a value immediately after it",
		},
		"2.1.8 an empty value": {
			`{"args":["--session","","open","x"]}`,
			"--session requires a value immediately after it",
		},
		"2.1.8 an empty value, equals": {
			`{"args":["--profile=","open","x"]}`,
			"--profile requires a value immediately after it",
		},
		"2.1.8 a flag for a value": {
			`{"args":["--profile","--headed","open","x"]}`,
			"--profile requires a value, but received the flag --headed",
		},
		"2.1.8 a letter": {
			`{"args":["-p","--headed","open","x"]}`,
			"-p requires a value, but received the flag --headed",
		},
		"2.1.8 empty switches": {
			`{"args":["--args","","open","x"]}`,
			"--args requires a value immediately after it",
		},
		"2.1.9 session, equals":   {`{"args":["--session=x","back"]}`, "Do not pass --session=<name>"},
		"2.1.9 namespace, equals": {`{"args":["--namespace=x","back"]}`, "Do not pass --namespace=<name>"},
		"2.1.9 two sessions": {
			`{"args":["--session","x","back","--session","y"]}`,
			"Pass --session only once",
		},
		"2.1.9 two namespaces": {
			`{"args":["--namespace","x","--namespace","x","back"]}`,
			"Pass --namespace only once",
		},
		"5.9 a batch that is not an array": {`{"args":["batch"],"stdin":"{}"}`, "batch stdin must be a JSON array"},
		"2.2.19 a semantic action within a batch": {
			`{"args":["batch"],"stdin":"[{\"semanticAction\":{}}]"}`,
			"batch stdin step 0 must be an array of strings",
		},
	})
}

func TestArgs(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, args, stdin string }{
		"2.1.1 a command":     {`{"args":["open","x"]}`, "open x", ""},
		"2.0.5 stdin of eval": {`{"args":["eval","--stdin"],"stdin":"1"}`, "eval --stdin", "1"},
		"2.0.5 stdin of an app's script": {
			`{"args":["electron","main","--stdin"],"stdin":"1"}`, "electron main --stdin",
			"1",
		},
		"2.0.5 stdin of batch": {`{"args":["batch"],"stdin":"[[\"back\"]]"}`, "batch", `[["back"]]`},
		"2.0.5 stdin of auth save": {
			`{"args":["auth","save","me","--password-stdin"],"stdin":"p"}`,
			"auth save me --password-stdin", "p",
		},
		"2.1.2 only whole words":     {`{"args":["fill","@e1","a && b"]}`, "fill @e1 a && b", ""},
		"2.1.4 help for mcp":         {`{"args":["mcp","--help"]}`, "mcp --help", ""},
		"2.1.4 help for mcp, letter": {`{"args":["mcp","-h"]}`, "mcp -h", ""},
		"2.1.5 one key":              {`{"args":["press","Control+a"]}`, "press Control+a", ""},
		"2.1.5 help for press":       {`{"args":["press","--help"]}`, "press --help", ""},
		"2.1.6 the path as a word":   {`{"args":["wait","--download","x.zip"]}`, "wait --download x.zip", ""},
		"2.1.7 code becomes stdin": {
			`{"args":["eval","--stdin","document.title","+","1"]}`, "eval --stdin",
			"document.title + 1",
		},
		"2.1.7 code with a session": {
			`{"args":["--session","s","eval","--stdin","1"]}`, "--session s eval --stdin",
			"1",
		},
		"2.1.8 switches begin with a dash": {
			`{"args":["--args","--no-sandbox","open","x"]}`, "--args --no-sandbox open x",
			"",
		},
		"2.1.8 an empty namespace is one": {`{"args":["--namespace","","open","x"]}`, "--namespace  open x", ""},
		"2.1.10 a flag of the command":    {`{"args":["wait","--state","hidden"]}`, "wait --state hidden", ""},
		"2.1.10 text that looks like one": {`{"args":["fill","#x","--session"]}`, "fill #x --session", ""},
		"2.1.11 json of the caller's":     {`{"args":["get","url","--json"]}`, "get url --json", ""},
		"observe":                         {`{"args":["click","@e1"],"observe":true}`, "click --observe @e1", ""},
		"observe, behind the whole name": {
			`{"args":["--session","s","keyboard","type","hi"],"observe":true}`,
			"--session s keyboard type --observe hi", "",
		},
		"observe, asked for twice": {
			`{"args":["click","@e1","--observe"],"observe":true}`, "click @e1 --observe",
			"",
		},
		"observe of a semantic action": {
			`{"semanticAction":{"action":"fill","selector":"#a","text":"x"},"observe":true}`,
			"fill --observe #a x", "",
		},
		"observe, the last row that acts": {
			`{"args":["batch","open x","click @e1","get url"],"observe":true}`,
			"batch open x click --observe @e1 get url", "",
		},
		"observe, a wait at the end": {
			`{"args":["--session","batch","batch","--bail","click @e1","wait --text 'a b'"],"observe":true}`,
			"--session batch batch --bail click @e1 wait --observe --text 'a b'", "",
		},
		"observe, rows of stdin": {
			`{"args":["batch"],"stdin":[["open","x"],["click","a b"]],"observe":true}`,
			"batch", `[["open","x"],["click","--observe","a b"]]`,
		},
		"rows that are arrays": {
			`{"args":["batch",["fill","@e1","a 'b' \\ \"c\""],"back"]}`,
			`batch fill @e1 'a '\''b'\'' \ "c"' back`, "",
		},
		"observe turned off": {`{"args":["get","url"],"observe":false}`, "get url", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(tt.params)
			require.NoError(t, err)
			require.Equal(t, tt.args, strings.Join(c.Args, " "))
			require.Equal(t, tt.stdin, string(c.Stdin))
			require.Equal(t, c.Args, c.Words.Args)
		})
	}
}

func TestWhatErrorsTell(t *testing.T) {
	t.Parallel()
	t.Run("2.1.8 which flag lacks its value", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"args":["--headed","--profile","--debug","open","x"]}`)
		require.Error(t, err)
		require.JSONEq(t, `{"flag":"--profile","index":1,"reason":"unexpected-flag","receivedToken":"--debug"}`,
			marshal(t, c.Details.InvalidValueFlag))
		c, err = compile(`{"args":["--profile"]}`)
		require.Error(t, err)
		require.JSONEq(t, `{"flag":"--profile","index":0,"reason":"missing-value"}`, marshal(t, c.Details.InvalidValueFlag))
	})
	t.Run("2.0.3 what had been compiled", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"semanticAction":{"action":"click","selector":"a"},"timeoutMs":-1}`)
		require.Error(t, err)
		require.Equal(t, []string{"click", "a"}, c.Details.CompiledSemanticAction.Args)
	})
	t.Run("2.0.7 the time", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"args":["back"],"timeoutMs":45000}`)
		require.NoError(t, err)
		require.EqualValues(t, 45000, c.TimeoutMs)
		c, err = compile(`{"script":"1","timeoutMs":300000}`)
		require.NoError(t, err)
		require.EqualValues(t, 300000, c.TimeoutMs)
	})
	t.Run("2.8.1 the longest script", func(t *testing.T) {
		t.Parallel()
		_, err := compile(`{"script":` + quote(strings.Repeat("x", 65536)) + `}`)
		require.NoError(t, err)
	})
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"args":["open","x"],"observe":true}`)
	f.Add(`{"job":{"steps":[{"action":"type","text":"a","delayMs":5,"selector":"#x"}]}}`)
	f.Add(`{"semanticAction":{"action":"select","locator":"role","role":"combobox","name":"A","value":"b"}}`)
	f.Add(`{"qa":{"url":"x","expectedText":["a"]},"sourceLookup":null}`)
	f.Fuzz(func(t *testing.T, params string) {
		c, err := compile(params)
		if err == nil && c.Mode == "" {
			t.Fatal("parameters without a mode are accepted")
		}
	})
}
