package actions

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/doctor"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// Call is one run of a command: what was asked, by whom, and the session that it runs in.
type Call struct {
	*Input
	Session      Session
	Cwd          string                                        // the caller's folder, absolute
	Stdin        []byte                                        // what the caller piped in, for commands that read it
	Getenv       func(string) string                           // the caller's environment
	Deadline     time.Time                                     // when waits give up; the context lasts a little longer, so that they can say what they saw
	Exec         func(context.Context, *Input) (Result, error) // runs another command in this session; for batch
	Parse        func(argv []string) (*Input, error)           // parses a row of a batch
	Surroundings doctor.Surroundings                           // for `doctor`
	Terminal     io.Writer                                     // where a person watches this very process; nil: nobody does
	Out, ErrOut  io.Writer                                     // reach the caller while the command runs; nil: only its result does
	Attended     bool                                          // the caller's standard input is a terminal
	Confirmed    bool                                          // another command was run, which may have closed the session
	Brief        bool                                          // nothing of this process outlives the command

	// Ask prints a prompt at the caller's terminal and returns the line that a person types there, which is not shown when hidden. It
	// returns ErrNoTerminal when nobody can be asked. The time that the person takes is the command's: one that asks needs AtLeast.
	Ask func(ctx context.Context, prompt string, hidden bool) (string, error)

	// ExecIn runs a command in another session of the host, when it is that one's turn.
	ExecIn func(ctx context.Context, session string, in *Input) (Result, error)

	armed   *engine.Frame // in whose page an aim waits for its input
	acting  *acting       // of a command that may change something
	dialogs dialogWatch
	notes   []string

	intoSecret bool // what was typed goes into a field whose content is not shown

	healed  []refReport
	changed []refReport
	matched []matchedReport
}

// ErrNoTerminal says that there is nobody to ask, or that the person gave up.
var ErrNoTerminal = errors.New("there is nobody at a terminal to ask")

// Tab is one tab of a session.
type Tab struct {
	ID    string // "t1"; never used again in the session
	Label string // the caller's name for it, or empty
	Page  *engine.Page

	looking  atomic.Pointer[frameChoice] // the frame that selectors look in; nil: the main frame
	requests hearingSlot                 // what its last action made it ask for
	late     lateEffects                 // what earlier actions led to after their replies
	pictures pictures                    // that `screenshot --if-changed` compares with
	offered  perceive.Memory             // what its page offered when that was read last
}

// Run runs the command that was asked for.
func (c *Call) Run(ctx context.Context) (Result, error) {
	if !c.Command().OneTab() && c.Flagged("tab") {
		return Result{}, c.Invalid("`" + c.Name() + "` is not about one tab, so that --tab means nothing to it.")
	}
	if err := c.dialogsBegin(); err != nil {
		return Result{}, err
	}
	added, err := c.addInitScripts(ctx)
	if err != nil {
		return Result{}, err
	}
	res, err := c.Command().Run(ctx, c)
	if cause := context.Cause(ctx); err == nil && sessionClosed(cause) && !c.Command().Effect.Has(Closes) && !c.Confirmed {
		err = cause // what the page did when its session was closed is no effect of the command
	}
	c.disarm(ctx)
	c.lateNotes(err != nil)
	if err == nil {
		tellInitScripts(&res, added)
	}
	if a := c.acting; a != nil {
		if err == nil && a.begun {
			err = c.conclude(ctx, &res)
		}
		if a.traffic != nil {
			a.tab.keepTraffic(a.traffic)
		}
	}
	c.lateDownloads()
	if res.Secret = res.Secret || c.intoSecret; res.Secret {
		c.keepSecrets()
	}
	c.reportRefs(&res)
	c.dialogsEnd()
	err = c.dialogError(err)
	if err == nil && c.Bool("observe") {
		c.observe(ctx, &res)
	}
	if _, tab := c.Session.Tabs(); tab != nil && c.Has("tab") && c.Command().OneTab() {
		res.Tab = tab.ID
	}
	if note := c.Session.Film().takeNote(); note != "" {
		c.Note(note)
	}
	res.Notes = append(c.notes, res.Notes...)
	return res, err
}

