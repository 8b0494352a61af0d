package policy

import (
	"strings"
	"testing"
)

// A console has persons of two roles. On an address that others reach it has the certificate of the section tls.
func TestConsole(t *testing.T) {
	section := "console: {listen: '127.0.0.1:6480', officers: {olga: {password: " + aVerifier + "}}, stewards: {stan: {password: " + aVerifier + "}}}\n"
	p, err := Parse("policy.yaml", []byte(section+minimal))
	if err != nil {
		t.Fatal(err)
	}
	c := p.Console
	if c == nil || c.Listen != "127.0.0.1:6480" || len(c.Officers) != 1 || c.Officers[0].Name != "olga" || len(c.Stewards) != 1 ||
		c.Stewards[0].Password != strings.Trim(aVerifier, "'") || p.TLS.HasTLS() {
		t.Errorf("the console is %+v", c)
	}
	p, err = Parse("policy.yaml", []byte("console: {listen: '0.0.0.0:6480'}\ntls: {certificate: a.crt, key: a.key}\n"+minimal))
	if err != nil || !p.TLS.HasTLS() {
		t.Errorf("with a certificate: %v", err)
	}
	p, err = Parse("/etc/tacit/policy.yaml", []byte("console: {listen: '127.0.0.1:6480', oidc: {issuer: 'http://127.0.0.1:8080/oidc', client_id: tacit, client_secret_file: s, redirect: 'http://localhost:6480/oidc/callback'}, "+
		"officers: {olga: {subject: '1'}}, approval: [grant, epoch], stewards: {stan: {email: a@b.org}, sue: {password: "+aVerifier+"}}}\n"+minimal))
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Console; *c.OIDC != (OIDC{"http://127.0.0.1:8080/oidc", "tacit", "/etc/tacit/s", "http://localhost:6480/oidc/callback"}) || c.Officers[0].Subject != "1" || c.Stewards[0].Email != "a@b.org" || c.Stewards[1].Password == "" || len(c.Approval) != 2 || c.Approval[1] != "epoch" {
		t.Errorf("with a provider the console is %+v", c)
	}
	if p, err := Parse("policy.yaml", []byte(minimal)); err != nil || p.Console != nil {
		t.Errorf("without the section: %v, %v", p, err)
	}
}
