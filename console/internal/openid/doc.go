// Package openid has persons log in at a provider of OpenID Connect: by the authorization code flow with PKCE (RFC 7636), a state and a nonce
// (OpenID Connect Core 1.0, section 3.1).
//
// It guarantees that an [Identity] is from an ID token that the provider signed for this client, not long ago, in answer to this very attempt: of one that was
// begun by the same browser, once. An address of a person that the provider has not verified is no identity. Whoever is named is decided elsewhere, by the
// policy.
//
// It leaves out sessions: the provider is asked at the login alone. Start at Client.Begin.
package openid
