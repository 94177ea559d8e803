package plugin

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// Host runs plugins for a caller.
type Host struct {
	Getenv func(string) string // the caller's environment
	Dir    string              // the caller's folder, in which plugins run
	Log    *slog.Logger        // may be nil
}

// Limits of a call.
const (
	maxOutput      = 4 << 20
	maxErrorOutput = 32 << 10
	drain          = time.Second // how long output is read after the plugin ended
)

// exchange runs a plugin with a request and returns its output and its error output.
func (h Host) exchange(ctx context.Context, p *Plugin, request []byte) (answer []byte, stderr string, err error) {
	path, err := h.find(p.Command)
	if err != nil {
		return nil, "", fault.New(fault.PluginFailed, "Failed to start plugin '%s': %w", p.Name, err).About(p.Name).
			WithHint("Its command is %s: check that it is installed.", p.Command)
	}
	cmd := exec.Command(path, p.Args...)
	cmd.Dir, cmd.Env = h.Dir, h.env(p)
	var pipes pipes
	defer pipes.close()
	if err := pipes.open(cmd); err != nil {
		return nil, "", fault.New(fault.PluginFailed, "Failed to start plugin '%s': %w", p.Name, err).About(p.Name)
	}
	group, err := procgroup.Start(cmd, procgroup.Options{})
	pipes.started()
	if err != nil {
		return nil, "", fault.New(fault.PluginFailed, "Failed to start plugin '%s': %w", p.Name, err).About(p.Name)
	}
	defer func() { group.Kill(); <-group.Done() }()
	pipes.carry(request, group.Kill)
	select {
	case <-group.Done():
	case <-ctx.Done():
		group.Kill()
		<-group.Done()
		pipes.finish()
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, pipes.said(), fault.New(fault.PluginFailed, "Plugin '%s' did not answer in time", p.Name).About(p.Name).
				With("timedOut", true)
		}
		return nil, pipes.said(), context.Cause(ctx)
	}
	pipes.finish()
	switch {
	case pipes.out.over:
		return nil, pipes.said(), fault.New(fault.PluginFailed, "Plugin '%s' answered with more than %d MB", p.Name,
			maxOutput>>20).About(p.Name)
	case group.Err() != nil:
		return nil, pipes.said(), fault.New(fault.PluginFailed, "Plugin '%s' exited unsuccessfully", p.Name).About(p.Name).
			With("exit", group.Exit())
	}
	return pipes.out.Bytes(), pipes.said(), nil
}

// harmless are the variables that every plugin gets.
var harmless = []string{
	"HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR", "TMP", "TEMP", "SHELL", "XDG_RUNTIME_DIR",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME",
	"XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"NODE_EXTRA_CA_CERTS",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	"USERPROFILE", "APPDATA", "LOCALAPPDATA", "SYSTEMROOT", "PATHEXT", "COMSPEC",
}

// env returns a plugin's environment: the caller's variables, else those of this process. skua's keys are never
// included.
func (h Host) env(p *Plugin) []string {
	env := []string{}
	for _, name := range slices.Concat(harmless, p.Env) {
		if strings.HasSuffix(name, "_ENCRYPTION_KEY") {
			continue
		}
		if v := h.getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func (h Host) getenv(name string) string {
	if h.Getenv != nil {
		if v := h.Getenv(name); v != "" {
			return v
		}
	}
	return os.Getenv(name)
}

// find returns the program of a command: a path relative to the caller's folder, or a name on the caller's PATH.
func (h Host) find(command string) (string, error) {
	if strings.ContainsAny(command, `/\`) {
		if rest, ok := strings.CutPrefix(command, "~/"); ok {
			command = filepath.Join(h.getenv("HOME"), rest)
		}
		if !filepath.IsAbs(command) {
			command = filepath.Join(h.Dir, command)
		}
		return exec.LookPath(command)
	}
	for _, dir := range filepath.SplitList(h.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		names := []string{command}
		if runtime.GOOS == "windows" && filepath.Ext(command) == "" {
			names = []string{command + ".exe", command + ".cmd", command + ".bat"}
		}
		for _, name := range names {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path, nil
			}
		}
	}
	return "", exec.ErrNotFound
}

// pipes are the three standard streams of a plugin. Goroutines copy the data until finish.
type pipes struct {
	theirs [3]*os.File
	ours   [3]*os.File
	out    limitedBuffer
	errOut limitedBuffer
	moving sync.WaitGroup
}

func (p *pipes) open(cmd *exec.Cmd) error {
	for i := range p.theirs {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		p.theirs[i], p.ours[i] = w, r
		if i == 0 {
			p.theirs[i], p.ours[i] = r, w
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.theirs[0], p.theirs[1], p.theirs[2]
	return nil
}

// started closes the plugin's ends.
func (p *pipes) started() {
	for i, f := range p.theirs {
		if f != nil {
			_ = f.Close()
			p.theirs[i] = nil
		}
	}
}

// carry sends the request and reads the output. A plugin with too much output is stopped.
func (p *pipes) carry(request []byte, stop func()) {
	p.out.limit, p.errOut.limit = maxOutput, maxErrorOutput
	p.moving.Go(func() {
		_, _ = p.ours[0].Write(request) // a plugin that does not read it may still answer
		_ = p.ours[0].Close()
	})
	p.moving.Go(func() {
		if _, err := io.Copy(&p.out, p.ours[1]); errors.Is(err, errTooMuch) {
			stop()
		}
	})
	p.moving.Go(func() {
		_, _ = io.Copy(&p.errOut, p.ours[2])
		_, _ = io.Copy(io.Discard, p.ours[2])
	})
}

// finish waits for the remaining output, but not for that of processes that the plugin left behind.
func (p *pipes) finish() {
	done := make(chan struct{})
	go func() { p.moving.Wait(); close(done) }() // ends at the latest when the pipes are closed below
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		p.close()
		<-done
	}
}

func (p *pipes) close() {
	for _, f := range append(p.theirs[:], p.ours[:]...) {
		if f != nil {
			_ = f.Close()
		}
	}
}

func (p *pipes) said() string { return strings.TrimSpace(p.errOut.String()) }

var errTooMuch = errors.New("too much")

// limitedBuffer keeps what is written to it, up to a limit.
type limitedBuffer struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		b.over = true
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// ReadFrom keeps io.Copy from reading past the limit.
func (b *limitedBuffer) ReadFrom(r io.Reader) (int64, error) {
	buf, total := make([]byte, 32<<10), int64(0)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if _, werr := b.Write(buf[:n]); werr != nil {
				return total, werr
			}
			total += int64(n)
		}
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// log logs a plugin's error output without secrets.
func (h Host) log(p *Plugin, stderr string, secrets ...string) {
	if h.Log == nil || stderr == "" {
		return
	}
	for _, s := range secrets {
		if s != "" {
			stderr = strings.ReplaceAll(stderr, s, "•••")
		}
	}
	h.Log.Debug("plugin said", "plugin", p.Name, "text", stderr)
}
