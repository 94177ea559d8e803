//go:build linux

package apps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// App is an application that is being served.
type App struct {
	Name string
	Base string // http://127.0.0.1:port
	Dir  string // its data

	second int           // another port, for mails; 0 if there is none
	ended  chan struct{} // closed when its process has ended
	cmd    *exec.Cmd
	stop   func()
}

// launch is how an application is started.
type launch struct {
	argv  []string
	env   []string
	ready string // a path that answers once it serves
}

// kinds has, by name, how each application prepares its data and is started from the folder of its package.
var kinds = map[string]func(a *App, folder string, port int) (launch, error){
	"maildev":    maildev,
	"node-red":   nodeRED,
	"tiddlywiki": tiddlywiki,
	"ungit":      ungit,
}

// starting is how long an application may take until it serves.
const starting = 60 * time.Second

// Start serves an application from the folder of its npm package, with its data below dir. End ends it.
func Start(ctx context.Context, name, folder, dir string) (a *App, err error) {
	if name == "swagger-ui" {
		return swagger(folder, dir)
	}
	prepare := kinds[name]
	if prepare == nil {
		return nil, fmt.Errorf("application %q: no such application", name)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	a = &App{Name: name, Base: fmt.Sprintf("http://127.0.0.1:%d", port), Dir: filepath.Join(dir, name)}
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return nil, err
	}
	how, err := prepare(a, folder, port)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	output, err := os.Create(filepath.Join(a.Dir, "output"))
	if err != nil {
		return nil, err
	}
	defer output.Close()
	a.cmd = exec.Command(how.argv[0], how.argv[1:]...)
	a.cmd.Dir, a.cmd.Env = a.Dir, append(os.Environ(), append(how.env, "HOME="+a.Dir)...)
	a.cmd.Stdout, a.cmd.Stderr = output, output
	if err := a.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a.ended = make(chan struct{})
	go func() { // ends with the process, which End waits for
		defer close(a.ended)
		_ = a.cmd.Wait() // what it printed says why it ended
	}()
	if err := a.await(ctx, how.ready); err != nil {
		said, _ := os.ReadFile(output.Name())
		return nil, errors.Join(fmt.Errorf("%s: %w: %s", name, err, said), a.End())
	}
	return a, nil
}

// await waits until the application answers. What applications print when they serve differs, so it is asked.
func (a *App) await(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if _, err := a.Get(ctx, path); err == nil {
			return nil
		}
		select {
		case <-a.ended:
			return errors.New("it ended")
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", ctx.Err())
		case <-again.C:
		}
	}
}

// End ends the application, the hard way if it does not in five seconds.
func (a *App) End() error {
	if a.stop != nil {
		a.stop()
	}
	if a.cmd == nil {
		return nil
	}
	_ = a.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-a.ended:
		return nil
	case <-time.After(5 * time.Second):
		err := a.cmd.Process.Kill()
		<-a.ended
		return err
	}
}

// Get reads what the application serves at a path.
func (a *App) Get(ctx context.Context, path string) (string, error) {
	return a.ask(ctx, http.MethodGet, path, "")
}

// ask makes a request of the application's own interface.
func (a *App) ask(ctx context.Context, method, path, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.Base+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("X-Requested-With", "TiddlyWiki")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, answer.Body); err != nil {
		return "", err
	}
	if answer.StatusCode >= 400 {
		return "", fmt.Errorf("%s %s: %s: %s", method, path, answer.Status, text.String())
	}
	return text.String(), nil
}

// freePort returns a port of loopback that nothing listens on.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	address, _ := listener.Addr().(*net.TCPAddr)
	return address.Port, nil
}
