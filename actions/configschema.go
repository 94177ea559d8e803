package actions

import (
	"maps"

	"github.com/skua-browser/skua/internal/plainjson"
)

// schemaID is where the schema is published.
const schemaID = "https://github.com/skua-browser/skua/blob/main/docs/config.schema.json"

// Schema is a JSON Schema.
type Schema map[string]any

// String returns it as indented JSON, without trailing newline.
func (s Schema) String() string {
	text, err := plainjson.MarshalIndent(s, "  ")
	if err != nil {
		return err.Error() // it is made of texts, numbers and lists
	}
	return string(text)
}

// ConfigSchema returns the JSON Schema of configuration files, draft 2020-12. Unknown keys are allowed: newer versions have more of them.
func ConfigSchema() Schema {
	properties := map[string]any{}
	for _, section := range ConfigSections() {
		schema := map[string]any{"description": section.Help}
		maps.Copy(schema, section.Schema)
		properties[section.Key] = schema
	}
	for _, f := range Globals() {
		key := f.ConfigKey()
		if key == "" {
			continue
		}
		schema := f.valueSchema()
		help := f.Help + " (--" + f.Name
		if f.Env != "" {
			help += ", SKUA_" + f.Env
		}
		help += ")"
		if f.Project {
			help += ". A project's file may set it"
		}
		schema["description"] = help
		properties[key] = schema
	}
	return Schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         schemaID,
		"title":       "Configuration of skua",
		"description": "What ~/.config/skua/config.json, skua.json and .skua/config.json may say. agent-browser's own files are read, too.",
		"type":        "object",
		"properties":  properties,
	}
}

// valueSchema says which values the flag's key takes.
func (f *Flag) valueSchema() map[string]any {
	text := map[string]any{"type": "string"}
	either := func(types ...string) map[string]any {
		list := make([]any, 0, len(types)+1)
		for _, t := range append(types, "null") {
			list = append(list, t)
		}
		return map[string]any{"type": list}
	}
	switch {
	case f.Kind == List:
		items := map[string]any{"type": "string"}
		if len(f.OneOf) > 0 {
			items["enum"] = anys(f.OneOf)
		}
		return map[string]any{"anyOf": []any{map[string]any{"type": "array", "items": items}, text, map[string]any{"type": "null"}}}
	case len(f.OneOf) > 0:
		schema := map[string]any{"enum": append(anys(f.OneOf), nil)}
		if f.Default != "" {
			schema["default"] = f.Default
		}
		return schema
	case f.Kind == Bool:
		return either("boolean")
	case f.Kind == Int:
		return either("integer", "string")
	case f.Kind == Number:
		return either("number", "string")
	case f.Kind == Duration:
		return either("integer", "string")
	case f.Kind == Path:
		schema := either("string")
		schema["minLength"] = 1
		return schema
	case f.Value == "json":
		return either("object", "string")
	}
	return either("string", "number")
}

func anys(words []string) []any {
	list := make([]any, len(words))
	for i, word := range words {
		list[i] = word
	}
	return list
}

// ConfigSection is a key of configuration files that belongs to no flag: something else reads it.
type ConfigSection struct {
	Key    string
	Help   string
	Schema map[string]any // JSON Schema of its value
}

// ConfigSections returns the keys of configuration files that are not flags.
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
