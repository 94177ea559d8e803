package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
)

// Each tool of the family is other words for command lines.
func TestFamilyCompiles(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tool, arguments string
		want            string // the words, with | between them; rows of a batch with ; between them
		stdin           string
		upstream        bool // on the agent-browser program
		refused         string
	}{
		"open": {tool: "browser_open", arguments: `{"url":"a.test"}`, want: "open|a.test"},
		"open until it has loaded": {
			tool: "browser_open", arguments: `{"url":"a.test","wait":"load"}`,
			want: "open|--wait-until|load|a.test",
		},
		"open until the DOM is there": {
			tool: "browser_open", arguments: `{"url":"a.test","wait":"domcontentloaded"}`,
			want: "open|--wait-until|domcontentloaded|a.test",
		},
		"open and wait": {
			tool: "browser_open", arguments: `{"url":"a.test","wait":"networkidle"}`,
			want: "open|--wait-until|networkidle|a.test",
		},
		"open and wait, upstream": {
			tool: "browser_open", arguments: `{"url":"a.test","wait":"networkidle"}`,
			upstream: true, want: "open|a.test;wait|--load|networkidle",
		},
		"open and wait for nothing": {
			tool: "browser_open", arguments: `{"url":"a.test","wait":"soon"}`,
			refused: `wait: expects one of load, domcontentloaded, networkidle, got "soon"`,
		},
		"open nothing": {tool: "browser_open", arguments: `{}`, refused: `"url" is missing`},
		"open with what there is not": {
			tool: "browser_open", arguments: `{"url":"a.test","speed":1}`,
			refused: `no parameter "speed"`,
		},
		"back":    {tool: "browser_back", arguments: ``, want: "back"},
		"forward": {tool: "browser_forward", arguments: `null`, want: "forward"},
		"reload":  {tool: "browser_reload", arguments: `{}`, want: "reload"},
		"tabs":    {tool: "browser_tabs", arguments: `{"action":"list"}`, want: "tab|list"},
		"tabs close": {
			tool: "browser_tabs", arguments: `{"action":"close","id":"t2"}`,
			want: "tab|close|t2",
		},
		"tabs close the active one": {tool: "browser_tabs", arguments: `{"action":"close"}`, want: "tab|close"},
		"tabs switch":               {tool: "browser_tabs", arguments: `{"action":"switch","id":"t2"}`, want: "tab|t2"},
		"tabs switch to nothing":    {tool: "browser_tabs", arguments: `{"action":"switch"}`, refused: "id"},
		"tabs fly":                  {tool: "browser_tabs", arguments: `{"action":"fly"}`, refused: `"fly"`},
		"snapshot":                  {tool: "browser_snapshot", arguments: `{}`, want: "snapshot"},
		"snapshot of a part": {
			tool:      "browser_snapshot",
			arguments: `{"interactive":true,"compact":true,"selector":"main"}`,
			want:      "snapshot|--interactive|--compact|--selector|main",
		},
		"click a ref": {tool: "browser_click", arguments: `{"ref":"e1"}`, want: "click|@e1"},
		"click a ref with its sign": {
			tool: "browser_click", arguments: `{"ref":"@e1","button":"right"}`,
			want: "click|--button|right|@e1",
		},
		"click twice": {
			tool: "browser_click", arguments: `{"selector":"#a","count":2}`,
			want: "dblclick|#a",
		},
		"click three times": {
			tool: "browser_click", arguments: `{"selector":"#a","count":3}`,
			want: "click|--count|3|#a",
		},
		"click four times": {
			tool: "browser_click", arguments: `{"selector":"#a","count":4}`,
			refused: "count: expects 1 to 3, got 4",
		},
		"click nothing": {tool: "browser_click", arguments: `{}`, refused: "ref"},
		"click two things": {
			tool: "browser_click", arguments: `{"ref":"e1","selector":"#a"}`,
			refused: "not both",
		},
		"type": {tool: "browser_type", arguments: `{"ref":"e1","text":"a b"}`, want: "type|@e1|a b"},
		"type into an emptied field": {
			tool: "browser_type", arguments: `{"ref":"e1","text":"a","clear":true}`,
			want: "type|--clear|@e1|a",
		},
		"type what looks like a flag": {
			tool: "browser_type", arguments: `{"ref":"e1","text":"--clear"}`,
			want: "type|--|@e1|--clear",
		},
		"fill": {
			tool: "browser_fill", arguments: `{"selector":"#a","value":"x"}`,
			want: "fill|#a|x",
		},
		"fill with nothing": {tool: "browser_fill", arguments: `{"selector":"#a","value":""}`, want: "fill|#a|"},
		"fill with null": {
			tool: "browser_fill", arguments: `{"selector":"#a","value":null}`,
			refused: `"value" is missing`,
		},
		"fill with a number below zero": {
			tool: "browser_fill", arguments: `{"selector":"#a","value":"-5"}`,
			want: "fill|--|#a|-5",
		},
		"fill with no text": {tool: "browser_fill", arguments: `{"selector":"#a","value":5}`, refused: "value"},
		"press":             {tool: "browser_press", arguments: `{"key":"Control+a"}`, want: "press|Control+a"},
		"press minus":       {tool: "browser_press", arguments: `{"key":"-"}`, want: "press|-"},
		"hover":             {tool: "browser_hover", arguments: `{"ref":"e1"}`, want: "hover|@e1"},
		"select": {
			tool: "browser_select", arguments: `{"ref":"e1","value":"red"}`,
			want: "select|@e1|red",
		},
		"screenshot": {tool: "browser_screenshot", arguments: `{}`, want: "screenshot"},
		"screenshot of all into a file": {
			tool: "browser_screenshot", arguments: `{"full":true,"path":"a.png"}`,
			want: "screenshot|--full|a.png",
		},
		"screenshot of an element": {
			tool: "browser_screenshot", arguments: `{"selector":"#a","path":"a.png"}`,
			want: "screenshot|#a|a.png",
		},
		"pdf": {tool: "browser_pdf", arguments: `{"path":"a.pdf"}`, want: "pdf|a.pdf"},
		"get": {tool: "browser_get", arguments: `{"ref":"e1"}`, want: "get|text|@e1"},
		"get value": {
			tool: "browser_get", arguments: `{"ref":"e1","attr":"value"}`,
			want: "get|value|@e1",
		},
		"get an attribute": {
			tool: "browser_get", arguments: `{"selector":"a","attr":"href"}`,
			want: "get|attr|a|href",
		},
		"get the address": {tool: "browser_get", arguments: `{"attr":"url"}`, want: "get|url"},
		"get nothing":     {tool: "browser_get", arguments: `{}`, refused: "ref"},
		"wait for an element": {
			tool: "browser_wait", arguments: `{"selector":"#a","timeout":500}`,
			want: "wait|#a|--timeout|500",
		},
		"wait for several things": {
			tool: "browser_wait", arguments: `{"selector":"#a","text":"b","url":"*/c"}`,
			want: "wait|--url|*/c;wait|#a;wait|--text|b",
		},
		"wait no time": {
			tool: "browser_wait", arguments: `{"timeout":-5}`,
			refused: "timeout: expects 1 or more, got -5",
		},
		"wait a while":     {tool: "browser_wait", arguments: `{"timeout":500}`, want: "wait|500"},
		"wait for nothing": {tool: "browser_wait", arguments: `{}`, refused: "what to wait for"},
		"evaluate": {
			tool: "browser_evaluate", arguments: `{"script":"1 + 1"}`, want: "eval|--stdin",
			stdin: "1 + 1",
		},
		"run a program": {
			tool: "browser_run", arguments: `{"code":"-page.x","params":"{}"}`,
			want: "run|--code|-page.x|--params|{}",
		},
		"scout": {
			tool: "browser_scout", arguments: `{"goal":"edit","top":2}`,
			want: "scout|--top|2|edit",
		},
		"scout for too many": {
			tool: "browser_scout", arguments: `{"goal":"edit","top":6}`,
			refused: "top: expects 1 to 5, got 6",
		},
		"route": {
			tool: "browser_route", arguments: `{"url":"*/api","action":"abort"}`,
			want: "network|route|*/api|--abort",
		},
		"route with an answer": {
			tool: "browser_route", arguments: `{"url":"*/api","action":"mock","body":"{}"}`,
			want: "network|route|*/api|--body|{}",
		},
		"route no more": {
			tool: "browser_route", arguments: `{"url":"*/api","action":"remove"}`,
			want: "network|unroute|*/api",
		},
		"route with what there is not": {
			tool: "browser_route", arguments: `{"url":"*/api","action":"bend"}`,
			refused: `"bend"`,
		},
		"arguments that are not object": {tool: "browser_back", arguments: `[1]`, refused: "array"},
	}
	registry := catalog.Registry()
	byName := map[string]browserTool{}
	for _, tool := range browserTools() {
		byName[tool.Name] = tool
	}
	require.Len(t, byName, 22)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool, ok := byName[tt.tool]
			require.True(t, ok)
			p, err := tool.call(arguments(json.RawMessage(tt.arguments)), tt.upstream)
			if tt.refused != "" {
				require.ErrorContains(t, err, tt.refused)
				return
			}
			require.NoError(t, err)
			rows := [][]string{p.Args}
			if p.Args[0] == "batch" {
				require.Equal(t, []string{"batch", "--bail"}, p.Args)
				require.NoError(t, json.Unmarshal([]byte(*p.Stdin), &rows))
			} else if tt.stdin != "" {
				require.Equal(t, tt.stdin, *p.Stdin)
			}
			var have []string
			for _, row := range rows {
				have = append(have, strings.Join(row, "|"))
				_, err := registry.Parse(row, actions.ParseOptions{})
				require.NoError(t, err, "it is a command line")
			}
			require.Equal(t, tt.want, strings.Join(have, ";"))
		})
	}
}

