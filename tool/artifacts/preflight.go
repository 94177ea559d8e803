package artifacts

import (
	"fmt"

	"github.com/skua-browser/skua/tool/argv"
)

// Planned is a file that a command of a call is going to write.
type Planned struct {
	Output
	Step  int // of a batch, from 0; -1 means that the call is not a batch
	Place Place
}

// Plan returns the files that the commands of a call are going to write. Rows is nil for a call that is not a batch.
// What cannot work together is an error.
func Plan(line *argv.Words, rows []argv.Words, cwd string) ([]Planned, error) {
	if rows == nil {
		return add(nil, line, -1, cwd), nil
	}
	var list []Planned
	closed := 0
	for i := range rows {
		row := &rows[i]
		if closed > 0 && row.Begins(Video) {
			return nil, fmt.Errorf("batch step %d: %s cannot follow close (step %d) in one batch; put it into a call of its own",
				i+1, row.Name(), closed)
		}
		if row.EndsSession() {
			closed = i + 1
		}
		before := list
		list = add(list, row, i, cwd)
		for _, p := range list[len(before):] {
			for _, earlier := range before {
				if !p.Folder && !earlier.Folder && p.Place.Same(earlier.Place) {
					return nil, fmt.Errorf("batch step %d: %s is already written by step %d (%s); give each step a file of its own",
						i+1, p.Path, earlier.Step+1, earlier.Path)
				}
			}
		}
	}
	return list, nil
}

func add(list []Planned, line *argv.Words, step int, cwd string) []Planned {
	for _, o := range OutputsOf(line, cwd) {
		list = append(list, Planned{Output: o, Step: step, Place: PlaceOf(Absolute(o.Path, cwd))})
	}
	return list
}
