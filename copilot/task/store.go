package task

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/plainjson"
)

// Store is the folder of a user's tasks: a file of records for each, private to the user.
type Store struct{ dir string }

// Kind is what the folder is called among the user's files, see [home.Subdir].
const Kind = "tasks"

// Open returns the store of the caller whose environment getenv is. Nothing is made before there is a task.
func Open(getenv func(string) string, namespace string) (*Store, error) {
	dir, err := home.Subdir(getenv, namespace, Kind)
	if err != nil {
		return nil, fault.New(fault.File, "No folder for the records of tasks is known: %w", err)
	}
	return NewStore(dir), nil
}

// NewStore returns the store in a folder.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

const (
	suffix     = ".jsonl"
	lockSuffix = ".lock"
)

var goodID = lazyregexp.New(`^[a-z0-9]{4,32}$`)

func (s *Store) path(id string) string { return filepath.Join(s.dir, id+suffix) }

// Folder makes the folder for the files that a task saves, and returns it.
func (s *Store) Folder(id string) (string, error) {
	dir := filepath.Join(s.dir, id+".files")
	if err := home.Make(dir); err != nil {
		return "", fault.New(fault.File, "The folder for the files of task %s cannot be made: %w", id, err).About(dir)
	}
	return dir, nil
}

func unknown(id string) error {
	return fault.New(fault.Usage, "There is no task %s.", id).About(id).WithHint("`task list` shows which there are.")
}

// Load reads a task. One that is active by its records but has no runner is blocked: the host that worked on it is
// gone.
func (s *Store) Load(id string) (*Task, error) {
	t, err := s.read(id)
	if err != nil {
		return nil, err
	}
	if t.Status.Active() && !s.held(id) {
		t.orphaned()
	}
	return t, nil
}

// orphaned says what is true of a task whose host was killed.
func (t *Task) orphaned() {
	reason := "the host that worked on it is gone; it was " + string(t.Status)
	if b := t.begun; b != nil {
		reason += ", and it is not known whether step " + strconv.Itoa(b.N) + " was done: " + b.Step.Description
	}
	t.Status, t.Reason = Blocked, reason
}

func (s *Store) read(id string) (*Task, error) {
	if !goodID.MatchString(id) {
		return nil, unknown(id)
	}
	f, err := os.Open(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(id)
	}
	if err != nil {
		return nil, fault.New(fault.File, "The records of task %s cannot be read: %w", id, err).About(id)
	}
	defer func() { _ = f.Close() }()
	t, err := replayed(f)
	if err != nil {
		return nil, fault.New(fault.File, "The records of task %s cannot be read: %w", id, err).About(s.path(id))
	}
	return t, nil
}

// replayed is the task that records lead to. A host that was killed while it wrote leaves a part of a line, which
// counts for nothing. A last line that lacks its end only is whole: Resume ends it.
func replayed(r io.Reader) (*Task, error) {
	var t *Task
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(line) == 0 {
			break
		}
		var rec Record
		if json.Unmarshal(line, &rec) != nil {
			continue // a part of a line, which the host that went on has ended, or an empty one
		}
		switch {
		case t == nil && rec.Task == nil:
			return nil, errors.New("they do not begin with the task")
		case t == nil:
			t = rec.Task
		default:
			t.apply(&rec)
		}
	}
	if t == nil {
		return nil, errors.New("there are none")
	}
	return t, nil
}

// List returns all tasks, the newest first, and the ids of those whose records cannot be read.
func (s *Store) List() (tasks []*Task, broken []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fault.New(fault.File, "The tasks cannot be listed: %w", err).About(s.dir)
	}
	tasks = []*Task{}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || !goodID.MatchString(id) {
			continue
		}
		t, err := s.Load(id)
		if err != nil {
			broken = append(broken, id)
			continue
		}
		tasks = append(tasks, t)
	}
	slices.SortStableFunc(tasks, func(a, b *Task) int { return int(b.CreatedAt - a.CreatedAt) })
	return tasks, broken, nil
}

// held reports whether a runner works on a task.
func (s *Store) held(id string) bool {
	lock := flock.New(s.path(id)+lockSuffix, flock.SetPermissions(0o600))
	ok, err := lock.TryRLock()
	if err != nil {
		return false
	}
	_ = lock.Close()
	return !ok
}

// Log is a task that this process works on, and its file. No other process can have it open.
type Log struct {
	measured *Metrics // since the last record, or nil

	Task *Task

	file *os.File
	lock *flock.Flock
	hide func([]byte) []byte
	now  func() int64
}

// newID makes an id for a task.
func newID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // it never fails
	return "k" + hex.EncodeToString(b[:])
}

