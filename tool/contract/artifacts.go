package contract

// ArtifactDetails are the files that a call made.
type ArtifactDetails struct {
	Artifacts            []Artifact            `json:"artifacts,omitempty"`
	ArtifactVerification *ArtifactVerification `json:"artifactVerification,omitempty"`
	SavedFile            string                `json:"savedFile,omitempty"`
	SavedFilePath        string                `json:"savedFilePath,omitempty"`
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
	Kind           string `json:"kind"`
	State          string `json:"state"` // verified, missing, pending or unverified
	Status         string `json:"status,omitempty"`
	RetentionState string `json:"retentionState,omitempty"`
	StorageScope   string `json:"storageScope,omitempty"`
	Limitation     string `json:"limitation,omitempty"`
}
