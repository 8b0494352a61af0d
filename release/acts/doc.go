// Package acts is what stewards do: [Grant], [Freeze], [Thaw] and [Epoch], for the commands and for the console, and [Publish] and [Seal] for the console.
//
// It guarantees that both do the same: [New] checks what is asked against the policy, [Act.Outlook] shows what it would change, from the ledger alone, and
// [Act.Do] writes it down with who did it and why. An act on a basis is done only if no other act on the table came between, unless what came between left all as
// it was. [Decline] changes no budget and does not look: a request is answered once, whatever came between. Proxies that run notice the entry as they notice each
// other's.
//
// [Publish] and [Seal] read rows and take long. They are noted as a decision by Do, under the same rules, and done by [Act.Perform], see data.go.
//
// Who may act is decided elsewhere. Start at New.
package acts
