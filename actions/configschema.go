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
