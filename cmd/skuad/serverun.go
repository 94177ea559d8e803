package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/wire"
)

// runRequest is a command line of a client library for a task.
type runRequest struct {
	Args  []string `json:"args"`
	Stdin string   `json:"stdin"`
}

// runReply is what the command line printed.
type runReply struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exitCode"`
}

// run runs a command line in the pages of a task, which is made if there is none. The sessions that it names are the
// task's own. It ends with the client's connection.
func (s *service) run(w http.ResponseWriter, r *http.Request) {
	var asked runRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, wire.MaxRequest)).Decode(&asked); err != nil {
		http.Error(w, "The body is not {\"args\": [...]}: "+err.Error(), http.StatusBadRequest)
		return
	}
	name := r.PathValue("name")
	_, leave, err := s.tasks.Open(name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer leave(r.Context())
	s.mu.Lock()
	m := s.managers[name]
	s.mu.Unlock()
	if m == nil { // it was deleted meanwhile
		http.Error(w, "There is no task of this name.", http.StatusNotFound)
		return
	}
	cwd, err := os.Getwd()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var out, errOut bytes.Buffer
	code := m.Do(r.Context(), session.Request{
		Args:   asked.Args,
		Cwd:    cwd,
		Getenv: os.Getenv,
		Stdin:  []byte(asked.Stdin),
		Agent:  true,
	}).Write(&out, &errOut)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(runReply{out.String(), errOut.String(), code}) // the client may be gone
}
