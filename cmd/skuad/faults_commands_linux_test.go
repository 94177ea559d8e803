package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// operation is one command of the fault suite.
type operation struct {
	place  *place
	args   []string
	effect string // what the site counts when it was done; empty: nothing
	moves  bool   // the session may show another page behind it
	// what it says when it fails without a injection, since others work in the session, too; empty: it does not fail
	mayFail string
	check   func(*reply) error
	rows    int // of a batch

	before  int
	running *running
	reply   *reply
}

// choose picks a command for a session. Most need the session's page: where that is not known, it is opened.
func (s *faultRun) choose(p *place) *operation {
	d := &operation{place: p}
	if !strings.HasPrefix(p.url, s.site.URL) || s.rng.IntN(8) == 0 {
		return s.opening(d)
	}
	// What others do in the session meanwhile may take the page away.
	d.mayFail = `"error"`
	kinds := []func(*faultRun, *operation) *operation{
		(*faultRun).clicking, (*faultRun).clicking, (*faultRun).filling, (*faultRun).evaluating, (*faultRun).snapshotting,
		(*faultRun).reading, (*faultRun).waiting,
		(*faultRun).picturing, (*faultRun).tabbing, (*faultRun).batching, (*faultRun).downloading, (*faultRun).pushing,
		(*faultRun).posting, (*faultRun).asking,
		(*faultRun).closing, (*faultRun).crashing, (*faultRun).spinning,
	}
	return kinds[s.rng.IntN(len(kinds))](s, d)
}

func (s *faultRun) opening(d *operation) *operation {
	id := s.id()
	d.args, d.effect, d.moves, d.mayFail = []string{"open", s.site.URL + "/p/" + d.place.name + "?o=" + id}, "open "+
		id, true, `"error"`
	return d
}

func (s *faultRun) clicking(d *operation) *operation {
	d.args, d.effect = []string{"click", "#go"}, "click "+d.place.name
	return d
}

func (s *faultRun) filling(d *operation) *operation {
	text := "text " + s.id()
	d.args, d.effect = []string{"fill", "#name", text}, "fill "+text
	return d
}

func (s *faultRun) evaluating(d *operation) *operation {
	id := s.id()
	d.args, d.effect = []string{"eval", `did("eval ` + id + `")`}, "eval "+id
	d.check = func(r *reply) error {
		if !strings.Contains(r.out, `"eval `+id+`"`) {
			return errors.New("another result")
		}
		return nil
	}
	return d
}

func (s *faultRun) snapshotting(d *operation) *operation {
	d.args = []string{"snapshot"}
	d.check = d.says("Name")
	return d
}

func (s *faultRun) reading(d *operation) *operation {
	d.args = []string{"get", "text", "h1"}
	d.check = func(r *reply) error {
		var data struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(r.Data, &data); err != nil || data.Text != d.place.name {
			return fmt.Errorf("the text %q is not of this session", data.Text)
		}
		return nil
	}
	return d
}

// says checks that a reply has a text; on an empty page it may have none.
func (d *operation) says(text string) func(*reply) error {
	return func(r *reply) error {
		if !strings.Contains(r.out, text) && !strings.Contains(r.out, "about:blank") {
			return fmt.Errorf("no %q in the reply", text)
		}
		return nil
	}
}

func (s *faultRun) waiting(d *operation) *operation {
	d.args = [][]string{{"wait", "--text", "ready"}, {"wait", "#go"}, {"wait", "60"}}[s.rng.IntN(3)]
	return d
}

func (s *faultRun) picturing(d *operation) *operation {
	path := filepath.Join(s.u.cwd, "made-"+s.id()+".png")
	d.args = []string{"screenshot", path}
	d.check = func(*reply) error {
		b, err := os.ReadFile(path)
		if err == nil && (!bytes.HasPrefix(b, []byte("\x89PNG")) || !bytes.HasSuffix(b, []byte("IEND\xaeB`\x82"))) {
			return errors.New("the picture is not whole")
		}
		return err
	}
	return d
}

func (s *faultRun) downloading(d *operation) *operation {
	path := filepath.Join(s.u.cwd, "made-"+s.id()+".txt")
	d.args = []string{"download", "#dl", path}
	d.check = func(*reply) error {
		b, err := os.ReadFile(path)
		if err == nil && string(b) != fileOf(d.place.name) {
			return errors.New("the file is not whole")
		}
		return err
	}
	return d
}

func (s *faultRun) tabbing(d *operation) *operation {
	d.moves = true
	switch s.rng.IntN(3) {
	case 0:
		id := s.id()
		d.args, d.effect = []string{"tab", "new", s.site.URL + "/p/" + d.place.name + "?o=" + id}, "open "+id
	case 1:
		d.args, d.moves = []string{"tab", "list"}, false
	default:
		d.args = []string{"tab", "close"}
	}
	return d
}

func (s *faultRun) batching(d *operation) *operation {
	a, b := s.id(), s.id()
	d.args = []string{"batch", `eval "did('eval ` + a + `')"`, "wait #go", `eval "did('eval ` + b + `')"`}
	d.effect, d.rows = "eval "+a, 3
	d.check = func(*reply) error {
		if n := s.site.counted("eval " + b); n != 1 {
			return fmt.Errorf("the last row was seen %d times", n)
		}
		return nil
	}
	return d
}

func (s *faultRun) pushing(d *operation) *operation {
	path := "/p/" + d.place.name + "?pushed=" + s.id()
	d.args, d.moves = []string{"pushstate", path}, true
	return d
}

func (s *faultRun) posting(d *operation) *operation {
	d.args, d.effect, d.moves = []string{"click", "#post"}, "post "+d.place.name, true
	return d
}

// asking has the page ask a person, which the session answers by its policy, or by a command.
func (s *faultRun) asking(d *operation) *operation {
	d.args = [][]string{
		{"eval", `setTimeout(() => alert("now"), 5); 1`},
		{"dialog", "status"},
		{"eval", `confirm("sure?")`},
	}[s.rng.IntN(3)]
	return d
}

func (s *faultRun) closing(d *operation) *operation {
	if s.rng.IntN(2) == 0 {
		return s.opening(d)
	}
	d.args, d.moves = []string{"close"}, true
	return d
}

func (s *faultRun) crashing(d *operation) *operation {
	d.args, d.moves = []string{"open", "chrome://crash"}, true
	d.check = func(*reply) error { return errors.New("a crash does not open a page") }
	return d
}

// crashedAlone reports whether a page that crashes was opened in a browser that had lost the page before, so that there
// is nothing to load again.
func (d *operation) crashedAlone() bool {
	return len(d.args) == 2 && d.args[1] == "chrome://crash" && strings.Contains(d.reply.out, "; lost: ")
}

// spinning keeps the page's main thread busy behind the command.
func (s *faultRun) spinning(d *operation) *operation {
	d.args = []string{"eval", `setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }, 0); 0`}
	return d
}
