//go:build linux

package apps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
)

// tiddlywiki keeps notes.
func tiddlywiki(a *App, folder string, port int) (launch, error) {
	script := filepath.Join(folder, "tiddlywiki.js")
	wiki := filepath.Join(a.Dir, "wiki")
	made := exec.Command("node", script, wiki, "--init", "server")
	if output, err := made.CombinedOutput(); err != nil {
		return launch{}, fmt.Errorf("%w: %s", err, output)
	}
	return launch{
		argv:  []string{"node", script, wiki, "--listen", "host=127.0.0.1", fmt.Sprintf("port=%d", port)},
		ready: "/status",
	}, nil
}

func notePath(title string) string { return "/recipes/default/tiddlers/" + url.PathEscape(title) }

// WriteNote has TiddlyWiki keep a note.
func (a *App) WriteNote(ctx context.Context, title, text string) error {
	body, err := json.Marshal(map[string]string{"title": title, "text": text})
	if err == nil {
		_, err = a.ask(ctx, "PUT", notePath(title), string(body))
	}
	return err
}

// Note reads the text of a note. It is an error if there is none with this title.
func (a *App) Note(ctx context.Context, title string) (string, error) {
	body, err := a.Get(ctx, notePath(title))
	if err != nil {
		return "", err
	}
	var note struct {
		Text string `json:"text"`
	}
	err = json.Unmarshal([]byte(body), &note)
	return note.Text, err
}

// Notes returns the titles of all notes that were written by people.
func (a *App) Notes(ctx context.Context) (titles []string, err error) {
	body, err := a.Get(ctx, "/recipes/default/tiddlers.json")
	if err != nil {
		return nil, err
	}
	var notes []struct {
		Title string `json:"title"`
	}
	err = json.Unmarshal([]byte(body), &notes)
	for _, note := range notes {
		titles = append(titles, note.Title)
	}
	return titles, err
}

// RemoveNote has TiddlyWiki forget a note.
func (a *App) RemoveNote(ctx context.Context, title string) error {
	_, err := a.ask(ctx, "DELETE", "/bags/default/tiddlers/"+url.PathEscape(title), "")
	return err
}
