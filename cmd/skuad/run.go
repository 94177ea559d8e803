package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/terminal"
	"github.com/skua-browser/skua/internal/visible"
	"github.com/skua-browser/skua/session"
)

// exitCode is the exit code of a command that has already reported its error.
type exitCode int

func (exitCode) Error() string { return "the command failed" }

func runCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run COMMAND...",
		Short: "Run one command line without a host; its session and browser end with it",
		Long: "Runs one command line of skua in this process, for places where programs may not listen on sockets. " +
			"Nothing of it outlives the call, so put several commands for one page into a `batch`.",
		DisableFlagParsing: true, // all words belong to the command
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "--" { // the words may look like skuad's flags
				args = args[1:]
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return runAlone(ctx, args)
		},
	}
}

func runAlone(ctx context.Context, args []string) error {
	m, err := session.New(session.Options{Registry: catalog.Registry(), Brief: true})
	if err != nil {
		return err
	}
	defer m.Close(context.WithoutCancel(ctx))
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	req := session.Request{
		Args:     args,
		Cwd:      cwd,
		Getenv:   os.Getenv,
		Ask:      askHere,
		ByFolder: true,
	}
	if terminal.Is(os.Stdin.Fd()) && terminal.Is(os.Stderr.Fd()) {
		req.Terminal = os.Stderr
	}
	in, err := m.Registry().Parse(args, actions.ParseOptions{Getenv: os.Getenv}) // Do reports its errors
	if err == nil && in.WantsStdin() && piped(os.Stdin) {
		if req.Stdin, err = io.ReadAll(os.Stdin); err != nil {
			return err
		}
	}
	if code := m.Do(ctx, req).Write(printed(os.Stdout), printed(os.Stderr)); code != 0 {
		return exitCode(code)
	}
	return nil
}

// printed returns a writer to one of this program's standard streams, for output that may contain text of a page.
func printed(f *os.File) io.Writer { return visible.Stream(f, terminal.Is(f.Fd())) }

// askHere asks at this process's terminal.
func askHere(_ context.Context, prompt string, hidden bool) (string, error) {
	line, ok := terminal.Ask(prompt, hidden)
	if !ok {
		return "", actions.ErrNoTerminal
	}
	return line, nil
}

// piped reports whether to read a file to its end: not a terminal, where nothing tells a person to type.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}
