package refguard

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// State is the known facts about a session's refs.
type State struct {
	Snapshot     *contract.RefSnapshot // of the last snapshot; nil means that none was seen
	Shown        *contract.RefSnapshot // of the last one that the caller was shown, when that is another one
	Invalidation *contract.RefSnapshotInvalidation
	Touched      bool // since then a command has run that may have changed the page
}

const again = " Take a new `snapshot -i` and use its refs; nothing was run."

// Check returns why refs of these command lines, which run one after another, cannot be used on the page that the
// session shows. Empty means that they can, or nothing is known against it.
func Check(steps []argv.Words, state *State, target contract.PageTarget) string {
	role := func(ref string) string {
		if state.Snapshot == nil {
			return ""
		}
		return state.Snapshot.Refs[ref].Role
	}
	latch := -1      // the step that may have changed the page
	renewed := false // a snapshot among the steps hands out refs that are not known yet
	for i := range steps {
		w := &steps[i]
		if w.Entry.HandsOutRefs() {
			latch, renewed = -1, true
			continue
		}
		if refs := Uses(w); len(refs) > 0 {
			if latch >= 0 {
				return "Ref @" + refs[0] + " of step " + strconv.Itoa(i+1) +
					" is used after an earlier batch step can navigate or mutate the page (step " +
					strconv.Itoa(latch+1) + ": " + steps[latch].Name() +
					"). Put a `snapshot -i` between them and use its refs in a further call; nothing was run."
			}
			if !renewed {
				if reason := against(refs, state, target); reason != "" {
					return reason
				}
			}
		}
		if latch < 0 && Invalidates(w) && !settles(w, role) {
			latch = i
		}
	}
	return ""
}

// against returns what is known against refs of the last snapshot.
func against(refs []string, state *State, target contract.PageTarget) string {
	first := "Ref @" + refs[0]
	if v := state.Invalidation; v != nil {
		if v.Reason == NoActivePage {
			return first + " cannot be used: the latest snapshot for this session reported No active page." + again
		}
		return first + " cannot be used yet. " + v.Summary + again
	}
	if state.Snapshot == nil {
		return ""
	}
	if from := state.Snapshot.Target; from != nil && !samePage(from.URL, target.URL) {
		return first + " came from a snapshot for " + from.URL + ", but the current session target is " + target.URL + "." +
			again
	}
	for _, r := range refs {
		if reason := moved(r, state); reason != "" {
			return reason
		}
		if _, ok := slices.BinarySearch(state.Snapshot.RefIDs, r); !ok {
			return "Ref @" + r + " was not present in the latest snapshot for this session." + again
		}
	}
	return ""
}

// Getters reports whether the command lines only read, and read by refs, so that a fresh snapshot beforehand can tell
// whether they are right.
func Getters(steps []argv.Words) bool {
	uses := false
	for i := range steps {
		if c := steps[i].Entry; !c.Is(trait.ReadsElement) {
			return false
		}
		uses = uses || len(Uses(&steps[i])) > 0
	}
	return uses
}

// moved returns why a ref means another element than the one that the caller was shown under it.
func moved(ref string, state *State) string {
	if state.Shown == nil {
		return ""
	}
	was, ok := state.Shown.Refs[ref]
	if now := state.Snapshot.Refs[ref]; ok && was != now {
		return "Ref @" + ref + " no longer matches the latest same-page snapshot: it was " + named(was) + " and is " +
			named(now) + "." + again
	}
	return ""
}

func named(r contract.Ref) string {
	if r == (contract.Ref{}) {
		return "gone"
	}
	return strings.TrimSpace(r.Role + " " + strconv.Quote(r.Name))
}

// Foreign returns why refs cannot be used whose snapshot was taken in an engine that has ended, empty when the lines
// use none, or take a snapshot of their own first.
func Foreign(steps []argv.Words) string {
	for i := range steps {
		if steps[i].Entry.HandsOutRefs() {
			return ""
		}
		if refs := Uses(&steps[i]); len(refs) > 0 {
			return "Ref @" + refs[0] + " cannot be used yet. It was handed out in a browser that has ended since." + again
		}
	}
	return ""
}

// samePage compares two addresses, whose fragments do not count. What is not known is the same as anything.
func samePage(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return a == "" || b == "" || a == b || page(a) == page(b)
}

func page(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "#")
		return before
	}
	u.Fragment, u.RawFragment = "", ""
	if u.Path == "" && u.Host != "" {
		u.Path = "/"
	}
	return u.String()
}