// keepSecrets has what was typed into a field that does not show it taken out of what is told of the session's requests.
func (c *Call) keepSecrets() {
	if c.acting == nil {
		return
	}
	for _, a := range c.Command().Args {
		if a.Typed {
			c.acting.tab.Page.Context().KeepSecret(strings.TrimRight(c.String(a.Name), "\n"))
		}
	}
}

// CarryOut runs another command, for one that goes on with what it does. One that is held until it is confirmed has done nothing yet: that is an
// error here.
func (c *Call) CarryOut(ctx context.Context, in *Input) (Result, error) {
	res, err := c.Exec(ctx, in)
	if err == nil && res.Held {
		err = fault.New(fault.ConfirmationRequired, "`%s` has to be confirmed first; it was not done. %s", in.Name(), res.Text).About(in.Name())
	}
	return res, err
}

// Note adds a truth that the caller must not miss.
func (c *Call) Note(note string) { c.notes = append(c.notes, note) }

// Path returns a path of the caller's as an absolute one.
func (c *Call) Path(p string) string {
	if home := c.Getenv("HOME"); home != "" && (p == "~" || strings.HasPrefix(p, "~/")) {
		return filepath.Join(home, p[1:])
	}
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(c.Cwd, p)
}

// SettleLimit is how long a command waits for a navigation that is under way before it works on what there is.
const SettleLimit = 10 * time.Second

// Tab returns the active tab once no navigation is under way in it, and begins to watch what a command that may change something does to it. It fails
// while a dialog keeps the page from doing anything.
func (c *Call) Tab(ctx context.Context) (*Tab, error) {
	tab, err := c.unwatched(ctx)
	if err != nil {
		return nil, err
	}
	return tab, c.attend(ctx, tab)
}

// pageForOp is page for a command whose first op in the page begins to watch it, by its argument watch, which spares a call.
func (c *Call) pageForOp(ctx context.Context) (*Tab, error) {
	tab, err := c.unwatched(ctx)
	if err != nil {
		return nil, err
	}
	c.beginActing(tab)
	return tab, nil
}

// unwatched is page for a command that does nothing to the page that is shown: what it asks servers for meanwhile is no effect of the command, and
// the browser is not to tell of it.
func (c *Call) unwatched(ctx context.Context) (*Tab, error) {
	tab, err := c.ArrivedTab(ctx)
	if err != nil {
		return nil, err
	}
	return tab, tab.Page.Answers(ctx)
}

// ArrivedTab returns the active tab once no navigation is under way in it, whether or not its page can answer.
func (c *Call) ArrivedTab(ctx context.Context) (*Tab, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return nil, err
	}
	c.AnswerDialogs(tab)
	if still, err := c.settle(ctx, tab); err != nil {
		return nil, err
	} else if !still {
		if to := tab.Page.Navigating(); to != "" {
			c.Note("the page is still on its way to " + to + "; this is what it shows meanwhile")
		} else {
			c.Note("the page is still loading; this is what it shows so far")
		}
	}
	c.lateNavigation(tab)
	return tab, nil
}

// Reachable returns the active tab when its page can be told something, whether or not it is loading.
func (c *Call) Reachable(ctx context.Context) (*Tab, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return nil, err
	}
	return tab, tab.Page.Answers(ctx)
}

// defaultPatience is how long a command waits for its target to exist and to be ready. Upstream looks once and fails, which makes
// scripts wait by hand before every step; waiting for the whole deadline would turn each typing error into a long silence.
const defaultPatience = 2 * time.Second

// patience returns for how long to retry: what --timeout says when it is given, else the default, never past the deadline.
func (c *Call) patience() time.Duration {
	left := c.Left()
	if c.Flagged("timeout") {
		return left - min(left/10, answerTime) // a page that gives up has to say what it saw, and the deadline holds
	}
	return min(defaultPatience, left)
}

// answerTime is what is left of the time that a caller gave for the answer of a page that is busy.
const answerTime = 100 * time.Millisecond

// asUsage marks an error about what the caller typed.
func asUsage(format string, args ...any) *fault.Error {
	return fault.New(fault.Usage, format, args...).With("type", InvalidValue)
}
