package appfiles

import (
	"fmt"

	"howett.net/plist"
)

// maxPlist is more than any Info.plist has.
const maxPlist = 4 << 20

// ReadPlist returns the texts of a property list, which may be XML or binary. Of values of other kinds it has the key
// and no text.
func ReadPlist(name string) (map[string]string, error) {
	b, err := readSmallFile(name, maxPlist)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if _, err := plist.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	texts := map[string]string{}
	for key, value := range all {
		texts[key], _ = value.(string)
	}
	return texts, nil
}
