package actions

// ConfigSection is a key of configuration files that belongs to no flag: something else reads it.
type ConfigSection struct {
	Key    string
	Help   string
	Schema map[string]any // JSON Schema of its value
}

// ConfigSections returns the keys of configuration files that are no flags.
func ConfigSections() []ConfigSection {
	text := func(help string) map[string]any { return map[string]any{"type": "string", "description": help} }
	list := func(help string) map[string]any {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "description": help}
	}
	among := func(help string, words ...any) map[string]any {
		return map[string]any{"type": "string", "enum": words, "description": help}
	}
	object := func(members map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": members}
	}
	return []ConfigSection{
		{Key: "$schema", Help: "Where the schema of this file is, for editors", Schema: map[string]any{"type": "string"}},
		{Key: "version", Help: "The version of the form that this file has", Schema: map[string]any{"const": 1}},
		{
			Key: "webSearch", Help: "The search of the web that the tool offers, see docs/search.md",
			Schema: object(map[string]any{
				"enabled":           map[string]any{"type": "boolean", "description": "Whether the search is offered"},
				"preferredProvider": among("Which provider serves callers who name none", "exa", "brave", "auto"),
				"exaApiKey":         text("The key of Exa: itself, $NAME of a variable, or !command that prints it"),
				"braveApiKey":       text("The key of Brave: itself, $NAME of a variable, or !command that prints it"),
			}),
		},
		{
			Key: "browser", Help: "What agents are told about the person's own browser",
			Schema: object(map[string]any{
				"defaultProfile": map[string]any{
					"type":       "object",
					"properties": map[string]any{"name": text("The profile's name"), "policy": among("When to use it", "explicit-only", "authenticated-only", "always")},
					"required":   []any{"name"},
				},
				"executablePath": text("The browser's program"),
			}),
		},
		{
			Key: "backend", Help: "Where the tool's calls run",
			Schema: object(map[string]any{
				"name":         among("In skua, or in the real agent-browser", "native", "subprocess"),
				"agentBrowser": text("The program of the subprocess backend, an absolute path"),
			}),
		},
		{
			Key: "plugins", Help: "Programs that the plugin commands know",
			Schema: map[string]any{"type": "array", "items": object(map[string]any{
				"name":         text("What commands call it"),
				"command":      text("The program: a path, or a name on the PATH"),
				"args":         list("Its arguments"),
				"capabilities": list("What it may be called for: credential.read, browser.provider, launch.mutate, command.run, or its own"),
				"env":          list("Names of variables that it gets from the environment"),
				"source":       text("Where it was added from"),
			})},
		},
	}
}
