package pagewords

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
)

// What a page can put into the schema of a tool's parameters.
const (
	maxSchema = 4000     // bytes of one
	maxGiven  = 64 << 10 // bytes of one that are looked at
	maxText   = 100      // bytes of a description, and of a value to choose from
	maxValues = 50       // values to choose from
)

// AnyObject is the schema of any object.
var AnyObject = json.RawMessage(`{"type":"object"}`)

// Schema returns the page's schema of a tool's parameters, without what else a page can write there: only the keywords that say what values may be
// passed remain, and descriptions, which are marked as the page's. A schema that is not of an object, or is too long, becomes AnyObject.
func Schema(given json.RawMessage) json.RawMessage {
	var s schema
	if len(given) > maxGiven || !decode(given, &s) || s.Type != "object" {
		return AnyObject
	}
	s.clean()
	raw, err := json.Marshal(&s)
	if err != nil || len(raw) > maxSchema {
		return AnyObject
	}
	return raw
}

// schema has the keywords of JSON Schema that are passed on.
type schema struct {
	Type        string             `json:"type,omitempty"`
	Description string             `json:"description,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Additional  json.RawMessage    `json:"additionalProperties,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	OneOf       []*schema          `json:"oneOf,omitempty"`
	AllOf       []*schema          `json:"allOf,omitempty"`
	Enum        []json.RawMessage  `json:"enum,omitempty"`
	Const       json.RawMessage    `json:"const,omitempty"`

	Minimum          json.Number     `json:"minimum,omitempty"`
	Maximum          json.Number     `json:"maximum,omitempty"`
	ExclusiveMinimum json.Number     `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum json.Number     `json:"exclusiveMaximum,omitempty"`
	MultipleOf       json.Number     `json:"multipleOf,omitempty"`
	MinLength        json.Number     `json:"minLength,omitempty"`
	MaxLength        json.Number     `json:"maxLength,omitempty"`
	MinItems         json.Number     `json:"minItems,omitempty"`
	MaxItems         json.Number     `json:"maxItems,omitempty"`
	UniqueItems      json.RawMessage `json:"uniqueItems,omitempty"`
}

// decode reads JSON. A keyword whose value is of another kind is left out, as those are that are not known.
func decode(raw json.RawMessage, s *schema) bool {
	err := json.Unmarshal(raw, s)
	_, otherKind := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || otherKind
}

// types are the types of JSON Schema.
var types = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// parameterName is what a parameter may be called. A page could write sentences there.
var parameterName = regexp.MustCompile(`^[A-Za-z0-9_.$-]{1,48}$`)

// clean removes the texts that cannot be marked as the page's, and marks the others.
func (s *schema) clean() {
	if s == nil {
		return
	}
	if !slices.Contains(types, s.Type) {
		s.Type = ""
	}
	if s.Description != "" {
		s.Description = "The page says: " + Quote(s.Description, maxText)
	}
	for name, property := range s.Properties {
		if property == nil || !parameterName.MatchString(name) {
			delete(s.Properties, name)
			continue
		}
		property.clean()
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return s.Properties[name] == nil })
	s.Items.clean()
	for _, list := range [][]*schema{s.AnyOf, s.OneOf, s.AllOf} {
		for _, one := range list {
			one.clean()
		}
	}
	if len(s.Enum) > maxValues || slices.ContainsFunc(s.Enum, isProse) {
		s.Enum = nil
	}
	for _, set := range []*json.RawMessage{&s.Additional, &s.UniqueItems} {
		if text := string(*set); text != "true" && text != "false" {
			*set = nil
		}
	}
	if isProse(s.Const) {
		s.Const = nil
	}
}

// isProse reports whether a value that a schema names is more than a word or a number. It could not be marked as the page's, since callers pass it on
// as it is.
func isProse(value json.RawMessage) bool {
	if len(value) == 0 {
		return false
	}
	switch value[0] {
	case '{', '[':
		return true
	case '"':
		var text string
		return json.Unmarshal(value, &text) != nil || len(text) > maxText || text != oneLine(text)
	}
	return false
}
