package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	files "github.com/skua-browser/skua/session/config"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// The registry parses the words of `mcp` and `serve`, since their grammar and help are there.

func mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp [FLAGS]", Short: "Serve the tool agent_browser over MCP; see `skua mcp --help`", DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return startProgram(cmd.Context(), append([]string{"mcp"}, args...))
		},
	}
}

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "serve [FLAGS]",
		Short:              "Serve one browser with a persistent profile to many agents; see `skua serve --help`",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return startProgram(cmd.Context(), append([]string{"serve"}, args...))
		},
	}
}

// servingCommand is called by the client with the whole command line.
func servingCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serving -- WORD...", Hidden: true, DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "--" {
				args = args[1:]
			}
			return startProgram(cmd.Context(), args)
		},
	}
}

// startProgram runs `mcp`, `serve` or another program of its own until it ends.
func startProgram(ctx context.Context, args []string) error {
	registry := catalog.Registry()
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	in, err := registry.Parse(args, actions.ParseOptions{Getenv: os.Getenv, Configure: files.New().For(cwd, os.Getenv)})
	if err != nil {
		return runAlone(ctx, args) // which reports the error as for any command
	}
	if in.Asks() != grammar.AskNothing {
		_, err := fmt.Println(manual.Help(registry, "skua", in.Topic()))
		return err
	}
	if c := in.Configuration(); c != nil {
		for _, note := range c.AllNotes() {
			fmt.Fprintln(os.Stderr, "⚠ "+note)
		}
	}
	if err := passConfig(in); err != nil {
		return err
	}
	owner, err := readOwner(in, cwd)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch in.Name() {
	case "mcp":
		if in.Has("setup") {
			return setUpClient(os.Stdout, in, cwd)
		}
		for _, name := range setupFlags {
			if in.Flagged(name) {
				return in.Invalid("--" + name + " belongs to --setup: name the client, as in `skua mcp --setup claude --write`")
			}
		}
		err = runMCP(ctx, in, owner)
	case "mcp call":
		err = callOnce(ctx, in, owner)
	case "serve":
		err = runServe(ctx, in, owner)
	case "demo":
		err = runDemo(ctx, in)
	case "completion":
		err = printScript(os.Stdout, in.String("shell"))
	case "completion words":
		err = completeWords(ctx, os.Stdout, registry, in)
	case "completion values":
		err = printValues(ctx, printed(os.Stdout), in)
	case "man":
		_, err = fmt.Print(manual.Roff(registry, strings.Join(in.Strings("topic"), " "), session.Version))
	default:
		if !in.Command().Program {
			return fmt.Errorf("`%s` is not a program of its own", in.Name())
		}
		return runAlone(ctx, args) // like other commands, but without a host
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // it was told to end, and did
	}
	return err
}

// readOwner reads the owner's rules of a program that serves. A rule that cannot apply is an error, and so is a flag
// without effect.
func readOwner(in *actions.Input, cwd string) (*policy.Owner, error) {
	name := in.Name()
	if name != "mcp" && name != "mcp call" && name != "serve" {
		return nil, nil
	}
	for _, g := range actions.Globals() {
		if !strings.HasPrefix(in.Source(g.Name), "-") || g.Rule || slices.Contains(servingGlobals, g.Name) ||
			name == "serve" && launch.IsFlag(g.Name) {
			continue
		}
		return nil, fault.New(fault.Usage,
			"%s: it has no effect on `%s`; give it with the calls, or set it in the environment or a configuration file",
			in.Source(g.Name), name).About(in.Source(g.Name))
	}
	if in.Has("serve") {
		for _, g := range actions.Globals() {
			if g.Rule && strings.HasPrefix(in.Source(g.Name), "-") {
				return nil, fault.New(fault.Usage, "%s: with --serve the rules are those of the service; give it to `serve`",
					in.Source(g.Name)).
					About(in.Source(g.Name))
			}
		}
		for _, f := range in.Command().Flags {
			if in.Flagged(f.Name) && !slices.Contains(bridgeFlags, f.Name) {
				return nil, fault.New(fault.Usage,
					"%s has no effect with --serve: the service decides about its tools; give it to `serve`, if that takes it",
					in.Source(f.Name)).About(in.Source(f.Name))
			}
		}
		return nil, nil
	}
	return rules.ReadOwner(rules.OwnerSource{Registry: catalog.Registry(), Input: in, Getenv: os.Getenv, Cwd: cwd})
}

// servingGlobals are the globals other than rules that these programs use.
var servingGlobals = []string{"config", "debug", "max-output", "json", "verbose", "help", "version"}

// bridgeFlags are the flags of `mcp` for reaching a running service. All others configure local tools.
var bridgeFlags = append([]string{"serve", "task", "token", "token-file"}, setupFlags...)

// passConfig passes the chosen configuration file on to the commands that a program runs, in this process and in
// agent-browser.
func passConfig(in *actions.Input) error {
	c := in.Configuration()
	if !in.Has("config") || c == nil {
		return nil
	}
	i := slices.IndexFunc(c.Files, func(f grammar.ConfigFile) bool { return f.Role == grammar.ChosenFile })
	if i < 0 {
		return nil
	}
	return errors.Join(os.Setenv("SKUA_CONFIG", c.Files[i].Path), os.Setenv("AGENT_BROWSER_CONFIG", c.Files[i].Path))
}

// absolute returns the absolute form of a path from the command line.
func absolute(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	return filepath.Abs(path)
}
