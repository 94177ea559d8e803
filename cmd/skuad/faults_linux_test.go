package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
)

// The fault suite: commands of many families from several clients in several sessions, while pages, processes of
// browsers, browsers, hosts and clients are killed or stopped at random moments. What holds whatever happens is checked
// after each round: replies come in time, what is said to be done was done, once, the next command of a session works,
// each session sees its own pages only. At the end nothing is left.
//
// SKUA_FAULTS is how many commands there are, SKUA_FAULTS_SEED repeats a run, as far as a race can be repeated.

const (
	faultTimeout = 8 * time.Second  // of a command, by its flag
	replyGrace   = 12 * time.Second // behind that: the answer's own grace, the start of a host, a machine that is busy
	frozenGrace  = 30 * time.Second // what a client takes to find that a host does not answer
)

func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it takes a minute")
	}
	commands := numberFrom(t, "SKUA_FAULTS", 120)
	seed := numberFrom(t, "SKUA_FAULTS_SEED", int(time.Now().UnixNano()%1e9))
	t.Logf("SKUA_FAULTS=%d SKUA_FAULTS_SEED=%d", commands, seed)
	s := &faultRun{
		t: t, u: newUser(t), site: newWitness(t), rng: rand.New(rand.NewPCG(uint64(seed), 8)),
		verbose: os.Getenv("SKUA_FAULTS_VERBOSE") != "",
	}
	for _, name := range []string{"a", "b", "c", "own"} {
		s.places = append(s.places, &place{name: name})
	}
	began := time.Now()
	for s.run < commands && !t.Failed() {
		s.round()
	}
	t.Logf("%d commands, %d of them successful, %d faults (%v), %s", s.run, s.successes, s.struck, s.faults,
		time.Since(began).Round(time.Second))
	s.end()
}

func numberFrom(t *testing.T, name string, otherwise int) int {
	v := os.Getenv(name)
	if v == "" {
		return otherwise
	}
	n, err := strconv.Atoi(v)
	require.NoError(t, err, name)
	return n
}

// faultRun is one run of the suite.
type faultRun struct {
	t       *testing.T
	u       *user
	site    *witness
	rng     *rand.Rand
	places  []*place
	verbose bool

	run, successes, struck, last int
	faults                       map[string]int
}

// place is a session that is worked in, and what is known of it.
type place struct {
	name string
	url  string // that it shows; empty: not known
}

func (p *place) flags() []string {
	f := []string{"--session", p.name}
	if p.name == "own" {
		f = append(f, "--args", "--force-device-scale-factor=2")
	}
	return f
}

func (s *faultRun) say(format string, args ...any) {
	if s.verbose {
		s.t.Logf(format, args...)
	}
}

// id returns a number that was never used before.
func (s *faultRun) id() string {
	s.last++
	return strconv.Itoa(s.last)
}

// reply is the result of a call of the client.
type reply struct {
	out, err string
	code     int
	took     time.Duration
	killed   bool

	Success  bool            `json:"success"`
	Data     json.RawMessage `json:"data"`
	Error    *string         `json:"error"`
	Code     string          `json:"code"`
	Warnings []string        `json:"warnings"`
}

// running is a call that goes on.
type running struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	began    time.Time
	done     chan struct{}
	cancel   func()
}

// begin starts a client.
func (s *faultRun) begin(p *place, args ...string) *running {
	all := append(append(p.flags(), "--json", "--timeout", strconv.FormatInt(faultTimeout.Milliseconds(), 10)), args...)
	cmd, cancel := s.u.command(all...)
	r := &running{cmd: cmd, began: time.Now(), done: make(chan struct{}), cancel: cancel}
	cmd.Stdout, cmd.Stderr = &r.out, &r.err
	require.NoError(s.t, cmd.Start())
	go func() {
		defer close(r.done)
		_ = cmd.Wait()
	}()
	return r
}

// end waits for a client and reads what it said.
func (r *running) end() *reply {
	<-r.done
	r.cancel()
	got := &reply{took: time.Since(r.began), out: r.out.String(), err: r.err.String(), code: r.cmd.ProcessState.ExitCode()}
	got.killed = !r.cmd.ProcessState.Exited()
	if !got.killed {
		got.read()
	}
	return got
}

