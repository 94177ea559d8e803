package electron

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	crashFolder = "Crashpad" // of a profile; an app that asks for crash reports has them there
	dumpSuffix  = ".dmp"     // of a minidump
	keptSuffix  = ".crashes" // of the folder in which a launch's crash reports are kept
	keptDumps   = 5          // the newest of a launch, which are kept when its profile is removed
)

// dump is a crash report: what Crashpad writes of a process that crashes.
type dump struct {
	path string
	at   time.Time
}

// dumpsBelow returns the crash reports in a folder and those below it, the oldest first.
func dumpsBelow(dir string) (dumps []dump) {
	_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.HasSuffix(entry.Name(), dumpSuffix) {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Size() > 0 {
			dumps = append(dumps, dump{path, info.ModTime()})
		}
		return nil
	})
	slices.SortFunc(dumps, func(a, b dump) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	return dumps
}

// keepDumps moves the app's crash reports out of its profile, which is about to be removed. Without records there is
// no place for them.
func (l *launch) keepDumps() {
	if l.crashes == "" {
		return
	}
	dumps := dumpsBelow(filepath.Join(l.dir, crashFolder))
	for _, d := range dumps[max(0, len(dumps)-keptDumps):] {
		if os.MkdirAll(l.crashes, 0o700) == nil {
			move(d.path, filepath.Join(l.crashes, filepath.Base(d.path)))
		}
	}
}

// move moves a file, to another file system, too. What cannot be moved stays.
func move(from, to string) {
	if os.Rename(from, to) == nil {
		return
	}
	if text, err := os.ReadFile(from); err == nil && os.WriteFile(to, text, 0o600) == nil {
		_ = os.Remove(from)
	}
}

// dumps returns the paths of the app's crash reports, the oldest first.
func (l *launch) dumps() []string {
	return paths(append(dumpsBelow(l.crashes), dumpsBelow(filepath.Join(l.dir, crashFolder))...))
}

func paths(dumps []dump) (all []string) {
	for _, d := range dumps {
		all = append(all, d.path)
	}
	return all
}

// CrashReports returns the paths of the crash reports that an app has written, the oldest first. They outlive the app,
// for as long as its launch is known. An app writes some only if it asks Electron for them.
func (k *Launcher) CrashReports(launchID string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.dumpsOf(launchID)
}

// dumpsOf is CrashReports for those who hold k.mu.
func (k *Launcher) dumpsOf(launchID string) []string {
	if l := k.launches[launchID]; l != nil {
		return l.dumps()
	}
	if _, known := k.finished[launchID]; !known {
		return nil
	}
	return paths(dumpsBelow(k.store.crashes(launchID)))
}

// crashed reports whether a process that ended in a way has crashed.
func crashed(exit string) bool {
	return strings.HasPrefix(exit, "signal: ") && exit != "signal: killed"
}

// withDump appends the newest crash report to how an app has ended.
func withDump(how string, dumps []string) string {
	if len(dumps) == 0 {
		return how
	}
	return strings.TrimPrefix(how+". Its crash report: "+dumps[len(dumps)-1], ". ")
}
