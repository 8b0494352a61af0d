package proxy

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// behind is what a load balancer sends before the bytes of a client from an address of version 4.
func behind(from string) []byte {
	address := netip.MustParseAddrPort(from)
	header := append([]byte("\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c"), address.Addr().AsSlice()...)
	return append(binary.BigEndian.AppendUint16(append(header, 127, 0, 0, 1), address.Port()), 0x19, 0x20)
}

// connectBehind connects through a connection that begins with a header, sent byte by byte.
func (r *rig) connectBehind(header []byte) error {
	config, err := pgx.ParseConfig(r.url("ana"))
	if err != nil {
		return err
	}
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		for i := 0; err == nil && i < len(header); i++ {
			_, err = conn.Write(header[i : i+1])
		}
		return conn, err
	}
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	var one int
	return conn.QueryRow(context.Background(), "SELECT 1").Scan(&one)
}

// A connection comes from where a balancer of the policy says, and must begin with that. Of others nothing of the kind is believed.
func TestBalancers(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Balancers = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	if err := r.connectBehind(behind("127.0.0.9:1234")); err != nil {
		t.Error(err)
	}
	if err := r.connectBehind(behind("192.0.2.9:1234")); err == nil || !strings.Contains(err.Error(), "this machine only") {
		t.Errorf("trust for a client of elsewhere behind a balancer of this machine: %v", err)
	}
	if logged := r.log.String(); !strings.Contains(logged, "192.0.2.9:1234") {
		t.Errorf("the log does not say from where the client came:\n%s", logged)
	}
	for name, header := range map[string][]byte{"no header": nil, "version 1": []byte("PROXY TCP4 127.0.0.9 127.0.0.1 1234 6432\r\n")} {
		if err := r.connectBehind(header); err == nil {
			t.Errorf("%s: let in", name)
		}
	}
	r.releaser.reload("1", func(p *policy.Policy) { p.Balancers = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")} })
	if err := r.connectBehind(behind("127.0.0.9:1234")); err == nil {
		t.Error("somebody who is no balancer says from where it comes")
	}
	if err := r.connectBehind(nil); err != nil {
		t.Error(err)
	}
}

// Through a socket of the machine an account is the analyst of its name, and no other; what is said of encryption is for the network.
func TestPeer(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	create := fmt.Sprintf(`DO $$BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%[1]s') THEN CREATE ROLE "%[1]s" LOGIN; END IF; END$$`, me.Username)
	if err := execute("postgres", create); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tacit")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r := newRigAlone(t, func(p *policy.Policy) {
		p.Listen, p.LocalAuth = []string{filepath.Join(dir, ".s.PGSQL.6432")}, policy.AuthPeer
		p.Analysts = append(p.Analysts, policy.Analyst{Name: me.Username})
	})
	connect := func(analyst string) error {
		conn, err := pgx.Connect(context.Background(), fmt.Sprintf("host=%s port=6432 user=%s dbname=%s sslmode=disable", dir, analyst, r.database))
		if err == nil {
			err = conn.Close(context.Background())
		}
		return err
	}
	if err := connect(me.Username); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"ana", "nobody"} {
		if err := connect(other); err == nil || !strings.Contains(err.Error(), `peer authentication failed for user "`+other+`"`) {
			t.Errorf("%s: %v", other, err)
		}
	}
	r.releaser.reload("1", func(p *policy.Policy) { p.Analysts = p.Analysts[:2] })
	if err := connect(me.Username); err == nil {
		t.Error("somebody who is no analyst is let in")
	}
}
