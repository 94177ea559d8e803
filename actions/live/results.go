package live

// The data of the replies, with agent-browser's keys where it has them.

// Dashboard is the address of the host's dashboard.
type Dashboard struct {
	AccessURLs     []string `json:"access_urls"`
	AlreadyRunning bool     `json:"already_running"`
	PID            int      `json:"pid"`
	Port           int      `json:"port"`
}

// DashboardStatus reports whether the dashboard runs, and where.
type DashboardStatus struct {
	*Dashboard
	Running bool `json:"running"`
}

// DashboardStopped reports whether the dashboard ran, and if nothing was stopped, why.
type DashboardStopped struct {
	Reason  string `json:"reason,omitempty"`
	Stopped bool   `json:"stopped"`
}

// Stream describes a session's stream.
type Stream struct {
	// AlreadyEnabled says that `stream enable` found it on. The tool makes that success of the failure that it is.
	AlreadyEnabled bool `json:"alreadyEnabled,omitempty"`

	Clients       int    `json:"clients"`
	Connected     bool   `json:"connected"`          // the session has a browser
	Disabled      bool   `json:"disabled,omitempty"` // by this command
	Enabled       bool   `json:"enabled"`
	Port          *int   `json:"port"`
	Screencasting bool   `json:"screencasting"`
	URL           string `json:"url,omitempty"` // of the WebSocket, with the secret that lets in
}

// Handed returns the address, whose secret the caller needs. It is not removed as a secret.
func (s Stream) Handed() []string {
	if s.URL == "" {
		return nil
	}
	return []string{s.URL}
}
