//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
)

// browser is the Chromium in which the app shows its windows. The app speaks to it over a pipe of its own, so that the debugging port is
// only for others, and is there only when it was asked for.
type browser struct {
	cmd      *exec.Cmd
	conn     *cdp.Conn
	portFile portFile
	ended    chan struct{}
	err      error // how it ended; set before ended is closed
	watcher  *watcher
	outlives bool
	detached bool
}

// startBrowser starts the browser with the arguments of the app and what Electron would add.
func startBrowser(f flags, args []string, asar, url string) (*browser, error) {
	headless := os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == ""
	shell := headless && f.noWebview // it shows no guests, and starts in a third of the time
	path, err := chrome.Find(shell, "", os.Getenv)
	if err != nil {
		return nil, err
	}
	given := split(args)
	profile := given["--user-data-dir"]
	if profile == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return nil, err
		}
		executable, _ := os.Executable()
		profile = filepath.Join(config, filepath.Base(executable))
	}
	b := &browser{ended: make(chan struct{}), watcher: newWatcher(), portFile: portFile{dir: profile}, outlives: f.outlives(), detached: f.detach}
	ours := []string{
		"--remote-debugging-pipe", "--app-path=" + asar, "--no-first-run", "--no-default-browser-check", "--disable-sync",
		"--disable-component-update", "--disable-background-networking", "--disable-breakpad", "--password-store=basic", "--use-mock-keychain",
		"--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) " + userAgentMark + " Safari/537.36",
		"--user-data-dir=" + b.portFile.profile(f.portFile),
		// The guest of a PDF is a target of type webview only so.
		"--disable-features=" + strings.Trim("PdfOopif,"+given["--disable-features"], ","),
	}
	if headless {
		ours = append(ours, "--headless=new", "--disable-gpu")
	}
	if shell {
		ours = append(ours, url)
	} else {
		ours = append(ours, "--app="+url)
	}
	if os.Geteuid() == 0 {
		ours = append(ours, "--no-sandbox")
	}
	if err := os.MkdirAll(b.portFile.profile(f.portFile), 0o700); err != nil {
		return nil, err
	}
	return b, b.start(f, path, append(args, ours...))
}

func (b *browser) start(f flags, path string, args []string) error {
	itsRead, ourWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	ourRead, itsWrite, err := os.Pipe()
	if err != nil {
		return err
	}
	if f.outlives() {
		// Nobody may wait for it then. It must not stay for ever either.
		path, args = "/usr/bin/timeout", append([]string{"--foreground", "-k", "1", "180", path}, args...)
	}
	b.cmd = exec.Command(path, args...)
	b.cmd.Stderr = os.Stderr
	b.cmd.ExtraFiles = []*os.File{itsRead, itsWrite}
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if f.outlives() {
		b.cmd.SysProcAttr.Pdeathsig = 0
		// It ends when its pipe does, so it gets our ends too.
		b.cmd.ExtraFiles = append(b.cmd.ExtraFiles, ourWrite, ourRead)
	}
	if f.detach || f.refuseExit {
		b.cmd.SysProcAttr.Setsid = true // so that signals to the app's group do not reach it
	}
	if err := b.cmd.Start(); err != nil {
		return err
	}
	_, _ = itsRead.Close(), itsWrite.Close()
	b.conn = cdp.NewConn(cdp.NewPipe(ourRead, ourWrite))
	go func() {
		b.err = b.cmd.Wait()
		close(b.ended)
	}()
	return nil
}

// kill ends the browser, if it still runs, and waits for its end.
func (b *browser) kill() {
	pid := b.cmd.Process.Pid
	switch {
	case b.detached:
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	case b.outlives:
		_ = syscall.Kill(pid, syscall.SIGTERM) // timeout passes it on
	default:
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-b.ended
}

// quit closes the browser as its user would, and waits a while for it. A browser that hangs on its way out outlives this call: whoever
// ends the app kills it then, as Electron ends its process when all windows are closed.
func (b *browser) quit(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = b.conn.Root().Call(ctx, "Browser.close", nil, nil) // it may be gone already
	select {
	case <-b.ended:
	case <-ctx.Done():
	}
}

// show opens what is not open yet, and returns when all of the app is shown.
func (b *browser) show(life context.Context, main *process, f flags) error {
	ctx, cancel := context.WithTimeout(life, time.Minute)
	defer cancel()
	root := b.conn.Root()
	root.Handle(b.watcher.see)
	if err := root.Call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
		return err
	}
	if f.windows > 1 {
		if err := b.open(ctx, main, "second.html"); err != nil {
			return err
		}
	}
	if f.noWebview {
		return nil
	}
	dressed := make(chan error, 1)
	go b.dressGuests(life, b.watcher.guests, main, dressed) // until the app or the browser ends
	select {
	case err := <-dressed:
		return err
	case <-b.ended:
		return nil
	case <-ctx.Done():
		return errors.New("no guest appeared in the main window")
	}
}

// open opens a window, without tabs and address bar. Only a page can do that, so the main window does.
func (b *browser) open(ctx context.Context, main *process, page string) error {
	id, err := b.watcher.mainWindow(ctx, main.url("index.html"))
	if err != nil {
		return err
	}
	s, err := b.attach(ctx, id)
	if err != nil {
		return err
	}
	script := fmt.Sprintf("window.open(%q, '_blank', 'popup,noopener,width=640,height=480')", main.url(page))
	if err := s.Call(ctx, "Runtime.evaluate", map[string]any{"expression": script, "userGesture": true}, nil); err != nil {
		return fmt.Errorf("opening %s: %w", page, err)
	}
	return b.conn.Root().Call(ctx, "Target.detachFromTarget", map[string]any{"sessionId": s.ID()}, nil)
}

// attach opens a session with a target.
func (b *browser) attach(ctx context.Context, id string) (*cdp.Session, error) {
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.conn.Root().Call(ctx, "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	return b.conn.Session(attached.SessionID), nil
}
