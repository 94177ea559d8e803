package toolbox_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

func TestArgv(t *testing.T) {
	t.Parallel()
	save := pcd.Selector{Kind: "role", Role: "button", Name: "Save", NameMode: "exact"}
	tests := []struct {
		tool, args string
		want       []string
	}{
		{"getMiniPCD", ``, []string{"capabilities"}},
		{"get_mini_pcd", `{"tabId":2}`, []string{"--tab=t2", "capabilities"}},
		{"getMiniPCD", `{"tabId":"2"}`, []string{"--tab=t2", "capabilities"}},
		{"getMiniPCD", `{"tabId":"docs"}`, []string{"--tab=docs", "capabilities"}},
		{"getMiniPCD", `{"tabId":null}`, []string{"capabilities"}},
		{"pcd.query", `{}`, []string{"capabilities", "query"}},
		{"pcd.query", `{"tabId":"t3","kind":"action|form","text":"invoice|billing|statement","topK":20}`, []string{
			"--tab=t3", "capabilities", "query", "--kind=action,form", "--top=20", "invoice|billing|statement",
		}},
		{"pcd.query", `{"text":"--tab"}`, []string{"capabilities", "query", "--", "--tab"}},
		{"getDetails", `{"ids":["e1","@e2"]}`, []string{"capabilities", "details", "@e1", "@e2"}},
		{"dom.click", `{"selector":"e12"}`, []string{"click", "@e12"}},
		{"dom.click", `{"selector":"@e12","tabId":1}`, []string{"--tab=t1", "click", "@e12"}},
		{"dom.click", `{"selector":".save"}`, []string{"click", ".save"}},
		{"dom.click", `{"selector":"-x"}`, []string{"click", "--", "-x"}},
		{"dom.click", `{"selector":` + save.String() + `}`, []string{"click", save.String()}},
		{
			"dom.click", `{"selector":{ "role": "tab", "name": {"regex": "^All"}, "nth": 0 }}`,
			[]string{"click", `{"role":"tab","name":{"regex":"^All"},"nth":0}`},
		},
		{"dom.type", `{"selector":"e1","text":"-5 --x"}`, []string{"type", "--", "@e1", "-5 --x"}},
		{"dom.type", `{"selector":"e1","text":"ann","replace":false}`, []string{"type", "@e1", "ann"}},
		{"dom.type", `{"selector":"e1","text":"","replace":true}`, []string{"fill", "@e1", ""}},
		{"dom.select", `{"selector":"#c","value":"Extra large"}`, []string{"select", "#c", "Extra large"}},
		{"dom.check", `{"selector":"e4"}`, []string{"check", "@e4"}},
		{"dom.check", `{"selector":"e4","checked":true}`, []string{"check", "@e4"}},
		{"dom.check", `{"selector":"e4","checked":false,"tabId":2}`, []string{"--tab=t2", "uncheck", "@e4"}},
		{"dom.hover", `{"selector":"e4"}`, []string{"hover", "@e4"}},
		{"dom.submit", `{"selector":"e4"}`, []string{"submit", "@e4"}},
		{"dom.scroll", `{"y":300}`, []string{"scroll", "down", "300"}},
		{"dom.scroll", `{"y":-40.4}`, []string{"scroll", "up", "40"}},
		{"dom.scroll", `{"selector":"e4"}`, []string{"scrollintoview", "@e4"}},
		{"dom.waitFor", `{"event":"urlChange"}`, []string{"wait", "--url-change"}},
		{
			"dom.waitFor", `{"event":"urlChange","value":"http://a/b","timeoutMs":500}`,
			[]string{"wait", "--timeout=500", "--url-change=http://a/b"},
		},
		{"dom.waitFor", `{"event":"networkIdle","value":""}`, []string{"wait", "--idle"}},
		{"dom.waitFor", `{"event":"selector","value":"e7"}`, []string{"wait", "@e7"}},
		{
			"dom.waitFor", `{"event":"selector","value":{"kind":"css","css":"#x"}}`,
			[]string{"wait", `{"kind":"css","css":"#x"}`},
		},
		{"dom.waitFor", `{"event":"text","value":"e7"}`, []string{"wait", "--text=e7"}},
		{"dom.extract", `{"collectionId":"e5"}`, []string{"extract", "@e5"}},
		{
			"dom.extract", `{"collectionId":"e5","fields":["date","amount"]}`,
			[]string{"extract", "--fields=date,amount", "@e5"},
		},
		{"tabs.open", `{"url":"http://a/"}`, []string{"tab", "new", "http://a/"}},
		{"tabs.switch", `{"tabId":3}`, []string{"tab", "switch", "t3"}},
		{"tabs.close", `{"tabId":"t3"}`, []string{"tab", "close", "t3"}},
		{
			"capture.candidates", `{"ids":["e1","e2"],"tabId":"t1"}`,
			[]string{"--tab=t1", "capture", "candidates", "@e1", "@e2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.tool+" "+tt.args, func(t *testing.T) {
			t.Parallel()
			tool, err := toolbox.Find(tt.tool)
			require.NoError(t, err)
			argv, err := tool.Argv(json.RawMessage(tt.args))
			require.NoError(t, err)
			require.Equal(t, tt.want, argv)
		})
	}
}

