//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// recordedCall is a call of a workflow, as scripts/measurement reads it.
type recordedCall struct {
	Words  []string `json:"words"`
	Reply  string   `json:"reply"`
	Failed bool     `json:"failed,omitempty"`
	View   bool     `json:"view,omitempty"` // the reply shows the page, though the call was not for a snapshot
}

// writeTranscript writes what was said in a workflow.
func writeTranscript(dir, program, workflow string, calls []recordedCall) error {
	text, err := json.MarshalIndent(map[string]any{"program": program, "name": workflow, "entries": calls}, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, workflow+"-"+program+".json"), text, 0o644)
}

// writeTranscripts writes the first attempt of each peer at each workflow.
func (s settings) writeTranscripts(rows []flowRow, names []string) (err error) {
	if s.transcripts == "" {
		return nil
	}
	for _, r := range rows {
		for i, name := range names {
			if len(r.peers[i]) > 0 {
				err = errors.Join(err, writeTranscript(s.transcripts, name, r.flow.name, r.peers[i][0].calls))
			}
		}
	}
	return err
}