// What a parameter takes is what the definition says of its argument or flag.
func TestFamilyFollowsDefinitions(t *testing.T) {
	t.Parallel()
	tool := newBrowserTool(&actions.Command{
		Spec: actions.Spec{
			Name: "stamp page",
			Args: []actions.Arg{
				actions.SelectorArg(),
				{Name: "text", Kind: actions.Text},
				{Name: "color", Optional: true, OneOf: []string{"red", "blue"}},
			},
			Flags: []actions.Flag{{Name: "deep", Kind: actions.Bool}, {Name: "times", Kind: actions.Int}},
		},
	}, &actions.AgentTool{Params: []actions.Param{
		{Name: "selector"},
		{Name: "text"},
		{Name: "color"},
		{Name: "deep"},
		{Name: "often", Of: "times", Least: 1},
	}})
	text, err := json.Marshal(tool.schema())
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"object","additionalProperties":false,"required":["text"],"properties":{
		"ref":{"type":"string","description":"@e1, from browser_snapshot"},"selector":{"type":"string"},"text":{"type":"string"},
		"color":{"enum":["red","blue"]},"deep":{"type":"boolean"},"often":{"type":"integer","minimum":1}}}`, string(text))
	p, err := tool.call(json.RawMessage(`{"often":2,"deep":true,"text":"-a","ref":"e1","color":"red"}`), false)
	require.NoError(t, err)
	require.Equal(t, []string{"stamp", "page", "--deep", "--times", "2", "--", "@e1", "-a", "red"}, p.Args)
	for arguments, why := range map[string]string{
		`{"ref":"e1"}`:                          `the parameter "text" is missing`,
		`{"ref":"e1","text":5}`:                 "text: expects a value of type string",
		`{"ref":"e1","text":"a","often":1.5}`:   "often: expects a value of type integer",
		`{"ref":"e1","text":"a","deep":"yes"}`:  "deep: expects a value of type boolean",
		`{"ref":"e1","text":"a","color":"tan"}`: `color: expects one of red, blue, got "tan"`,
	} {
		_, err := tool.call(json.RawMessage(arguments), false)
		require.EqualError(t, err, why)
	}
}

func TestReadSets(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		list    string
		want    []Set
		notes   int
		refused string
	}{
		"nothing":                      {list: "", want: []Set{SetAgent}},
		"agent":                        {list: "agent", want: []Set{SetAgent}},
		"browser is beside agent":      {list: "browser", want: []Set{SetAgent, SetBrowser}},
		"both, with spaces, twice":     {list: " browser, agent,browser ", want: []Set{SetAgent, SetBrowser}},
		"browser alone":                {list: "browser,-agent", want: []Set{SetBrowser}},
		"none":                         {list: "-agent", refused: "no tool"},
		"those of agent-browser's own": {list: "core,network", want: []Set{SetAgent}, notes: 2},
		"what there is not":            {list: "bogus", refused: `"bogus"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sets, notes, err := ReadSets(tt.list)
			if tt.refused != "" {
				require.ErrorContains(t, err, tt.refused)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, sets)
			require.Len(t, notes, tt.notes)
		})
	}
}
