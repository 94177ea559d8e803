// Package lookup judges what the batches of qa, sourceLookup and networkSourceLookup brought back: whether a page
// passed its check, which source files an element may come from, and which ones may have made a request that failed.
// Candidates are hints with their evidence, never more. It reads files of a workspace, and nothing else.
package lookup
