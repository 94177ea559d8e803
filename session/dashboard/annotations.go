package dashboard

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// Annotations are what a person and the agents of a session show each other on its pages.
type Annotations interface {
	// Freeze takes the picture of the active page on which the person draws. It replaces the one that was not used.
	Freeze(ctx context.Context) (Frozen, error)
	// Picture returns that picture, a PNG.
	Picture(id string) ([]byte, error)
	// Send leaves what the person has drawn and written for the session's agent.
	Send(ctx context.Context, id string, d Drawn) error
	// Places returns where the agent's annotations are on the active page now.
	Places(ctx context.Context) ([]Shown, error)
	// Remove takes one away, a person's or an agent's.
	Remove(id string) error
}

// Frozen is a picture to draw on.
type Frozen struct {
	ID     string `json:"id"`
	Tab    string `json:"tab"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Width  int    `json:"width"` // in pixels of the picture
	Height int    `json:"height"`
	Moves  bool   `json:"moves"` // the page did not keep still while the picture was taken
}

// Drawn is what a person has drawn on such a picture, and written.
type Drawn struct {
	Text  string `json:"text"` // about the whole
	Marks []Mark `json:"marks"`
}

// The kinds of marks.
const (
	Box   = "box"
	Point = "point"
	Arrow = "arrow"
)

// Mark is one thing that was drawn, in pixels of the picture. Of a box the end is the opposite corner, of an arrow the
// tip.
type Mark struct {
	Kind string       `json:"kind"`
	From engine.Point `json:"from"`
	To   engine.Point `json:"to"`
	Text string       `json:"text"`
}

// Shown is where an annotation of the agent is, in CSS pixels from the document's top left corner.
type Shown struct {
	ID    string       `json:"id"`
	Text  string       `json:"text"`
	Rect  *engine.Rect `json:"rect"` // nil means that it is not in the page now
	Where string       `json:"where,omitempty"`
}

// Noted is an annotation as the list of the page shows it.
type Noted struct {
	ID    string   `json:"id"`
	By    string   `json:"by"` // person or agent
	Tab   string   `json:"tab"`
	URL   string   `json:"url"`
	Made  int64    `json:"made"` // Unix milliseconds
	Texts []string `json:"texts"`
	Read  bool     `json:"read"` // the agent has read it
}

// maxDrawn is how large what a person sends may be, in bytes.
const maxDrawn = 256 << 10

func (s *Server) annotationRoutes(mux *http.ServeMux) {
	handle := func(pattern string, fn func(a Annotations, w http.ResponseWriter, r *http.Request) (any, error)) {
		mux.HandleFunc(pattern, s.Lasting(func(w http.ResponseWriter, r *http.Request) {
			a, err := s.host.Annotations(r.PathValue("name"))
			if err != nil {
				s.fail(w, err)
				return
			}
			ctx, cancel := context.WithTimeout(r.Context(), requestLimit)
			defer cancel()
			defer context.AfterFunc(s.Life(), cancel)()
			data, err := fn(a, w, r.WithContext(ctx))
			switch {
			case err != nil:
				s.fail(w, err)
			case data != nil:
				answer(w, http.StatusOK, data)
			}
		}))
	}
	const base = "/api/sessions/{name}/annotations"
	handle("POST "+base+"/picture", func(a Annotations, _ http.ResponseWriter, r *http.Request) (any, error) {
		return a.Freeze(r.Context())
	})
	handle("GET "+base+"/picture/{id}", func(a Annotations, w http.ResponseWriter, r *http.Request) (any, error) {
		picture, err := a.Picture(r.PathValue("id"))
		if err == nil {
			w.Header().Set("Content-Type", "image/png")
			w.Header().Set("Content-Length", strconv.Itoa(len(picture)))
			_, err = w.Write(picture)
		}
		return nil, err
	})
	handle("POST "+base+"/picture/{id}", func(a Annotations, w http.ResponseWriter, r *http.Request) (any, error) {
		var d Drawn
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxDrawn)).Decode(&d); err != nil {
			return nil, fault.New(fault.Usage, "what was drawn cannot be read: %w", err)
		}
		return map[string]bool{"sent": true}, a.Send(r.Context(), r.PathValue("id"), d)
	})
	handle("GET "+base+"/places", func(a Annotations, _ http.ResponseWriter, r *http.Request) (any, error) {
		shown, err := a.Places(r.Context())
		return map[string][]Shown{"annotations": shown}, err
	})
	handle("DELETE "+base+"/{id}", func(a Annotations, _ http.ResponseWriter, r *http.Request) (any, error) {
		return map[string]bool{"removed": true}, a.Remove(r.PathValue("id"))
	})
}
