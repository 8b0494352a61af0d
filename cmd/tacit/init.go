package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/draft"
)

func initCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init --table NAME",
		Short: "draft a policy from the catalog",
		Long: `init prints a policy that protects the tables which --table names, for you to edit: what only you can know is marked FILL, and each
column without a domain stands in a comment that says why. It goes by types, enums, CHECK constraints and foreign keys, and never by rows
or statistics. Foreign keys to tables that --public names give a column its values.

--database is a connection URL, of any role; without it the environment says where (PGHOST, PGDATABASE, PGUSER ...), as for psql.`,
		Args: noArguments,
	}
	tables := cmd.Flags().StringSlice("table", nil, "a `table` to protect, as schema.name (required; may be repeated)")
	public := cmd.Flags().StringSlice("public", nil, "a `table` whose contents are no secret (may be repeated)")
	database := cmd.Flags().String("database", "", "connection `URL`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		protected, err := tableNames(*tables)
		if err != nil || len(protected) == 0 {
			return usageError{errors.Join(err, errors.New("--table SCHEMA.NAME is required"))}
		}
		open, err := tableNames(*public)
		if err != nil {
			return usageError{err}
		}
		place, described, err := curator.Describe(cmd.Context(), *database, protected)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(cmd.OutOrStdout(), draft.Policy(place, described, open))
		return err
	}
	return cmd
}

func tableNames(texts []string) ([]policy.TableName, error) {
	var names []policy.TableName
	for _, text := range texts {
		name, err := policy.ParseTableName(text)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
