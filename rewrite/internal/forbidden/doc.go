// Package forbidden refuses statements whether or not they mention a protected table.
//
// Some would make the session another role's, or change roles in a way that shuts others out. Some would have the session read SQL otherwise than package
// rewrite does. Others would hold SQL which that package cannot see. Against an analyst who may send any text, it guarantees that no such statement
// is relayed, at whatever depth of the tree it stands.
//
// [Refuse] is where to start. Everything else that an analyst should not do, the privileges of the role prevent. The words without which none
// of these statements can be written are in needsanalysis.go of package rewrite.
package forbidden
