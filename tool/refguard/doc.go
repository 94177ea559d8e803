// Package refguard says whether the refs of a command line belong to the page that its session shows. It knows what the
// last snapshot handed out, and refuses refs of another page, refs that it did not hand out, and refs in a batch after
// a step that may have changed the page. All of it is pure.
//
// The backends differ. agent-browser finds a ref's element again by role, name and position, so that after a change of
// the page it may hit another one: there the guard refuses whatever is in doubt, before anything runs (Check). The
// native engine proves for each ref that its element is the one that was shown, heals it when an equal one took its
// place, and fails closed otherwise (docs/refs.md), also in the middle of a batch and after a navigation: to refuse
// more than it does would only refuse what is safe. There the guard replaces what the engine cannot know: refs from the
// record of an earlier run, whose engine is gone (Foreign).
//
// Which words of a line are refs is read from the command registry: positional selectors, and the value of --selector.
// Text to be typed, keys and paths are not refs, whatever they look like.
//
// The package must not know how command lines are run.
package refguard
