package contract

// Preview is data in place of more than is shown.
type Preview interface{ preview() }

// OutputPreview is a preview of a long text.
type OutputPreview struct {
	Compacted   bool   `json:"compacted"`
	PreviewMode string `json:"previewMode"`
	Bytes       int    `json:"bytes"`
	Lines       int    `json:"lines"`
	Preview     string `json:"preview"`
	SpillError  string `json:"spillError,omitempty"` // why the whole is nowhere
}

// SnapshotPreview is a preview of a long snapshot.
type SnapshotPreview struct {
	Compacted             bool           `json:"compacted"`
	PreviewMode           string         `json:"previewMode"` // structured or outline
	StructuredPreviewUsed bool           `json:"structuredPreviewUsed"`
	Origin                string         `json:"origin"`
	RefCount              int            `json:"refCount"`
	SnapshotLineCount     int            `json:"snapshotLineCount"`
	RoleCounts            map[string]int `json:"roleCounts"`
	PreviewRefIDs         []string       `json:"previewRefIds"`
	HighValueControlIDs   []string       `json:"highValueControlRefIds"`
	SpillError            string         `json:"spillError,omitempty"`
}

// PreviewSections are the sections of a structured preview.
type PreviewSections struct {
	Sections []PreviewSection `json:"previewSections"`
	More     int              `json:"additionalSectionsOmitted"`
}

// PreviewSection says how much of a section is shown.
type PreviewSection struct {
	Role         string `json:"role"`
	Title        string `json:"title"`
	LinesShown   int    `json:"linesShown"`
	OmittedLines int    `json:"omittedLines"`
}

func (OutputPreview) preview()   {}
func (SnapshotPreview) preview() {}

// StructuredPreview is a preview of a long snapshot that has its sections.
type StructuredPreview struct {
	SnapshotPreview
	PreviewSections
}
