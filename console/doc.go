// Package console is the web page of stewards, officers and analysts.
//
// What it shows is the policy and the ledger, by the code of the commands (release/books): no page reads a protected row or has a true count,
// but what a steward asks for with a reason, which the ledger has before (inspecting.go).
// An analyst sees what the proxy tells her in SQL: how budgets stand, her own statements, and the questions that are answered for free. Everything else is
// for officers and stewards.
//
// Stewards act by the code of the commands (release/acts): what was shown is what is done, once, or nothing is.
//
// Against somebody without a login it guarantees that no page but the login is shown, and that passwords cannot be tried quickly, by name or by
// address; that a name is known here is not told. Against another web page in the browser of somebody who is logged in it guarantees that nothing is done
// in their name: cookies are SameSite=Strict, requests from elsewhere are refused, and every form has a token of its session. Against an analyst it
// guarantees that what she writes into the ledger is shown as text: html/template escapes it, characters without width are made visible, and the policy
// of content lets nothing run, script or style, that is not this package's. A console that fails, or is slow, holds up no session of the proxy: it has a
// listener, connections to the ledger and limits of its own.
//
// Sessions are kept in memory, so that they end with the process. A person whom the policy no longer has, or whose password it has changed, is logged out.
//
// Left out: acts that read protected rows (tacit seal, tacit publish). Start at New, and at routes in handler.go.
package console