// read takes what the reply says from its JSON. Other output is not a success. A batch is one when all of its rows are.
func (r *reply) read() {
	var rows []struct {
		Success bool    `json:"success"`
		Error   *string `json:"error"`
	}
	if json.Unmarshal([]byte(r.out), &rows) != nil {
		_ = json.Unmarshal([]byte(r.out), r)
		return
	}
	r.Success = len(rows) > 0
	for _, row := range rows {
		r.Success = r.Success && row.Success
		if row.Error != nil {
			r.Error = row.Error
		}
	}
}

// leavesOut reports whether a page is not loaded again, since it took browsers with it. From inside, browsers that are
// killed twice before a page has been left alone for a moment look the same as a page that does that.
func (r *reply) leavesOut() bool {
	return strings.Contains(r.out+r.err, "crashes in a row")
}

func (r *reply) String() string {
	return fmt.Sprintf("code %d after %v: %s%s", r.code, r.took.Round(time.Millisecond), strings.TrimSpace(r.out),
		strings.TrimSpace(r.err))
}

// round runs some commands at once, with a injection or without, and looks whether all is as it has to be.
func (s *faultRun) round() {
	n := 1 + s.rng.IntN(3)
	var operations []*operation
	for range n {
		p := s.places[s.rng.IntN(len(s.places))]
		operations = append(operations, s.choose(p))
	}
	var b *injection
	if s.rng.IntN(100) < 60 {
		b = s.chooseBlow()
	}
	before := map[string]int{}
	for _, d := range operations {
		d.before = s.site.counted(d.effect)
		before[d.effect] = d.before
	}
	moment := time.Duration(s.rng.IntN(120)) * time.Millisecond
	began := time.Now()
	for _, d := range operations {
		d.running = s.begin(d.place, d.args...)
		s.run++
	}
	if b != nil {
		time.Sleep(time.Until(began.Add(moment))) // the moment is what is random
		b.strike(s, operations)
		s.say("  %s after %v", b.name, moment)
		s.struck++
		if s.faults == nil {
			s.faults = map[string]int{}
		}
		s.faults[b.name]++
	}
	for _, d := range operations {
		limit := faultTimeout + replyGrace
		if b != nil && b.freezesHost {
			limit += frozenGrace
		}
		// those of one session wait for each other, each for as long as it may take itself; the rows of a batch have that
		// time each
		rows := 0
		for _, o := range operations {
			rows += max(o.rows, 1)
		}
		limit *= time.Duration(rows)
		select {
		case <-d.running.done:
		case <-time.After(limit):
			s.t.Errorf("`%s` in %s has no reply after %v (%s)", strings.Join(d.args, " "), d.place.name, limit, b)
			_ = d.running.cmd.Process.Kill()
		}
		d.reply = d.running.end()
		s.say("%s: %s -> %s", d.place.name, strings.Join(d.args, " "), d.reply)
		if d.reply.Success && d.reply.code == 0 {
			s.successes++
		}
	}
	if b != nil {
		b.lift()
	}
	s.recover(operations, b)
	s.judge(operations, b)
}

// recover runs the next command in each session, which has to work, and behind which those before it are over.
func (s *faultRun) recover(operations []*operation, b *injection) {
	seen := map[*place]bool{}
	for _, d := range operations {
		if seen[d.place] {
			continue
		}
		seen[d.place] = true
		moved := slices.ContainsFunc(operations, func(o *operation) bool {
			return o.place == d.place && (o.moves || o.reply.leavesOut())
		})
		run := s.begin(d.place, "get", "url")
		got := run.end()
		if b != nil && (got.code != 0 || !got.Success) && strings.Contains(got.out, "cut off") {
			got = s.begin(d.place, "get", "url").end() // the host that was told to end was still ending
		}
		if got.Code == "page-crashed" && slices.ContainsFunc(operations, func(o *operation) bool {
			return o.place == d.place && o.crashedAlone()
		}) {
			got = s.begin(d.place, "open", s.site.URL+"/p/"+d.place.name).end()
		}
		s.say("  next in %s: %s", d.place.name, got)
		var data struct {
			URL string `json:"url"`
		}
		_ = json.Unmarshal(got.Data, &data)
		if got.code != 0 || !got.Success || got.took > faultTimeout+replyGrace {
			s.t.Errorf("the next command in %s, behind `%s` and %s: %s", d.place.name, strings.Join(d.args, " "), b, got)
			continue
		}
		unheard := data.URL == "about:blank" && slices.ContainsFunc(operations, func(o *operation) bool {
			return o.place == d.place && o.reply.killed
		})
		if !moved && !unheard && !got.leavesOut() && d.place.url != "" && d.place.url != data.URL {
			s.t.Errorf("%s showed %s, and now %s, behind `%s` and %s: %s", d.place.name, d.place.url, data.URL,
				strings.Join(d.args, " "), b, got)
		}
		if strings.HasPrefix(data.URL, s.site.URL+"/p/") && !strings.HasPrefix(data.URL, s.site.URL+"/p/"+d.place.name) {
			s.t.Errorf("%s shows a page of another session: %s", d.place.name, data.URL)
		}
		d.place.url = data.URL
	}
}

