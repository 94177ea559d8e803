package actions

import (
	"encoding/json"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/skua-browser/skua/internal/plainjson"
)

// schemaID is where the schema is published.
const schemaID = "https://github.com/skua-browser/skua/blob/main/docs/config.schema.json"

// Schema is the JSON Schema of configuration files.
type Schema struct{ of *jsonschema.Schema }

// MarshalJSON implements [json.Marshaler].
func (s Schema) MarshalJSON() ([]byte, error) { return json.Marshal(s.of) }

// JSONShape implements shape.Shaped.
func (Schema) JSONShape() any { return map[string]json.RawMessage{} }

// String returns it as indented JSON, without trailing newline.
func (s Schema) String() string {
	text, err := plainjson.MarshalIndent(s, "  ")
	if err != nil {
		return err.Error() // it is made of texts, numbers and lists
	}
	return string(text)
}

// ConfigSchema returns the JSON Schema of configuration files, draft 2020-12. Unknown keys are allowed: newer versions
// have more of them.
func ConfigSchema() Schema {
	properties := map[string]*jsonschema.Schema{}
	for _, section := range ConfigSections() {
		properties[section.Key] = section.schema
	}
	for _, f := range Globals() {
		key := f.ConfigKey()
		if key == "" {
			continue
		}
		schema := valueSchema(&f)
		help := f.Help + " (--" + f.Name
		if f.Env != "" {
			help += ", SKUA_" + f.Env
		}
		help += ")"
		if f.Project {
			help += ". A project's file may set it"
		}
		schema.Description = help
		properties[key] = schema
	}
	return Schema{&jsonschema.Schema{
		Schema: "https://json-schema.org/draft/2020-12/schema",
		ID:     schemaID,
		Title:  "Configuration of skua",
		Description: "What ~/.config/skua/config.json, skua.json and .skua/config.json may say. agent-browser's own files " +
			"are read, too.",
		Type:       "object",
		Properties: properties,
	}}
}

// valueSchema says which values the flag's key takes.
func valueSchema(f *Flag) *jsonschema.Schema {
	either := func(types ...string) *jsonschema.Schema { return &jsonschema.Schema{Types: append(types, "null")} }
	switch {
	case f.Kind == List:
		items := &jsonschema.Schema{Type: "string"}
		if len(f.OneOf) > 0 {
			items.Enum = anys(f.OneOf)
		}
		return &jsonschema.Schema{
			AnyOf: []*jsonschema.Schema{{Type: "array", Items: items}, {Type: "string"}, {Type: "null"}},
		}
	case len(f.OneOf) > 0:
		schema := &jsonschema.Schema{Enum: append(anys(f.OneOf), nil)}
		if f.Default != "" {
			schema.Default = json.RawMessage(strconv.Quote(f.Default))
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
		schema.MinLength = new(1)
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

// ConfigSection is a key of configuration files that belongs to no flag and is read elsewhere.
type ConfigSection struct {
	Key    string
	schema *jsonschema.Schema // of its value
}

// ConfigSections returns the keys of configuration files that are not flags.
func ConfigSections() []ConfigSection {
	type members = map[string]*jsonschema.Schema
	text := func(help string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Description: help} }
	list := func(help string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: help}
	}
	among := func(help string, words ...any) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Enum: words, Description: help}
	}
	object := func(help string, of members) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Properties: of, Description: help}
	}
	profile := object("",
		members{
			"name":   text("The profile's name"),
			"policy": among("When to use it", "explicit-only", "authenticated-only", "always"),
		})
	profile.Required = []string{"name"}
	return []ConfigSection{
		{"$schema", text("Where the schema of this file is, for editors")},
		{"version", &jsonschema.Schema{Const: new(any(1)), Description: "The version of the form that this file has"}},
		{"webSearch", object("The search of the web that the tool offers, see docs/search.md", members{
			"enabled":           {Type: "boolean", Description: "Whether the search is offered"},
			"preferredProvider": among("Which provider serves callers who name none", "exa", "brave", "auto"),
			"exaApiKey":         text("The key of Exa: itself, $NAME of a variable, or !command that prints it"),
			"braveApiKey":       text("The key of Brave: itself, $NAME of a variable, or !command that prints it"),
		})},
		{"browser", object("What agents are told about the person's own browser", members{
			"defaultProfile": profile,
			"executablePath": text("The browser's program"),
		})},
		{"backend", object("Where the tool's calls run", members{
			"name":         among("In skua, or in the real agent-browser", "native", "subprocess"),
			"agentBrowser": text("The program of the subprocess backend, an absolute path"),
		})},
		{"plugins", &jsonschema.Schema{
			Type:        "array",
			Description: "Programs that the plugin commands know",
			Items: object("", members{
				"name":    text("What commands call it"),
				"command": text("The program: a path, or a name on the PATH"),
				"args":    list("Its arguments"),
				"capabilities": list(
					"What it may be called for: credential.read, browser.provider, launch.mutate, command.run, or its own"),
				"env":    list("Names of variables that it gets from the environment"),
				"source": text("Where it was added from"),
			}),
		}},
	}
}
