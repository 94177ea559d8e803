package session

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/browsers/install"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/daemon"
)

// noSandboxNote is the variable with which a caller turns off the note about the missing sandbox, for example in a
// container.
const noSandboxNote = "SKUA_NO_SANDBOX_NOTE"

// machineNotes are the notes about the machine that a host has shown.
type machineNotes struct {
	sandbox atomic.Bool // that there is none
	fonts   atomic.Bool // whether there are any: a browser was asked
	folders daemon.FolderNotes
}

// noteMissingSandbox reports, once per host, that the system refuses Chromium's sandbox. Callers who asked for a
// browser without it, or set noSandboxNote, are not told.
func (m *Manager) noteMissingSandbox(s *Session, getenv func(string) string) {
	why := ""
	if l := s.browser.Lease(); l != nil {
		why = l.Browser.Exposure()
	}
	if known := getenv(noSandboxNote); why == "" || known != "" && known != "0" && known != "false" ||
		!m.machineNoted.sandbox.CompareAndSwap(false, true) {
		return
	}
	s.addNotice("the browser runs without Chromium's own sandbox, since " + why +
		": a page that takes over its renderer process has the rights of this user; " +
		"run `doctor` to see what to do, or set " + noSandboxNote + "=1 to hide this note")
}

// fontLimit bounds the question whether there are fonts. It is asked once per host, when a browser has just started.
const fontLimit = 500 * time.Millisecond

// measureText returns the width of a word in the default font. Without any font it is 0.
const measureText = `() => { const c = new OffscreenCanvas(1, 1).getContext('2d'); return c ? c.measureText('fonts').width : -1; }`

// noteMissingFonts reports, once per host, that the machine has no fonts. Chromium then draws no text and gives lines
// of text no height: pictures are blank, and elements that hold only text cannot be clicked. The headless shell ends at
// a form field. Nothing else says so.
func (m *Manager) noteMissingFonts(ctx context.Context, s *Session, getenv func(string) string) {
	tab := s.browser.ActiveTab()
	if runtime.GOOS != "linux" || tab == nil || m.machineNoted.fonts.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, fontLimit)
	defer cancel()
	var width float64
	note := "this machine has no fonts, so that pages show no text: pictures are blank, and lines of text have no height"
	if fault.Is(tab.Page.Err(), fault.BrowserGone) { // so that it cannot be asked, nor is the next one spared the question
		if install.HasFonts(getenv) {
			return
		}
		note = "no fonts were found on this machine, and without fonts the browser ends at a form field"
	} else if err := tab.Page.Main().RunScript(ctx, measureText, nil, &width); err != nil ||
		m.machineNoted.fonts.Swap(true) || width != 0 {
		return
	}
	mend := "install fonts with the package manager of this system"
	if packages := install.DetectManager(getenv); packages != nil {
		mend = "type `" + packages.Shown(packages.Fonts()) + "`"
	}
	s.addNotice(note + "; " + mend + ", then `close` and open the page again")
}
