package trait

// FileKind is what sort of file a command writes.
type FileKind string

// The kinds.
const (
	Download FileKind = "download"
	File     FileKind = "file"
	HAR      FileKind = "har"
	Image    FileKind = "image"
	PDF      FileKind = "pdf"
	Profile  FileKind = "profile"
	Trace    FileKind = "trace"
	Video    FileKind = "video"
)

// Delivered reports whether the file is what its command is for, so that callers ask for it as the one that a call has
// saved.
func (k FileKind) Delivered() bool { return k == Download || k == PDF }

// Recording is what a command begins to record into a file, and what it ends: which kind of file that will be, or is;
// empty means nothing.
type Recording struct{ Begins, Ends FileKind }

// Output is the file that a command writes, and where its line names it. The kinds of arguments say which words are
// paths, and not which of them are written.
type Output struct {
	Kind FileKind
	Arg  string // the argument that names it; empty means that none does
	Flag string // the flag that may name it as well
	If   string // the flag without which it writes none; empty means that it always does

	// the text about a file that is there, and of one that is not; empty means the text about its kind
	Saved, Unverified string
}
