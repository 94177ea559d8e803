package provider

import (
	"bufio"
	"context"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/procgroup"
)

// startChromedriver starts a browser through chromedriver: one that runs at SKUA_CHROMEDRIVER_URL, else one of our own.
func startChromedriver(ctx context.Context, c *call) (*Browser, error) {
	if c.firstOf("", "SKUA_CHROMEDRIVER_URL") != "" {
		base, err := c.baseURL("", "SKUA_CHROMEDRIVER_URL")
		if err != nil {
			return nil, err
		}
		r, err := c.newSession(ctx, base, c.Launch.capabilities())
		if err != nil {
			return nil, err
		}
		return r.browser(ctx, c, 0)
	}
	path, err := c.findChromedriver()
	if err != nil {
		return nil, err
	}
	d, err := startDriver(ctx, c, path)
	if err != nil {
		return nil, err
	}
	launch, exposed := c.Launch, ""
	if os.Geteuid() == 0 {
		launch.Args = append([]string{"--no-sandbox"}, launch.Args...)
		exposed = ", without its sandbox (--no-sandbox), because it runs as root"
	}
	r, err := c.newSession(ctx, d.base, launch.capabilities())
	if err != nil {
		d.end()
		return nil, err
	}
	b, err := r.browser(ctx, c, 0)
	if err != nil {
		d.end()
		return nil, err
	}
	b.About += exposed
	release := b.release
	b.release = func(ctx context.Context) error {
		defer d.end()
		if err := release(ctx); err != nil {
			select {
			case <-d.group.Done(): // it ended by itself, and its browser with it
			default:
				return err
			}
		}
		return nil
	}
	return b, nil
}

// usualDrivers are the paths where packages install chromedriver outside of the PATH.
var usualDrivers = []string{
	"/usr/bin/chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver",
	"/snap/bin/chromium.chromedriver",
	"/usr/local/bin/chromedriver", "/opt/homebrew/bin/chromedriver",
}

func (c *call) findChromedriver() (string, error) {
	if given := c.firstOf("", "SKUA_CHROMEDRIVER_PATH"); given != "" {
		if path, err := exec.LookPath(given); err == nil {
			return path, nil
		}
		return "", fault.New(fault.BrowserMissing,
			"The chromedriver that SKUA_CHROMEDRIVER_PATH names cannot be executed: %s", given).About(given)
	}
	name := "chromedriver"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var places []string
	for _, dir := range filepath.SplitList(c.Getenv("PATH")) {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	for _, place := range append(places, usualDrivers...) {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", fault.New(fault.BrowserMissing, "There is no chromedriver on the PATH").About("chromedriver").
		WithHint("Install it (on Debian: apt-get install chromium-driver), or name it with SKUA_CHROMEDRIVER_PATH.")
}

// driver is a chromedriver of ours.
type driver struct {
	base  *url.URL
	group *procgroup.Group
	guard *guard
	dir   string // of its temporary files and its browser's profile
	words *lastWords
	ended sync.Once

	output *os.File      // of the driver, read until its end; nil before it runs
	read   chan struct{} // closed when nothing is read any longer
}

// Bounds of a driver's life.
const (
	driverStart = 20 * time.Second // until it listens
	driverEnd   = 3 * time.Second  // to end when asked
)

// startDriver starts chromedriver on a free loopback port.
func startDriver(ctx context.Context, c *call, path string) (*driver, error) {
	dir, err := os.MkdirTemp("", "skua-driver-")
	if err != nil {
		return nil, fault.New(fault.File, "no folder for chromedriver's files: %w", err)
	}
	d := &driver{dir: dir, words: &lastWords{}}
	if d.guard, err = startGuard(dir); err != nil {
		_ = os.RemoveAll(dir)
		return nil, fault.New(fault.ProviderFailed,
			"the process that ends chromedriver's browser if skua is killed cannot be started: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		d.end()
		return nil, err
	}
	cmd := exec.Command(path, "--port=0")
	cmd.Dir = dir
	cmd.Env = driverEnv(c, dir)
	cmd.Stdout, cmd.Stderr = w, w
	group, err := procgroup.Start(cmd, procgroup.Options{})
	_ = w.Close()
	if err != nil {
		_ = r.Close()
		d.end()
		return nil, fault.New(fault.BrowserLaunch, "%s does not start: %w", path, err).About(path)
	}
	d.group = group
	d.guard.watch(group.PID())
	port := make(chan string, 1)
	d.output, d.read = r, make(chan struct{})
	go d.listen(port) // ends with the driver, which end waits for
	timer := time.NewTimer(driverStart)
	defer timer.Stop()
	select {
	case p := <-port:
		d.base = &url.URL{Scheme: "http", Host: "127.0.0.1:" + p}
		return d, nil
	case <-group.Done():
		err = fault.New(fault.BrowserLaunch, "%s ended (%s) before it listened: %s", path, group.Exit(), d.words.text()).
			About(path)
	case <-timer.C:
		err = fault.New(fault.BrowserLaunch, "%s did not listen within %s: %s", path, driverStart, d.words.text()).About(path)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	d.end()
	return nil, err
}

// driverEnv is what chromedriver and its browser need of the caller's environment, with temporary files in a folder
// that goes with them.
func driverEnv(c *call, dir string) []string {
	env := []string{"TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir}
	for _, name := range []string{
		"HOME", "PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
		"USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT",
	} {
		v := c.Getenv(name)
		if v == "" {
			v = os.Getenv(name)
		}
		if v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// started is how chromedriver says that it listens.
var started = regexp.MustCompile(`started successfully on port ([0-9]+)`)

// listen reads what the driver says to its end: its browser says it in the same pipe, which must not fill up.
func (d *driver) listen(port chan<- string) {
	defer close(d.read)
	lines, told := bufio.NewReader(d.output), false
	for {
		line, err := lines.ReadString('\n')
		d.words.add(line)
		if !told {
			if m := started.FindStringSubmatch(line); m != nil {
				port <- m[1]
				told = true
			}
		}
		if err != nil {
			return
		}
	}
}

// end ends the driver with all that it started, and removes their files.
func (d *driver) end() {
	d.ended.Do(func() {
		if d.group != nil {
			d.group.Terminate()
			select {
			case <-d.group.Done():
			case <-time.After(driverEnd):
				d.group.Kill()
				<-d.group.Done()
			}
			select {
			case <-d.read:
			case <-time.After(driverEnd): // something that left the group holds it open
			}
			_ = d.output.Close()
			<-d.read
		}
		// What was killed may still be writing for a moment.
		for range tries {
			if err := os.RemoveAll(d.dir); err == nil || errors.Is(err, os.ErrNotExist) {
				break
			}
			_ = pause.For(context.Background(), firstPause)
		}
		d.guard.dismiss()
	})
}

// lastWords keeps the end of what a program says.
type lastWords struct {
	mu   sync.Mutex
	said []string
}

const keptLines = 5

func (w *lastWords) add(line string) {
	if line = strings.TrimSpace(line); line == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, line)
	if len(w.said) > keptLines {
		w.said = w.said[1:]
	}
}

func (w *lastWords) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.said, " / ")
}
