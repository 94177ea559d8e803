package contract

// ArtifactDetails are the files that a call made.
type ArtifactDetails struct {
	Artifacts            []Artifact            `json:"artifacts,omitempty"`
	ArtifactVerification *ArtifactVerification `json:"artifactVerification,omitempty"`
	SavedFile            string                `json:"savedFile,omitempty"`
	SavedFilePath        string                `json:"savedFilePath,omitempty"`
	OutputFile           *OutputFile           `json:"outputFile,omitempty"`
	ImagePath            string                `json:"imagePath,omitempty"`  // of the first picture that the result shows
	ImagePaths           []string              `json:"imagePaths,omitempty"` // of all of them

	ArtifactManifest           *ArtifactManifest           `json:"artifactManifest,omitempty"`
	ArtifactRetentionSummary   string                      `json:"artifactRetentionSummary,omitempty"`
	ArtifactCleanup            *ArtifactCleanup            `json:"artifactCleanup,omitempty"`
	RecordingDependencyWarning *RecordingDependencyWarning `json:"recordingDependencyWarning,omitempty"`
}

// OutputFile is the result of writing to outputPath.
type OutputFile struct {
	Status       string `json:"status"` // saved or failed
	Path         string `json:"path"`   // as the caller gave it
	AbsolutePath string `json:"absolutePath"`
	Source       string `json:"source,omitempty"` // details.data or content.text
	Bytes        int    `json:"bytes,omitempty"`
	Error        string `json:"error,omitempty"`
}

// ArtifactManifest is the bounded list of the files that a caller's sessions have made lately. It holds no contents and
// no command lines.
type ArtifactManifest struct {
	Version    int             `json:"version"`
	Revision   int64           `json:"revision"` // grows with every change, so that a reader knows the newest
	MaxEntries int             `json:"maxEntries"`
	Entries    []ManifestEntry `json:"entries"`
}

// ManifestEntry is one file.
type ManifestEntry struct {
	Path           string  `json:"path"`
	AbsolutePath   string  `json:"absolutePath,omitempty"`
	Namespace      *string `json:"namespace,omitempty"`
	Session        string  `json:"session,omitempty"`
	Kind           string  `json:"kind"`
	Command        string  `json:"command,omitempty"`
	Subcommand     string  `json:"subcommand,omitempty"`
	StorageScope   string  `json:"storageScope"`   // persistent-session, process-temp or explicit-path
	RetentionState string  `json:"retentionState"` // live, ephemeral, missing or evicted
}

// ArtifactCleanup says, when a session is closed, whose business its files are.
type ArtifactCleanup struct {
	Owner                 string   `json:"owner"` // host-file-tools
	Summary               string   `json:"summary"`
	Note                  string   `json:"note"`
	ExplicitArtifactPaths []string `json:"explicitArtifactPaths"` // at most ten, of files that exist
}

// RecordingDependencyWarning says that a recording has begun that cannot be finished as things are.
type RecordingDependencyWarning struct {
	Reason          string   `json:"reason"` // ffmpeg-missing-for-recording
	Dependency      string   `json:"dependency"`
	Command         string   `json:"command"`
	Message         string   `json:"message"`
	Recommendations []string `json:"recommendations"`
}

// Artifact is a file that a command wrote, or will write.
type Artifact struct {
	Path          string  `json:"path"`
	AbsolutePath  string  `json:"absolutePath"`
	Kind          string  `json:"kind"` // download, file, har, image, pdf, profile, trace or video
	ArtifactType  string  `json:"artifactType"`
	MediaType     string  `json:"mediaType,omitempty"`
	Extension     string  `json:"extension,omitempty"`
	Exists        *bool   `json:"exists,omitempty"`
	SizeBytes     *int64  `json:"sizeBytes,omitempty"`
	UpdatedAtMs   *int64  `json:"updatedAtMs,omitempty"`
	RequestedPath string  `json:"requestedPath,omitempty"`
	Status        string  `json:"status"` // missing, pending, repaired-from-temp, saved, stale or upstream-temp-only
	Cwd           string  `json:"cwd,omitempty"`
	Session       string  `json:"session,omitempty"`
	Namespace     *string `json:"namespace,omitempty"`
	TempPath      string  `json:"tempPath,omitempty"`

	RecordingState  string `json:"recordingState,omitempty"`  // openRecording, of one that is under way
	WillExistOnStop bool   `json:"willExistOnStop,omitempty"` // the file comes with `record stop`
	Label           string `json:"label,omitempty"`           // what the file is, in words
}

// ArtifactVerification says which of the files are really there.
type ArtifactVerification struct {
	Verified        bool               `json:"verified"`
	VerifiedCount   int                `json:"verifiedCount"`
	MissingCount    int                `json:"missingCount"`
	PendingCount    int                `json:"pendingCount"`
	UnverifiedCount int                `json:"unverifiedCount"`
	Artifacts       []VerifiedArtifact `json:"artifacts"`
}

// VerifiedArtifact is one row of a verification.
type VerifiedArtifact struct {
	Path           string `json:"path"`
	AbsolutePath   string `json:"absolutePath,omitempty"`
	RequestedPath  string `json:"requestedPath,omitempty"`
	Kind           string `json:"kind"`
	MediaType      string `json:"mediaType,omitempty"`
	Exists         *bool  `json:"exists,omitempty"`
	SizeBytes      *int64 `json:"sizeBytes,omitempty"`
	State          string `json:"state"` // verified, missing, pending or unverified
	Status         string `json:"status,omitempty"`
	RetentionState string `json:"retentionState,omitempty"`
	StorageScope   string `json:"storageScope,omitempty"`
	Limitation     string `json:"limitation,omitempty"`
}
