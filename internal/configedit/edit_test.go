package configedit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/configedit"
)

var server = []configedit.Member{{Key: "command", Value: "skua"}, {Key: "args", Value: []string{"mcp"}}}

func TestSet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		format configedit.Format
		text   string
		want   string
	}{
		{
			"no file", configedit.JSON, "",
			"{\n  \"servers\": {\n    \"skua\": {\n      \"command\": \"skua\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
		},
		{
			"empty object", configedit.JSON, "{}",
			"{\n  \"servers\": {\n    \"skua\": {\n      \"command\": \"skua\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
		},
		{
			"comments and a trailing comma stay", configedit.JSON,
			"// mine\n{\n\t\"theme\": \"dark\", // at night\n\t/* other */ \"servers\": {\n\t\t\"db\": {\"command\": \"db\"}, " +
				"// the shop's\n\t\t// no more\n\t},\n}\n",
			"// mine\n{\n\t\"theme\": \"dark\", // at night\n\t/* other */ \"servers\": {\n\t\t\"db\": {\"command\": \"db\"}, " +
				"// the shop's\n\t\t// no more\n\t\t\"skua\": {\n\t\t\t\"command\": \"skua\",\n\t\t\t\"args\": " +
				"[\"mcp\"]\n\t\t},\n\t},\n}\n",
		},
		{
			"a comment behind the last member stays with it", configedit.JSON,
			"{\n    \"servers\": {\n        \"db\": {} // the shop's, with {braces}\n    }\n}",
			"{\n    \"servers\": {\n        \"db\": {}, // the shop's, with {braces}\n        \"skua\": {\n            " +
				"\"command\": \"skua\",\n            \"args\": [\"mcp\"]\n        }\n    }\n}",
		},
		{
			"an entry keeps its other members", configedit.JSON,
			`{"servers": {"skua": {"command": "/old/skua", "env": {"A": "1"}, "args": ["mcp", "--slim"]}}}`,
			`{"servers": {"skua": {"command": "skua", "env": {"A": "1"}, "args": ["mcp"]}}}`,
		},
		{
			"one line stays one line", configedit.JSON, `{ "a": 1, "servers": null }`,
			"{ \"a\": 1, \"servers\": {\n    \"skua\": {\n      \"command\": \"skua\",\n      \"args\": [\"mcp\"]\n " +
				"   }\n  } }",
		},
		{
			"line ends of Windows", configedit.JSON, "{\r\n  \"a\": 1\r\n}\r\n",
			"{\r\n  \"a\": 1,\r\n  \"servers\": {\r\n    \"skua\": {\r\n      \"command\": \"skua\",\r\n      \"args\": " +
				"[\"mcp\"]\r\n    }\r\n  }\r\n}\r\n",
		},
		{
			"a byte order mark", configedit.JSON,
			"\xef\xbb\xbf{\"servers\": {\"skua\": {\"command\": \"x\", \"args\": [\"mcp\"]}}}",
			"\xef\xbb\xbf{\"servers\": {\"skua\": {\"command\": \"skua\", \"args\": [\"mcp\"]}}}",
		},
		{
			"large numbers", configedit.JSON,
			"{\"id\": 123456789012345678901, \"servers\": {\"skua\": {\"args\": [], \"command\": \"skua\"}}}",
			"{\"id\": 123456789012345678901, \"servers\": {\"skua\": {\"args\": [\"mcp\"], \"command\": \"skua\"}}}",
		},

		{"no file", configedit.TOML, "", "[servers.skua]\ncommand = \"skua\"\nargs = [\"mcp\"]\n"},
		{
			"a table is added behind others", configedit.TOML, "model = \"large\" # mine\n\n[servers.db]\ncommand = \"db\"",
			"model = \"large\" # mine\n\n[servers.db]\ncommand = \"db\"\n\n[servers.skua]\ncommand = \"skua\"\nargs = " +
				"[\"mcp\"]\n",
		},
		{
			"a table keeps its other keys and comments", configedit.TOML,
			"[servers.skua] # browser\n# where it is\ncommand = \"/old\" # old\nstartup_timeout_sec = 20\n\n# the " +
				"shop's\n[servers.db]\ncommand = \"db\"\n",
			"[servers.skua] # browser\n# where it is\ncommand = \"skua\" # old\nstartup_timeout_sec = 20\nargs = " +
				"[\"mcp\"]\n\n# the shop's\n[servers.db]\ncommand = \"db\"\n",
		},
		{
			"an empty table", configedit.TOML, "[servers.skua]",
			"[servers.skua]\ncommand = \"skua\"\nargs = [\"mcp\"]",
		},
		{
			"a list over several lines", configedit.TOML,
			"[servers.skua]\ncommand = \"skua\"\nargs = [\n  \"mcp\",\n  \"--slim\",\n]\n[a]\nb = 1\n",
			"[servers.skua]\ncommand = \"skua\"\nargs = [\"mcp\"]\n[a]\nb = 1\n",
		},
	}
	for _, tt := range tests {
		t.Run(string(tt.format)+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := configedit.Set(tt.format, []byte(tt.text), []string{"servers", "skua"}, server)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
			again, err := configedit.Set(tt.format, got, []string{"servers", "skua"}, server)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(again), "what is there already is not written again")
		})
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		format configedit.Format
		text   string
	}{
		{"no JSON", configedit.JSON, "{"},
		{"a list", configedit.JSON, "[]"},
		{"a server that is a text", configedit.JSON, `{"servers": {"skua": "x"}}`},
		{"servers that are a list", configedit.JSON, `{"servers": []}`},
		{"no TOML", configedit.TOML, "a = "},
		{"an inline table", configedit.TOML, "servers = { skua = { command = \"old\" } }\n"},
		{"dotted keys", configedit.TOML, "servers.skua.command = \"old\"\n"},
		{"an array of tables", configedit.TOML, "[[servers]]\nname = \"skua\"\n"},
	}
	for _, tt := range tests {
		t.Run(string(tt.format)+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := configedit.Set(tt.format, []byte(tt.text), []string{"servers", "skua"}, server)
			require.Error(t, err)
		})
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		format     configedit.Format
		text, want string
	}{
		{
			"the last one", configedit.JSON, "{\n  \"a\": 1,\n  \"servers\": {\n    \"skua\": {}\n  }\n}\n",
			"{\n  \"a\": 1\n}\n",
		},
		{"the only one", configedit.JSON, "{\"servers\": {\"skua\": {}}}", "{}"},
		{"behind another", configedit.JSON, "{\"servers\": {\"db\": {}, \"skua\": {}}}", "{\"servers\": {\"db\": {}}}"},
		{"in front of another", configedit.JSON, "{\"servers\": {\"skua\": {}, \"db\": {}}}", "{\"servers\": {\"db\": {}}}"},
		{
			"comments stay", configedit.JSON,
			"{\n  \"servers\": {\n    \"db\": {}, // the shop's\n    // browser\n    \"skua\": {\"a\": [1]} // mine\n  },\n}\n",
			"{\n  \"servers\": {\n    \"db\": {} // the shop's\n    // browser // mine\n  },\n}\n",
		},
		{"not there", configedit.JSON, "{ }", "{ }"},
		{
			"a table", configedit.TOML,
			"a = 1\n\n[servers.skua]\nargs = []\n\n[servers.skua.env]\nB = \"1\"\n\n# c\n[d]\ne = 1\n",
			"a = 1\n\n# c\n[d]\ne = 1\n",
		},
		{"the only table", configedit.TOML, "[servers.skua]\nargs = []\n", ""},
		{"the last table", configedit.TOML, "a = 1\n\n[servers.skua]\nargs = []\n", "a = 1\n"},
		{"not there", configedit.TOML, "a = 1", "a = 1"},
	}
	for _, tt := range tests {
		t.Run(string(tt.format)+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := configedit.Remove(tt.format, []byte(tt.text), []string{"servers", "skua"})
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
		})
	}
}

