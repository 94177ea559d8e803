package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skua-browser/skua/internal/plainjson"
)

// TruncateText shortens a text to at most most characters. It cuts after the last whole line, or within the first line
// if that is too long, and adds a line that says how much is shown.
func TruncateText(text string, most int) string {
	kept, of := cut(text, most)
	if of == 0 {
		return text
	}
	return kept +
		fmt.Sprintf("\n[truncated: showing %d of %d chars. Use --max-output to adjust]", utf8.RuneCountInString(kept), of)
}

// cut returns what fits and the number of all characters, or 0 if all of them fit.
func cut(text string, most int) (kept string, of int) {
	if len(text) <= most {
		return text, 0
	}
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text, 0
	}
	end := 0
	for range most {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	kept = text[:end]
	if line := strings.LastIndexByte(kept, '\n'); line > 0 && text[end] != '\n' {
		kept = kept[:line]
	}
	return kept, n
}

// TruncatedJSON is a JSON value that may have been shortened. Shown and Of count characters of the encoded value.
type TruncatedJSON struct {
	Data  []byte
	Shown int
	Of    int // before; 0 if nothing was cut
}

// TruncateJSON shortens a JSON value to about most characters by shortening its strings and lists. Its keys stay, and
// every string is a prefix of itself; only nested objects lose keys if their keys alone are too much.
func TruncateJSON(data []byte, most int) (TruncatedJSON, error) {
	of := utf8.RuneCount(data)
	whole := TruncatedJSON{Data: data, Shown: of}
	if of <= most {
		return whole, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return TruncatedJSON{}, err
	}
	const tries = 4 // empty strings and objects take space, too
	var kept []byte
	shown := 0
	for room, try := most, 0; try < tries && (try == 0 || shown > most && room > 0); try++ {
		var smaller any
		if object, ok := v.(map[string]any); ok {
			smaller = cutObject(object, room)
		} else {
			smaller = cutValue(v, room)
		}
		var err error
		if kept, err = plainjson.Marshal(smaller); err != nil {
			return TruncatedJSON{}, err
		}
		shown = utf8.RuneCount(kept)
		room -= shown - most
	}
	if shown >= of { // the value is only keys and numbers
		return whole, nil
	}
	return TruncatedJSON{kept, shown, of}, nil
}

// size returns the number of characters of a value as JSON.
func size(v any) int {
	b, err := plainjson.Marshal(v)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(b)
}

func cutValue(v any, room int) any {
	if size(v) <= room {
		return v
	}
	switch v := v.(type) {
	case string:
		kept, _ := cut(v, max(0, room-len(`""`)))
		for size(kept) > room && kept != "" { // escaped characters take more space
			half := utf8.RuneCountInString(kept) / 2
			kept, _ = cut(kept, half)
		}
		return kept
	case []any:
		return cutList(v, room)
	case map[string]any:
		return cutObject(dropKeys(v, room), room)
	}
	return v
}

// dropKeys removes the last keys of an object whose keys alone are too much.
func dropKeys(object map[string]any, room int) map[string]any {
	kept := map[string]any{}
	room -= len("{}")
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if room -= size(key) + len(`:"",`); room < 0 {
			break
		}
		kept[key] = object[key]
	}
	return kept
}

func cutList(list []any, room int) []any {
	kept := []any{}
	room -= len("[]")
	for _, e := range list {
		n := size(e) + len(",")
		if n > room {
			if len(kept) == 0 && room > 0 {
				kept = append(kept, cutValue(e, room))
			}
			break
		}
		kept = append(kept, e)
		room -= n
	}
	return kept
}

// cutObject keeps small values whole and divides the remaining space among the large ones.
func cutObject(object map[string]any, room int) map[string]any {
	type entry struct {
		key  string
		size int
	}
	entries := make([]entry, 0, len(object))
	room -= len("{}")
	for key, value := range object {
		entries = append(entries, entry{key, size(value)})
		room -= size(key) + len(":,")
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.size != b.size {
			return a.size - b.size
		}
		return strings.Compare(a.key, b.key)
	})
	kept := make(map[string]any, len(object))
	for i, e := range entries {
		share := max(0, room) / (len(entries) - i)
		kept[e.key] = cutValue(object[e.key], share)
		room -= size(kept[e.key])
	}
	return kept
}
