package main

import (
	"github.com/spf13/cobra"

	"tacit/internal/demo"
)

func demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "try it: a throwaway PostgreSQL with real data, the proxy, and an analyst's session",
		Long: `demo starts a PostgreSQL cluster in a temporary directory with the data of examples/quickstart, separates the roles,
starts the proxy, and plays an analyst's session with psql. Then the proxy stays up for your own psql until Ctrl-C, unless
--once is given. Nothing is left behind.`,
		Args: noArguments,
	}
	once := cmd.Flags().Bool("once", false, "end after the session")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return demo.Run(cmd.Context(), cmd.OutOrStdout(), *once, serve)
	}
	return cmd
}
