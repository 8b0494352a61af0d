package pgtest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// defaultSettings make a cluster fast to start and to use. Durability across a crash of the machine is given up, except that
// fsync stays on: a production server must have it, and `tacit check` insists.
var defaultSettings = map[string]string{
	"max_connections":    "200",
	"synchronous_commit": "off",
	"full_page_writes":   "off",
	"wal_level":          "minimal",
	"max_wal_senders":    "0",
	"checkpoint_timeout": "1h",
	"log_destination":    "stderr",
}

// configuration returns the lines that are appended to postgresql.conf. In that file, unlike on the command line, a test can
// still override a setting with ALTER SYSTEM.
func (c *Cluster) configuration(options Options) string {
	settings := maps.Clone(defaultSettings)
	if inMemory() {
		settings["jit"] = "off" // it takes longer to compile the queries of tests than to run them
	}
	maps.Copy(settings, options.Settings)
	settings["listen_addresses"] = c.Host
	settings["port"] = strconv.Itoa(c.Port)
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&lines, "%s = '%s'\n", name, strings.ReplaceAll(settings[name], "'", "''"))
	}
	return lines.String()
}
