// Package pgtree has what every reader of PostgreSQL's parse trees needs: it finds nodes, makes nodes, and knows rules of
// PostgreSQL's that are about the tree alone.
//
// node.go walks trees by reflection, so that a node of a kind that nobody thought of is still visited. relations.go finds every name
// that can be that of a relation, and follows PostgreSQL's rules of which WITH queries hide it: the guarantee that no
// protected table is overlooked begins there. colname.go names the columns of a select list as PostgreSQL does. names.go, statements.go
// and probe.go know functions and statements by their names; build.go makes nodes.
//
// It knows nothing of tables, policies or sessions, and refuses nothing.
package pgtree
