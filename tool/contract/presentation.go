package contract

// PresentationDetails say where the whole of something is that was shown in part.
type PresentationDetails struct {
	FullOutputPath        string   `json:"fullOutputPath,omitempty"`
	FullOutputPaths       []string `json:"fullOutputPaths,omitempty"`
	FullOutputUnavailable string   `json:"fullOutputUnavailable,omitempty"`
}
