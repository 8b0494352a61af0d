// Package acts is what stewards do to budgets: [Grant], [Freeze], [Thaw] and [Epoch], for the commands and for the console.
//
// It guarantees that both do the same: [New] checks what is asked against the policy, [Act.Outlook] shows what it would change, from the ledger alone, and
// [Act.Do] writes it down with who did it and why. An act on a basis is done only if no other act on the table came between, unless what came between left all as
// it was. [Decline] changes no budget and does not look: a request is answered once, whatever came between. Proxies that run notice the entry as they notice each
// other's.
//
// Who may act is decided elsewhere. Epochs of audited tables are sealed instead, see release/seal. Start at New.
package acts