func TestWrongArguments(t *testing.T) {
	t.Parallel()
	tests := []struct{ tool, args, names string }{
		{"getMiniPCD", `{"tabId":""}`, "tabId"},
		{"getMiniPCD", `{"tabId":1.5}`, "tabId"},
		{"getMiniPCD", `{"tabId":-1}`, "tabId"},
		{"getMiniPCD", `{"tabId":"--json"}`, "tabId"},
		{"getMiniPCD", `{"tabId":true}`, "tabId"},
		{"getMiniPCD", `{"selector":"e1"}`, "selector"},
		{"getMiniPCD", `[1]`, "getMiniPCD"},
		{"pcd.query", `{"kind":"links"}`, "kind"},
		{"pcd.query", `{"kind":3}`, "kind"},
		{"pcd.query", `{"text":3}`, "text"},
		{"pcd.query", `{"topK":0}`, "topK"},
		{"pcd.query", `{"topK":"5"}`, "topK"},
		{"pcd.query", `{"topK":2.5}`, "topK"},
		{"getDetails", `{}`, "ids"},
		{"getDetails", `{"ids":[]}`, "ids"},
		{"getDetails", `{"ids":null}`, "ids"},
		{"getDetails", `{"ids":["button"]}`, "ids"},
		{"getDetails", `{"ids":"e1"}`, "ids"},
		{"dom.click", `{}`, "selector"},
		{"dom.click", `{"selector":""}`, "selector"},
		{"dom.click", `{"selector":12}`, "selector"},
		{"dom.click", `{"selector":{"name":"Save"}}`, "selector"},
		{"dom.click", `{"selector":["e1"]}`, "selector"},
		{"dom.type", `{"selector":"e1"}`, "text"},
		{"dom.type", `{"selector":"e1","text":["a"]}`, "text"},
		{"dom.type", `{"selector":"e1","text":"a","replace":"yes"}`, "replace"},
		{"dom.type", `{"text":"a"}`, "selector"},
		{"dom.select", `{"selector":"e1"}`, "value"},
		{"dom.select", `{"selector":"e1","value":2}`, "value"},
		{"dom.check", `{"selector":"e4","checked":"no"}`, "checked"},
		{"dom.hover", `{}`, "selector"},
		{"dom.submit", `{}`, "selector"},
		{"dom.scroll", `{}`, "y"},
		{"dom.scroll", `{"y":"10"}`, "y"},
		{"dom.scroll", `{"y":1e300}`, "y"},
		{"dom.scroll", `{"y":10,"selector":"e1"}`, "y"},
		{"dom.waitFor", `{}`, "event"},
		{"dom.waitFor", `{"event":"load"}`, "event"},
		{"dom.waitFor", `{"event":5}`, "event"},
		{"dom.waitFor", `{"event":"selector"}`, "value"},
		{"dom.waitFor", `{"event":"selector","value":"500"}`, "value"},
		{"dom.waitFor", `{"event":"text","value":""}`, "value"},
		{"dom.waitFor", `{"event":"text","value":{"css":"a"}}`, "value"},
		{"dom.waitFor", `{"event":"networkIdle","value":"now"}`, "value"},
		{"dom.waitFor", `{"event":"urlChange","timeoutMs":0}`, "timeoutMs"},
		{"dom.waitFor", `{"event":"urlChange","timeoutMs":"5s"}`, "timeoutMs"},
		{"dom.extract", `{}`, "collectionId"},
		{"dom.extract", `{"collectionId":"table"}`, "collectionId"},
		{"dom.extract", `{"collectionId":"e1","fields":"date"}`, "fields"},
		{"dom.extract", `{"collectionId":"e1","fields":["a,b"]}`, "fields"},
		{"tabs.open", `{}`, "url"},
		{"tabs.open", `{"url":""}`, "url"},
		{"tabs.open", `{"url":"http://a/","tabId":1}`, "tabId"},
		{"tabs.switch", `{}`, "tabId"},
		{"tabs.close", `{}`, "tabId"},
		{"capture.candidates", `{}`, "ids"},
		{"capture.candidates", `{"ids":[1]}`, "ids"},
	}
	for _, tt := range tests {
		t.Run(tt.tool+" "+tt.args, func(t *testing.T) {
			t.Parallel()
			tool, err := toolbox.Find(tt.tool)
			require.NoError(t, err)
			argv, err := tool.Argv(json.RawMessage(tt.args))
			require.Nil(t, argv)
			require.True(t, fault.Is(err, fault.Usage), "%v", err)
			var f *fault.Error
			require.ErrorAs(t, err, &f)
			require.Equal(t, tt.names, f.Subject)
			require.Contains(t, err.Error(), tt.names)
		})
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, tool := range toolbox.Tools() {
		require.False(t, seen[tool.Name] || seen[tool.MCP], tool.Name)
		seen[tool.Name], seen[tool.MCP] = true, true
		require.Regexp(t, `^[a-z_]+$`, tool.MCP)
		require.NotEmpty(t, tool.Title)
		require.NotEmpty(t, tool.About)
		var properties map[string]map[string]any
		require.NoError(t, json.Unmarshal([]byte("{"+tool.Properties()+"}"), &properties), tool.Name)
		for _, name := range tool.Required() {
			require.Contains(t, properties, name)
		}
	}
	for _, name := range []string{
		"getMiniPCD", "pcd.query", "getDetails", "dom.click", "dom.type", "dom.select", "dom.check", "dom.hover",
		"dom.submit", "dom.scroll", "dom.waitFor", "dom.extract",
		"tabs.open", "tabs.switch", "tabs.close", "capture.candidates",
	} {
		require.True(t, seen[name], name)
	}
	_, err := toolbox.Find("dom.fly")
	require.True(t, fault.Is(err, fault.Usage))
	require.ErrorContains(t, err, `"dom.fly"`)
}