// Create begins a task's records. The caller closes the log.
func (s *Store) Create(t *Task, now func() int64) (*Log, error) {
	if err := home.Make(s.dir); err != nil {
		return nil, fault.New(fault.File, "The folder of tasks cannot be made: %w", err).About(s.dir)
	}
	t.ID, t.Status = newID(), Created
	t.CreatedAt = now()
	t.UpdatedAt = t.CreatedAt
	t.Subgoal, t.Breadcrumbs, t.History, t.Bindings, t.SiteGraph.RecentURLs = t.Goal, []Breadcrumb{}, []StepRecord{},
		map[string]pcd.Detail{}, []string{}
	l, err := s.open(t.ID, os.O_EXCL|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	l.Task, l.now = t, now
	if err := l.line(&Record{TS: t.CreatedAt, Type: Opened, Task: t}); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// Resume opens the records of a task that has no runner.
func (s *Store) Resume(id string, now func() int64) (*Log, error) {
	if _, err := s.read(id); err != nil {
		return nil, err
	}
	l, err := s.open(id, 0)
	if err != nil {
		return nil, err
	}
	l.now = now
	if l.Task, err = s.read(id); err == nil {
		err = l.mend()
	}
	if err == nil && l.Task.Status.Active() {
		was := *l.Task
		was.orphaned()
		err = l.Add(&Record{Type: Turned, Status: Blocked, Reason: was.Reason})
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

func (s *Store) open(id string, flags int) (*Log, error) {
	l := &Log{lock: flock.New(s.path(id)+lockSuffix, flock.SetPermissions(0o600)), hide: func(line []byte) []byte {
		return line
	}}
	ok, err := l.lock.TryLock()
	if err != nil {
		return nil, fault.New(fault.File, "Task %s cannot be locked: %w", id, err).About(id)
	}
	if !ok {
		_ = l.lock.Close()
		return nil, fault.New(fault.Usage, "Task %s is running.", id).About(id).
			WithHint("`task show %s` shows its progress, `task cancel %s` ends it.", id, id)
	}
	if l.file, err = os.OpenFile(s.path(id), os.O_RDWR|os.O_APPEND|flags, 0o600); err != nil {
		_ = l.lock.Close()
		return nil, fault.New(fault.File, "The records of task %s cannot be written: %w", id, err).About(id)
	}
	return l, nil
}

// mend ends a line that a killed host left without its end.
func (l *Log) mend() error {
	info, err := l.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := l.file.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = l.file.Write([]byte("\n"))
	return err
}

// Hide has the values of secrets taken out of what is written.
func (l *Log) Hide(s *Secrets) { l.hide = s.line }

// Add writes a record, and brings the task to where it says.
func (l *Log) Add(r *Record) error {
	r.TS = l.now()
	if r.Type == Turned {
		if err := l.Task.Status.To(r.Status); err != nil {
			return err
		}
	}
	r.Metrics, l.measured = l.measured, nil
	if err := l.line(r); err != nil {
		return err
	}
	l.Task.apply(r)
	return nil
}

// Turn brings the task to a state.
func (l *Log) Turn(s Status, reason string) error {
	if t := l.Task; t.Status == s && t.Reason == reason {
		return nil
	}
	rec := &Record{Type: Turned, Status: s, Reason: reason}
	if s == Succeeded {
		rec.Progress = 1
	}
	return l.Add(rec)
}

// Interrupted notes a step of which only the beginning is in the records: it is not known whether it was done, and it
// is not done again.
func (l *Log) Interrupted() error {
	if l.Task.begun == nil {
		return nil
	}
	step := *l.Task.begun
	step.Status, step.Unknown = StepError, true
	step.Result = &toolbox.Result{Error: "the host ended while it was done; it is not known whether it was"}
	return l.Add(&Record{Type: Stepped, Step: &step})
}

// line writes one record with one write, so that a host that is killed leaves whole lines. What a task waits for, or
// ended as, is on the disk before anybody hears of it.
func (l *Log) line(r *Record) error {
	text, err := plainjson.Marshal(r)
	if err != nil {
		return fault.New(fault.Internal, "a record of task %s cannot be written: %w", l.Task.ID, err)
	}
	_, err = l.file.Write(l.hide(append(text, '\n')))
	if err == nil && (r.Type == Begun || r.Type == Waits || r.Type == Turned && !r.Status.Active()) {
		err = l.file.Sync()
	}
	if err != nil {
		return fault.New(fault.File, "The records of task %s cannot be written: %w", l.Task.ID, err).About(l.Task.ID)
	}
	return nil
}

// Close lets others have the task.
func (l *Log) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	return errors.Join(err, l.lock.Close())
}
