package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/build"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

func main() {
	root := &cobra.Command{
		Use:           "skuad",
		Short:         "The engine host of skua",
		Version:       build.This().String(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(mcpCommand(), serveCommand(), servingCommand(), daemonCommand(), runCommand(), stopCommand(),
		docsCommand(), manCommand())
	if err := root.Execute(); err != nil {
		if code, ok := errors.AsType[exitCode](err); ok {
			os.Exit(int(code))
		}
		fmt.Fprintln(printed(os.Stderr), "✗ "+err.Error())
		os.Exit(1)
	}
}

// hostMemory is the heap size above which the garbage collector works harder. One large page needs about 20 MB for a
// moment.
const hostMemory = 40 << 20

func daemonCommand() *cobra.Command {
	var dir, namespace string
	cmd := &cobra.Command{
		Use:   "daemon",
		Short: "Hold the sessions of a namespace until they have been idle for long; the client starts this",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(hostMemory)
			return runDaemon(cmd.Context(), dir, namespace)
		},
	}
	cmd.Flags().StringVar(&dir, "socket-dir", daemon.SocketDir(os.Environ()), "the folder of the host's socket")
	cmd.Flags().StringVar(&namespace, "namespace", "", "the name of the host among those of the folder")
	return cmd
}

func runDaemon(ctx context.Context, dir, namespace string) error {
	stamp := daemon.OwnStamp()
	level := new(slog.LevelVar)
	journal, err := daemon.JournalPath(dir, namespace)
	if err != nil {
		return err
	}
	log := newLog(daemon.NewBoundedLog(os.Stderr, filepath.Join(filepath.Dir(journal), hostdir.Log)), level)
	idle, err := daemon.IdleTimeout(os.Getenv)
	if err != nil {
		log.Warn("idle timeout not readable", "err", err, "using", idle) // the command that started the host reports the same
	}
	apps, err := daemon.AppsPath(dir, namespace)
	if err != nil {
		return err
	}
	owner, err := rules.ReadOwner(rules.OwnerSource{
		Registry: catalog.Registry(),
		Getenv:   os.Getenv,
		Cwd:      os.Getenv("PWD"),
		Lenient:  true,
		LeftOut: func(err error) {
			log.Warn("a rule of the environment is left to the commands that bring it", "err", err)
		},
	})
	if err != nil {
		return err
	}
	m, err := session.New(session.Options{
		Registry:    catalog.Registry(),
		Log:         log,
		Level:       level,
		Owner:       owner,
		Journal:     journal,
		Apps:        apps,
		IdleTimeout: idle,
		SocketDir:   filepath.Dir(journal),
		Namespace:   namespace,
	})
	if err != nil {
		return err
	}
	return daemon.Serve(ctx, m, daemon.Options{
		Dir:         dir,
		Namespace:   namespace,
		IdleTimeout: m.IdleTimeout,
		Busy:        m.Busy,
		InUse:       m.InUse,
		OnChange:    m.OnChange,
		Stamp:       stamp,
		Ready:       daemon.ReadyPipe(),
		Log:         log,
		Close:       m.Close,
		Handover:    m.Handover(),
	})
}

// schemaName is the schema's file, beside the reference.
const schemaName = "config.schema.json"

func docsCommand() *cobra.Command {
	var out string
	var schema bool
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Write the command reference, and beside it the schema of configuration files",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := session.New(session.Options{Registry: catalog.Registry()})
			if err != nil {
				return err
			}
			reference, schemaText := manual.Reference(m.Registry(), "skua"), actions.ConfigSchema().String()+"\n"
			if schema {
				reference = schemaText
			}
			if out == "" {
				_, err = fmt.Fprint(cmd.OutOrStdout(), reference)
				return err
			}
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(filepath.Dir(out), schemaName), []byte(schemaText), 0o644); err != nil ||
				schema {
				return err
			}
			return os.WriteFile(out, []byte(reference), 0o644)
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "only the schema of configuration files")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the file to write; standard output when not given")
	return cmd
}
