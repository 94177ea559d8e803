package argv

import (
	"encoding/json"
	"fmt"

	"github.com/skua-browser/skua/actions/grammar"
)

// Batch returns the rows of a batch as it would run them: the strings of the command line, if there are any, else the
// JSON of stdin. Each row is a line of its own. A line that is not a batch has no rows.
func Batch(w *Words, stdin []byte) ([]Words, error) {
	if !w.IsBatch() {
		return nil, nil
	}
	if len(w.Positionals) > 0 {
		rows := make([]Words, 0, len(w.Positionals))
		for i, line := range w.Positionals {
			row, err := SplitRow(line)
			if err != nil {
				return nil, fmt.Errorf("batch step %d: %w", i, err)
			}
			rows = append(rows, row)
		}
		return rows, nil
	}
	if len(stdin) == 0 {
		return nil, nil
	}
	var argvs []json.RawMessage
	if err := json.Unmarshal(stdin, &argvs); err != nil {
		return nil, fmt.Errorf("batch stdin must be a JSON array of command arrays, such as %s: %w", batchExample, err)
	}
	rows := make([]Words, 0, len(argvs))
	for i, raw := range argvs {
		var row []string
		if err := json.Unmarshal(raw, &row); err != nil {
			return nil, fmt.Errorf("batch stdin step %d must be an array of strings; a batch is such as %s: %w", i, batchExample,
				err)
		}
		rows = append(rows, Read(row))
	}
	return rows, nil
}

// batchExample is a batch that can be copied.
const batchExample = `[["open","https://example.com"],["snapshot","-i"]]`

// SplitRow reads a row of a batch that is one string.
func SplitRow(line string) (Words, error) {
	args, err := grammar.SplitWords(line)
	if err != nil {
		return Words{}, err
	}
	return Read(args), nil
}
