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

// Output is the file that a command writes, and where its line names it. The kinds of arguments say which words are paths, and not which of
// them are written.
type Output struct {
	Kind    FileKind
	Arg     string // the argument that names it; empty: none does
	Flag    string // the flag that may name it as well
	If      string // the flag without which it writes none; empty: it always does
	Pending bool   // the file is there when another command has ended what this one begins

	Saved, Unverified string // what is said of a file that is there, and of one that is not; empty: what is said of its kind
}
