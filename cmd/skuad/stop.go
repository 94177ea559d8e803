package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/skua-browser/skua/session/daemon"
)

// stopLimit is how long a host may take to close its sessions.
const stopLimit = 30 * time.Second

func stopCommand() *cobra.Command {
	var dir, namespace string
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "End the host of a namespace with all its sessions; succeeds if none is running",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), stopLimit)
			defer cancel()
			ended, err := daemon.StopHost(ctx, dir, namespace)
			if err != nil {
				return err
			}
			text := "✓ Host stopped"
			if !ended {
				text = "No host is running"
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "socket-dir", daemon.SocketDir(os.Environ()), "the folder of the host's socket")
	cmd.Flags().StringVar(&namespace, "namespace", "", "the name of the host among those of the folder")
	return cmd
}
