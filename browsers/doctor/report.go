package doctor

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Status is the result of a check.
type Status string

// The statuses. Only Fail makes the whole fail.
const (
	Pass Status = "pass"
	Warn Status = "warn"
	Fail Status = "fail"
	Info Status = "info"
)

// Check is one line of the report.
type Check struct {
	Category string `json:"category"`
	ID       string `json:"id"`
	Message  string `json:"message"`
	Status   Status `json:"status"`
	Fix      string `json:"fix,omitempty"` // what a person does about it

	repair func(ctx context.Context) (said string, err error) // what --fix does about it, or nil
}

// Report is what a doctor says.
type Report struct {
	Success bool `json:"success"`
	Findings
}

// WithoutEnvelope returns what was found, for callers that learn of success in another way.
func (r Report) WithoutEnvelope() any { return r.Findings }

// Findings are the checks and what they come to.
type Findings struct {
	Checks  []Check  `json:"checks"`
	Fixed   []string `json:"fixed"`
	Summary Summary  `json:"summary"`
	Verdict string   `json:"verdict"` // one line: whether skua works, and else what to do first
}

// Summary counts checks.
type Summary struct {
	Pass int `json:"pass"`
	Warn int `json:"warn"`
	Fail int `json:"fail"`
}

// HostInfo finds the hosts of a user. The packages above implement it.
type HostInfo interface {
	// HostDir returns the folder of the hosts of the caller.
	HostDir(getenv func(string) string) string
	// FindHost asks the host of a namespace in it who it is. Without a host pid is 0. built is when its program was made.
	FindHost(ctx context.Context, dir, namespace string) (pid int, built time.Time, err error)
}

// Config is a configuration file that is there.
type Config struct {
	Path    string
	Err     error    // why it does not count
	Unknown []string // keys that mean nothing
	Ignored []string // keys that it may not set, as its folder is not trusted
}

// Options say what is looked at.
type Options struct {
	Getenv     func(string) string
	Namespace  string
	Version    string // of skua
	Commit     string // that it was built from; empty means not known
	Program    string // the host program
	Executable string // the browser that the caller named; empty means what is found
	HostInfo   HostInfo
	Configs    []Config
	Roots      *x509.CertPool // trusted beside those of the system, or nil
	Proxy      string

	Offline bool // asks nothing of the network
	Quick   bool // starts no browser, and reads no large files
	WebGPU  bool // looks whether pages can compute on a graphics card
	Headed  bool // does that in a window
	Debug   bool // says more of what it did
	Fix     bool // repairs what is safe to be repaired
}

// group is a part of the report that runs by itself.
type group struct {
	category string
	id       string // of the check that says that the group did not end in time
	limit    time.Duration
	run      func(ctx context.Context, o *Options) []Check
}

// groups lists all, in the order of the report.
func groups(o *Options) []group {
	all := []group{
		{"Environment", "env.time", 10 * time.Second, environment},
		{"Chrome", "chrome.time", 30 * time.Second, browser},
		{"Recording", "recording.time", 10 * time.Second, recording},
		{"Daemons", "daemon.time", 15 * time.Second, daemons},
		{"Security", "security.time", 10 * time.Second, security},
		{"Providers", "providers.time", 5 * time.Second, providers},
	}
	if !o.Offline {
		all = append(all, group{"Network", "net.time", 20 * time.Second, network})
	}
	if !o.Quick {
		all = append(all, group{"Launch test", "launch.time", 90 * time.Second, launch})
	}
	if o.WebGPU {
		all = append(all, group{"WebGPU probe", "webgpu.time", 90 * time.Second, webGPU})
	}
	return all
}

// Run looks at everything, and repairs what it may.
func Run(ctx context.Context, o Options) Report {
	all := groups(&o)
	found := make([][]Check, len(all))
	var working sync.WaitGroup
	for i, g := range all {
		working.Go(func() { found[i] = g.look(ctx, &o) })
	}
	working.Wait()
	r := Report{Findings: Findings{Fixed: []string{}, Checks: []Check{}}}
	for i, g := range all {
		if o.Fix && r.repair(ctx, found[i]) {
			found[i] = g.look(ctx, &o)
		}
		r.Checks = append(r.Checks, found[i]...)
	}
	for _, c := range r.Checks {
		switch c.Status {
		case Pass:
			r.Summary.Pass++
		case Warn:
			r.Summary.Warn++
		case Fail:
			r.Summary.Fail++
		}
	}
	r.Success = r.Summary.Fail == 0
	r.Verdict = r.verdict()
	return r
}

// look runs a group under its deadline. A call of the system may hang for longer, on a disk that is gone for example;
// then its goroutine ends when that does.
func (g group) look(ctx context.Context, o *Options) []Check {
	ctx, cancel := context.WithTimeout(ctx, g.limit)
	defer cancel()
	done := make(chan []Check, 1)
	start := time.Now()
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- []Check{{ID: g.id, Status: Fail, Message: fmt.Sprintf("A bug ended these checks: %v", r)}}
			}
		}()
		done <- g.run(ctx, o)
	}()
	var checks []Check
	select {
	case checks = <-done:
	case <-time.After(g.limit + time.Second): // a check that respects the deadline has a moment to say so
		checks = []Check{{ID: g.id, Status: Fail, Message: "These checks did not end within " + g.limit.String()}}
	}
	for i := range checks {
		checks[i].Category = g.category
	}
	if o.Debug {
		checks = append(checks, Check{
			Category: g.category,
			ID:       g.id,
			Status:   Info,
			Message:  "Looked for " + time.Since(start).Round(time.Millisecond).String(),
		})
	}
	return checks
}

// repair does what is safe, and reports whether anything changed.
func (r *Report) repair(ctx context.Context, checks []Check) (changed bool) {
	for _, c := range checks {
		if c.repair == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		outcome, err := c.repair(ctx)
		cancel()
		if err != nil {
			r.Fixed = append(r.Fixed, "not fixed: "+cmp.Or(outcome, c.Message)+": "+err.Error())
			continue
		}
		r.Fixed, changed = append(r.Fixed, outcome), true
	}
	return changed
}

// Text is the report for people.
func (r Report) Text(program string, fixing bool) string {
	var b strings.Builder
	b.WriteString(program + " doctor\n")
	category := ""
	for _, c := range r.Checks {
		if c.Category != category {
			category = c.Category
			b.WriteString("\n" + category + "\n")
		}
		fmt.Fprintf(&b, "  %s  %s\n", c.Status, c.Message)
		if c.Fix != "" {
			b.WriteString("        fix: " + c.Fix + "\n")
		}
	}
	if len(r.Fixed) > 0 {
		b.WriteString("\nFixed\n")
		for _, f := range r.Fixed {
			b.WriteString("  " + f + "\n")
		}
	}
	fmt.Fprintf(&b, "\nSummary: %d pass, %d warn, %d fail", r.Summary.Pass, r.Summary.Warn, r.Summary.Fail)
	for _, c := range r.Checks {
		if c.repair != nil && !fixing {
			b.WriteString("\n\ntip: `" + program + " doctor --fix` repairs what can be repaired safely.")
			break
		}
	}
	b.WriteString("\n\n" + r.Verdict)
	return b.String()
}

// list collects the checks of a group.
type list []Check

func (l *list) add(id string, s Status, format string, args ...any) *Check {
	*l = append(*l, Check{ID: id, Status: s, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// todo sets what a person does about it.
func (c *Check) todo(format string, args ...any) *Check {
	c.Fix = fmt.Sprintf(format, args...)
	return c
}