// What is added and then removed leaves what was there, whatever that is.
func FuzzThereAndBack(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\"a\": 1}", "{\n  // c\n  \"a\": [1, /* d */ 2,],\n}\n",
		"{\"servers\": {\"db\": {}}, \"b\": \"\\u00e9\"}\r\n", "{ \"servers\" : { \"db\":{} , } }",
	} {
		f.Add(seed, true)
	}
	for _, seed := range []string{
		"", "a = 1", "[servers.db]\nb = 1 # c\n\n\n[x]\n", "[servers]\n",
		"# c\r\na = \"\"\"\r\n[servers.skua]\r\n\"\"\"\r\n",
	} {
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		format := configedit.TOML
		if isJSON {
			format = configedit.JSON
		}
		path := []string{"servers", "skua"}
		if there, err := configedit.Has(format, []byte(text), path); err != nil || there {
			return
		}
		added, err := configedit.Set(format, []byte(text), path, server)
		if err != nil {
			return
		}
		for line := range strings.FieldsSeq(text) {
			if strings.HasPrefix(line, "//") && isJSON && !strings.Contains(text, `"//`) {
				require.Contains(t, string(added), line)
			}
		}
		removed, err := configedit.Remove(format, added, path)
		require.NoError(t, err, "%q", added)
		there, err := configedit.Has(format, removed, path)
		require.NoError(t, err, "%q", removed)
		require.False(t, there)
	})
}
