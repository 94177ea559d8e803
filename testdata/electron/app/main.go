//go:build linux

// App is the executable of Electron-shaped apps: it serves the pages of resources/app.asar, shows them in windows of the Chromium that is
// installed, and is to them what Electron's main process is.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/electron/appfiles"
)

// userAgentMark is what every Electron has in its executable, and in its user agent.
const userAgentMark = "Electron/42.1.3"

func main() {
	// The browser dies with the thread that started it.
	runtime.LockOSThread()
	log.SetFlags(0)
	log.SetPrefix("app: ")
	f, args, err := parseFlags(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	switch {
	case f.exit != nil:
		fmt.Fprintf(os.Stderr, "Error: the sample app was told to end with %d\n    at main.js:1:1\n", *f.exit)
		os.Exit(*f.exit)
	case f.fork:
		fork()
	}
	if err := run(f, args); err != nil {
		log.Fatal(err)
	}
}

// fork starts the app without --test-fork, as wrappers of apps do, and ends.
func fork() {
	isFork := func(arg string) bool { return arg == "--test-fork" }
	words := slices.DeleteFunc(strings.Fields(os.Getenv(flagsVariable)), isFork)
	cmd := exec.Command(os.Args[0], slices.DeleteFunc(os.Args[1:], isFork)...)
	cmd.Env = append(os.Environ(), flagsVariable+"="+strings.Join(words, " "))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	os.Exit(0)
}

// run is the app's life.
func run(f flags, args []string) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	terminated := func() bool { return !f.refuseExit }

	if f.slowStart > 0 {
		for wait := time.After(f.slowStart); wait != nil; {
			select {
			case <-wait:
				wait = nil
			case <-quit:
				if terminated() {
					return nil
				}
			}
		}
	}
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	asar := filepath.Join(filepath.Dir(executable), "resources", "app.asar")
	archive, err := appfiles.OpenArchive(asar)
	if err != nil {
		return err
	}
	defer archive.Close()
	main, err := serve(archive, f)
	if err != nil {
		return err
	}
	defer main.server.Close()
	b, err := startBrowser(f, args, asar, main.url("index.html"))
	if err != nil {
		return err
	}
	defer b.kill()

	ready := make(chan error, 1)
	go func() { ready <- b.show(ctx, main, f) }()
	var crash, leave <-chan time.Time
	for {
		select {
		case err := <-ready:
			if err != nil {
				return err
			}
			if err := b.portFile.write(f.portFile); err != nil {
				return err
			}
			crash, leave = after(f.crash), after(f.orphan)
		case <-crash:
			main.crash()
		case <-leave:
			os.Exit(0) // and no farewell to the browser
		case action := <-main.actions:
			switch action {
			case "quit":
				b.quit(ctx)
				if terminated() {
					return nil
				}
			case "crash":
				main.crash()
			case "open-window":
				go b.open(ctx, main, "third.html") //nolint:errcheck // it ends with the browser at the latest
			}
		case <-b.watcher.windowless:
			b.quit(ctx)
			if terminated() {
				return nil
			}
		case <-quit:
			if terminated() {
				b.quit(ctx)
				return nil
			}
		case <-b.ended:
			if f.refuseExit {
				b.ended = nil // it stays, for nothing
				continue
			}
			if _, ok := errors.AsType[*exec.ExitError](b.err); ok {
				return fmt.Errorf("the browser ended: %w", b.err)
			}
			return nil
		}
	}
}

// after is time.After of a time that may not be given.
func after(d *time.Duration) <-chan time.Time {
	if d == nil {
		return nil
	}
	return time.After(*d)
}
