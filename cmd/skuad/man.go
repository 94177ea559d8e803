package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/session"
)

func manCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Write the manual pages",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			registry := catalog.Registry()
			if err := os.MkdirAll(out, 0o755); err != nil {
				return err
			}
			for _, page := range manual.Pages(registry, session.Version) {
				if err := os.WriteFile(filepath.Join(out, page.Name+".1"), []byte(page.Text), 0o644); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "the folder to write them to")
	_ = cmd.MarkFlagRequired("output") // the flag exists
	return cmd
}
