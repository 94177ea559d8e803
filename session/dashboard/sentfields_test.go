package dashboard

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/session/stream"
)

// The page's scripts are checked against types.d.ts, which therefore has to have the fields that the server sends,
// those that may be missing marked as such.
func TestTypesOfPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("types.d.ts")
	require.NoError(t, err)
	declared := map[string][]string{}
	for _, one := range regexp.MustCompile(`(?s)export interface (\w+) \{\n(.*?)\n\}`).FindAllStringSubmatch(string(text),
		-1) {
		for line := range strings.SplitSeq(one[2], "\n") {
			field, _, _ := strings.Cut(strings.TrimSpace(line), ":")
			declared[one[1]] = append(declared[one[1]], field)
		}
		slices.Sort(declared[one[1]])
	}
	sent := map[string][]string{}
	for _, value := range []any{
		Session{},
		Command{},
		Held{},
		Handoff{},
		Noted{},
		Frozen{},
		Mark{},
		Shown{},
		stream.Tab{},
		engine.Point{},
		engine.Rect{},
	} {
		of := reflect.TypeOf(value)
		sent[of.Name()] = fieldsOf(of)
	}
	sent["FrameMetadata"] = fieldsOf(reflect.TypeFor[capture.ScreencastMetadata]())
	require.Equal(t, sent, declared)
}

// fieldsOf are the names of a struct's fields in JSON, with a question mark behind those that may be missing.
func fieldsOf(of reflect.Type) (names []string) {
	for field := range of.Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if option == "omitempty" {
			name += "?"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
