package mcp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/tool/reply"

	"github.com/skua-browser/skua/tool/contract"
)

// structured is the data of a result for programs, without what the result's text has already: a model is shown both.
// InText says what was left out.
func structured(r *contract.Result) any {
	var text strings.Builder
	for _, item := range r.Content {
		text.WriteString(item.Text + "\n")
	}
	s := said{text: text.String()}
	d := *r.Details
	if d.RefSnapshot = s.refSnapshot(d.RefSnapshot, d.Data); len(d.BatchSteps) > 0 && d.Data != nil {
		// which has the data of each step, too
		d.BatchSteps = slices.Clone(d.BatchSteps)
		for i := range d.BatchSteps {
			d.BatchSteps[i].Data = nil
		}
		if d.BatchFailure != nil {
			failure := *d.BatchFailure
			failure.FailedStep.Data = nil
			d.BatchFailure = &failure
		}
	}
	raw, err := json.Marshal(&d)
	if err != nil {
		return &d
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		return &d
	}
	s.member(out, "")
	if len(s.left) > 0 {
		out["inText"] = s.left
	}
	return out
}

// said is the text of a result.
type said struct {
	text string
	refs map[string]bool // that it names
	left []string        // paths of what was left out of the data
}

// repeated is from how many bytes on a text is not told twice.
const repeated = 200

// mostLeft is how many paths of what was left out are listed.
const mostLeft = 20

func (s *said) has(text string) bool {
	return len(text) >= repeated && strings.Contains(s.text, strings.TrimSpace(text))
}

// showsSnapshot reports whether the text shows the snapshot in m, in the shorter form that texts have.
func (s *said) showsSnapshot(m map[string]any, snapshot string) bool {
	refs, _ := m["refs"].(map[string]any)
	_, hasHeader := m["page"].(map[string]any)
	return hasHeader && len(snapshot) >= repeated && strings.Contains(s.text, "\nRefs: "+strconv.Itoa(len(refs))+"\n")
}

func (s *said) leave(path string) {
	if len(s.left) < mostLeft {
		s.left = append(s.left, path)
	}
}

// member leaves out of an object, and of what is in it, the texts that were told.
func (s *said) member(m map[string]any, path string) {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		at := path + name
		switch v := m[name].(type) {
		case string:
			if s.has(v) || name == "snapshot" && s.showsSnapshot(m, v) {
				delete(m, name)
				s.leave(at)
			}
		case map[string]any:
			if _, isSnapshot := m["snapshot"].(string); name == "refs" &&
				(isSnapshot || m["refCount"] != nil || slices.Contains(s.left, path+"snapshot")) {
				s.snapshotRefs(m, v, at)
				continue
			}
			s.member(v, at+".")
		case []any:
			m[name] = s.items(v, at)
		}
	}
}

func (s *said) items(list []any, path string) []any {
	kept := list[:0]
	for i, item := range list {
		at := path + "." + strconv.Itoa(i)
		switch v := item.(type) {
		case string:
			if path == "warnings" && s.has(v) { // the words of a command line keep their places
				s.leave(at)
				continue
			}
		case map[string]any:
			s.member(v, at+".")
		}
		kept = append(kept, item)
	}
	return kept
}

// snapshotRefs keeps of the refs of a snapshot those that the text shows.
func (s *said) snapshotRefs(m, refs map[string]any, path string) {
	shown := s.shownRefs()
	kept := map[string]any{}
	for id, ref := range refs {
		if shown[id] {
			kept[id] = ref
		}
	}
	if len(kept) < len(refs) {
		s.leave(path)
	}
	m["refs"] = kept
}

// refSnapshot keeps of the session's refs those that the text shows. What they are is said once, there or in the data
// of the snapshot.
func (s *said) refSnapshot(all *contract.RefSnapshot, data any) *contract.RefSnapshot {
	if all == nil {
		return nil
	}
	shown := s.shownRefs()
	own := contract.RefSnapshot{RefIDs: []string{}, Target: all.Target}
	for _, id := range all.RefIDs {
		if shown[id] {
			own.RefIDs = append(own.RefIDs, id)
		}
	}
	if !hasRefs(data) {
		own.Refs = map[string]contract.Ref{}
		for _, id := range own.RefIDs {
			if ref, ok := all.Refs[id]; ok {
				own.Refs[id] = ref
			}
		}
	}
	if len(own.RefIDs) < len(all.RefIDs) {
		s.leave("refSnapshot")
	}
	return &own
}

// hasRefs reports whether data is that of a snapshot, or of a batch with one.
func hasRefs(data any) bool {
	switch v := actions.Own(data).(type) {
	case snapshot.Data:
		return v.Refs != nil
	case map[string]any: // of another program
		return v["refs"] != nil
	case []any:
		return slices.ContainsFunc(v, func(row any) bool {
			done, ok := row.(reply.RowDone)
			return ok && hasRefs(done.Result)
		})
	}
	return false
}

// shownRefs are the refs that the text names: [ref=e4] and @e4.
func (s *said) shownRefs() map[string]bool {
	if s.refs != nil {
		return s.refs
	}
	s.refs = map[string]bool{}
	for _, mark := range [...]string{"ref=e", "@e"} {
		for rest := s.text; ; {
			_, after, found := strings.Cut(rest, mark)
			if !found {
				break
			}
			end := 0
			for end < len(after) && after[end] >= '0' && after[end] <= '9' {
				end++
			}
			s.refs["e"+after[:end]] = true
			rest = after
		}
	}
	return s.refs
}
