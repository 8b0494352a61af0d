// Package mask shows analysts a system catalog that fits what they may do.
//
// The hardening withholds parts of pg_catalog: counters, sizes and estimates tell about protected rows. Tools ask for them beside what
// analysts may see, and would get an error. [Masks.Replace] puts NULL and the like in their place.
//
// Analysts have no privilege on a protected table, yet may ask for counts of it. Tools that list what may be selected would leave it out.
// So the functions that tell privileges, information_schema and pg_class.relacl show its listed columns as selectable.
//
// A mask makes nothing readable: the statement runs in the analyst's own session, with her own privileges. So nothing here has to be
// right for privacy. What cannot be masked is relayed, and the server denies it.
//
// Begin with masks.go, which says what there is to replace. masker.go changes a parse tree. privileges.go has what is shown of protected tables. Package release/curator finds out what the
// server withholds.
package mask