// judge compares what was said with what the site has seen.
func (s *faultRun) judge(operations []*operation, b *injection) {
	type sum struct{ before, least, most int }
	sums := map[string]*sum{}
	for _, d := range operations {
		r := d.reply
		good := r.code == 0 && r.Success
		about := fmt.Sprintf("`%s` in %s, %s: %s", strings.Join(d.args, " "), d.place.name, b, r)
		if !r.killed && (r.code == 0) != r.Success {
			s.t.Errorf("exit code and reply differ: %s", about)
		}
		if b == nil && !good && d.mayFail == "" {
			s.t.Errorf("failed without a injection: %s", about)
		}
		if b == nil && !good && d.mayFail != "" && !strings.Contains(r.out, d.mayFail) {
			s.t.Errorf("failed without a injection, and not by %q: %s", d.mayFail, about)
		}
		if !good && !r.killed && r.Error == nil && r.err == "" && !strings.Contains(r.out, `"error"`) {
			s.t.Errorf("failed and does not say why: %s", about)
		}
		if good && d.check != nil {
			if err := d.check(r); err != nil {
				s.t.Errorf("%v: %s", err, about)
			}
		}
		if d.effect == "" {
			continue
		}
		if sums[d.effect] == nil {
			sums[d.effect] = &sum{before: d.before}
		}
		if good && (b == nil || !b.cutsNetwork) {
			sums[d.effect].least++
		}
		sums[d.effect].most++
	}
	for effect, sum := range sums {
		n := s.site.counted(effect) - sum.before
		if n < sum.least {
			s.t.Errorf("%s: said to be done %d times, seen %d times (%s)", effect, sum.least, n, b)
		}
		if once := !strings.HasPrefix(effect, "open ") && !strings.HasPrefix(effect, "fill "); once && n > sum.most {
			s.t.Errorf("%s: seen %d times of %d commands (%s)", effect, n, sum.most, b)
		}
	}
}

// end closes everything and looks for what is left.
func (s *faultRun) end() {
	for _, p := range s.places {
		s.begin(p, "close").end()                                // it may show a dialog
		got := s.begin(p, "open", s.site.URL+"/p/"+p.name).end() // the last browsers sweep what earlier ones left
		require.Zero(s.t, got.code, got)
	}
	s.u.call(s.t, "close", "--all")
	id, err := daemon.FindHost(s.t.Context(), s.u.run, "")
	require.NoError(s.t, err)
	if id.PID != 0 {
		all := tree(id.PID)
		terminate(id.PID)
		requireGone(s.t, all)
	}
	require.Eventually(s.t, func() bool {
		return len(mentioning(s.u.base)) == 0
	}, leaveLimit, 20*time.Millisecond, "processes are left: %v", mentioning(s.u.base))
	var left []string
	for _, dir := range []string{s.u.tmp, s.u.run, s.u.cwd} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !s.mayStay(path) {
				left = append(left, path)
			}
			return err
		})
		require.True(s.t, err == nil || errors.Is(err, fs.ErrNotExist), "%v", err)
	}
	require.Empty(s.t, left, "files are left")
	for _, pattern := range []string{"*/profiles/*", "skua-downloads-*", "org.chromium.*", ".org.chromium.*"} {
		found, err := filepath.Glob(filepath.Join(s.u.tmp, pattern))
		require.NoError(s.t, err)
		require.Empty(s.t, found, "folders are left")
	}
}

// mayStay reports whether a file is one that is kept: what commands were asked to write, the log of the host, and its
// locks.
func (s *faultRun) mayStay(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "made-") || strings.HasSuffix(name, ".log") ||
		strings.HasSuffix(name, ".lock") && strings.HasPrefix(path, s.u.run)
}
